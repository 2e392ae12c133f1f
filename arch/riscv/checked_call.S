/*
 * void rs_checked_enter(const void *entry, unsigned long *kargs, struct machine *m)
 *
 * Calls entry(kargs) on the stack that m names, with the registers that m says and
 * rubbish in all others, and writes into m what came back. struct machine is in
 * tests/kernels/checked_riscv.c. After the call nothing is trusted, neither registers
 * nor stack: m is found through .bss. A kernel that returns 4 to 12 bytes past its
 * return address falls into the sled of nops and is counted as astray.
 */

#include "arch/riscv/kernel.inc"

#define OWN         0
#define BANK        216
#define STACK       432(t0)
#define RESULT      440(t0)
#define ASTRAY      448(t0)
#define OWN_RA      456(t0)
#define OWN_SP      464(t0)

	.bss
	.p2align 3
machine:
	.skip	8
	.text

/* Moves s0 to s11, gp, tp and fs0 to fs11, from m at t0. */
	.macro	bank_move word, float, at
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
	\word	s\n, \at + 8 * \n(t0)
	\float	fs\n, \at + 112 + 8 * \n(t0)
	.endr
	\word	gp, \at + 96(t0)
	\word	tp, \at + 104(t0)
	.endm

	.macro	bank_save at
	bank_move sd, fsd, \at
	frrm	t1
	sd	t1, \at + 208(t0)
	.endm

	.macro	bank_load at
	ld	t1, \at + 208(t0)
	fsrm	t1
	bank_move ld, fld, \at
	.endm

	rs_func	rs_checked_enter
	.globl	rs_checked_enter
	.hidden	rs_checked_enter
	mv	t0, a2
	lla	t1, machine
	sd	t0, 0(t1)
	sd	ra, OWN_RA
	sd	sp, OWN_SP
	bank_save OWN

	ld	sp, STACK
	bank_load BANK
	mv	t1, a0
	mv	a0, a1
	li	a1, 0xdeaddead00000000
	.irp	reg, a2, a3, a4, a5, a6, a7, t0, t2, t3, t4, t5, t6
	mv	\reg, a1
	.endr
	jalr	ra, 0(t1)
	j	.Lstraight
	.rept	3
	nop
	.endr
	li	t1, 1
	j	.Lback
.Lstraight:
	li	t1, 0
.Lback:
	lla	t0, machine
	ld	t0, 0(t0)
	sd	sp, STACK
	sd	a0, RESULT
	sd	t1, ASTRAY
	bank_save BANK

	bank_load OWN
	ld	sp, OWN_SP
	ld	ra, OWN_RA
	ret
	rs_func_end rs_checked_enter
