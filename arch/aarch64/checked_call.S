/*
 * void rs_checked_enter(const void *entry, unsigned long *kargs, struct machine *m)
 *
 * Calls entry(kargs) on the stack that m names, with the registers that m says and
 * rubbish in all others, and writes into m what came back. struct machine is in
 * tests/kernels/checked_aarch64.c. After the call nothing is trusted, neither registers
 * nor stack: m is found through .bss. A kernel that returns 4 to 12 bytes past its
 * return address falls into the sled of nops and is counted as astray.
 */

#include "arch/aarch64/kernel.inc"

#define OWN        0
#define BANK       168
#define STACK      336
#define RESULT     344
#define ASTRAY     352
#define OWN_SP_X30 360

	.bss
	.p2align 3
machine:
	.skip	8
	.text

/* Moves x19 to x29 and d8 to d15, to or from at in the machine at x2. */
	.macro	bank_move one, two, at
	.irp	n, 19, 21, 23, 25, 27
	bank_pair \two, x, \n, 19, \at
	.endr
	\one	x29, [x2, \at + 80]
	.irp	n, 8, 10, 12, 14
	bank_pair \two, d, \n, 8, \at + 88
	.endr
	.endm

	.macro	bank_pair two, kind, n, first, at
	.altmacro
	bank_pair_of \two, \kind, %(\n), %(\n + 1), (\at + 8 * (\n - \first))
	.noaltmacro
	.endm

	.macro	bank_pair_of two, kind, a, b, at
	\two	\kind\a, \kind\b, [x2, \at]
	.endm

	.macro	bank_out at
	bank_move str, stp, \at
	mrs	x9, fpcr
	mrs	x10, tpidr_el0
	stp	x9, x10, [x2, \at + 152]
	.endm

	.macro	bank_in at
	bank_move ldr, ldp, \at
	ldp	x9, x10, [x2, \at + 152]
	msr	fpcr, x9
	msr	tpidr_el0, x10
	.endm

	rs_func	rs_checked_enter
	.globl	rs_checked_enter
	.hidden	rs_checked_enter
	mov	x9, sp
	stp	x9, x30, [x2, OWN_SP_X30]
	bank_out OWN
	adrp	x9, machine
	str	x2, [x9, :lo12:machine]

	bank_in	BANK
	ldr	x9, [x2, STACK]
	mov	sp, x9
	mov	x16, x0
	mov	x0, x1
	mov	x1, 0xdead
	movk	x1, 0xdead, lsl 32
	.irp	n, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17, 18
	mov	x\n, x1
	.endr
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7
	dup	v\n\().2d, x1
	.endr
	.irp	n, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	dup	v\n\().2d, x1
	.endr
	mov	x2, 0xf0000000
	msr	nzcv, x2
	blr	x16
	b	.Lstraight
	nop
	nop
	nop
	mov	x3, 1
	b	.Lback
.Lstraight:
	mov	x3, 0
.Lback:
	adrp	x2, machine
	ldr	x2, [x2, :lo12:machine]
	mov	x9, sp
	str	x9, [x2, STACK]
	str	x0, [x2, RESULT]
	str	x3, [x2, ASTRAY]
	bank_out BANK

	bank_in	OWN
	ldp	x9, x30, [x2, OWN_SP_X30]
	mov	sp, x9
	ret
	rs_func_end rs_checked_enter
