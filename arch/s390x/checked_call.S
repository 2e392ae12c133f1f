/*
 * void rs_checked_enter(const void *entry, unsigned long *kargs, struct machine *m)
 *
 * Calls entry(kargs) on the stack that m names, with the registers that m says and
 * rubbish in all others, and writes into m what came back. struct machine is in
 * tests/kernels/checked_s390x.c. After the call nothing is trusted, neither registers
 * nor stack: m is found through .bss. A kernel that returns 4 to 12 bytes past its
 * return address falls into the sled of nops and is counted as astray.
 */

#include "arch/s390x/kernel.inc"

#define OWN          0
#define BANK         136
#define STACK        272(%r4)
#define RESULT       280(%r4)
#define ASTRAY       288(%r4)
#define PROGRAM_MASK 296(%r4)
#define OWN_R14_R15  304(%r4)

	.bss
	.p2align 3
machine:
	.skip	8
	.text

/* Moves r6 to r13, f8 to f15, a0 and a1. */
	.macro	bank_move words, float, access, at
	\words	%r6, %r13, \at(%r4)
	.irp	n, 8, 9, 10, 11, 12, 13, 14, 15
	\float	%f\n, \at + 64 + (\n - 8) * 8(%r4)
	.endr
	\access	%a0, %a1, \at + 128(%r4)
	.endm

	rs_func	rs_checked_enter
	.globl	rs_checked_enter
	.hidden	rs_checked_enter
	stmg	%r14, %r15, OWN_R14_R15
	bank_move stmg, std, stam, OWN
	larl	%r1, machine
	stg	%r4, 0(%r1)

	bank_move lmg, ld, lam, BANK
	lg	%r15, STACK
	lgr	%r14, %r2
	lgr	%r2, %r3
	.irp	n, 0, 1, 3, 4, 5
	llihf	%r\n, 0xdeaddead
	.endr
	basr	%r14, %r14
	j	.Lstraight
	.rept	5
	nopr
	.endr
	lghi	%r5, 1
	j	.Lback
.Lstraight:
	lghi	%r5, 0
.Lback:
	larl	%r1, machine
	lg	%r4, 0(%r1)
	ipm	%r0
	stg	%r15, STACK
	stg	%r2, RESULT
	stg	%r5, ASTRAY
	st	%r0, PROGRAM_MASK
	bank_move stmg, std, stam, BANK

	lghi	%r0, 0
	spm	%r0
	bank_move lmg, ld, lam, OWN
	lmg	%r14, %r15, OWN_R14_R15
	br	%r14
	rs_func_end rs_checked_enter
