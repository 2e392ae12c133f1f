/*
 * Kernels that each break one rule of tests/kernels/checked_call.h, to show that the
 * checked call notices, and two that break none.
 */

#include "arch/riscv/kernel.inc"

	.macro	wrong name
	rs_func	rs_k_wrong_\name
	.globl	rs_k_wrong_\name
	.hidden	rs_k_wrong_\name
	rs_landing_pad
	mv	a3, a0
	li	a0, 0
	sd	a0, 8 * RS_KARG_RESULT(a3)
	.endm

	.macro	wrong_end name
	ret
	rs_func_end rs_k_wrong_\name
	.endm

	.irp	n, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, gp, tp
	wrong \n
	xori	\n, \n, 1
	wrong_end \n
	.endr
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
	wrong fs\n
	fneg.d	fs\n, fs\n
	wrong_end fs\n
	.endr

	wrong rounding
	fsrmi	1
	wrong_end rounding

	wrong nothing
	wrong_end nothing

	/* Some stack belongs to the kernel. */
	wrong nothing_with_stack
	sd	a0, -8(sp)
	sd	a0, -192(sp)
	wrong_end nothing_with_stack

	wrong leaves_on_stack
	addi	sp, sp, -16
	wrong_end leaves_on_stack

	wrong takes_from_stack
	addi	sp, sp, 16
	wrong_end takes_from_stack

	wrong returns_past
	addi	ra, ra, 4
	wrong_end returns_past

	wrong returns_further_past
	addi	ra, ra, 12
	wrong_end returns_further_past

	wrong stack_above
	sd	a0, 0(sp)
	wrong_end stack_above

	wrong stack_below
	sd	a0, -208(sp)
	wrong_end stack_below

	wrong input
	sd	a0, 8 * RS_KARG_CALLS(a3)
	wrong_end input

	wrong before_kargs
	sd	a0, -8(a3)
	wrong_end before_kargs

	wrong after_kargs
	sd	a0, 8 * RS_N_KARGS(a3)
	wrong_end after_kargs

	wrong result
	li	a0, 1
	wrong_end result
