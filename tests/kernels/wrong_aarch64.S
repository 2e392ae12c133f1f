/*
 * Kernels that each break one rule of tests/kernels/checked_call.h, to show that the
 * checked call notices, and two that break none.
 */

#include "arch/aarch64/kernel.inc"

	.macro	wrong name
	rs_func	rs_k_wrong_\name
	.globl	rs_k_wrong_\name
	.hidden	rs_k_wrong_\name
	rs_landing_pad
	mov	x4, x0
	mov	x0, 0
	str	x0, [x4, 8 * RS_KARG_RESULT]
	.endm

	.macro	wrong_end name
	ret
	rs_func_end rs_k_wrong_\name
	.endm

	.irp	n, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29
	wrong x\n
	eor	x\n, x\n, 1
	wrong_end x\n
	.endr

	.irp	n, 8, 9, 10, 11, 12, 13, 14, 15
	wrong d\n
	fneg	d\n, d\n
	wrong_end d\n
	.endr

	.irp	name, fpcr, tpidr_el0
	wrong \name
	mrs	x5, \name
	eor	x5, x5, 0x400000
	msr	\name, x5
	wrong_end \name
	.endr

	wrong nothing
	wrong_end nothing

	/* The upper halves of v8 to v15 are anybody's, and so is some stack. */
	wrong nothing_with_stack
	.irp	n, 8, 9, 10, 11, 12, 13, 14, 15
	mov	v\n\().d[1], x0
	.endr
	str	x0, [sp, -8]
	str	x0, [sp, -256]
	wrong_end nothing_with_stack

	wrong leaves_on_stack
	sub	sp, sp, 16
	wrong_end leaves_on_stack

	wrong takes_from_stack
	add	sp, sp, 16
	wrong_end takes_from_stack

	wrong returns_past
	add	x30, x30, 4
	wrong_end returns_past

	wrong stack_above
	str	x0, [sp]
	wrong_end stack_above

	wrong stack_below
	sub	x5, sp, 280
	str	x0, [x5]
	wrong_end stack_below

	wrong input
	ldr	x5, [x4, 8 * RS_KARG_CALLS]
	add	x5, x5, 1
	str	x5, [x4, 8 * RS_KARG_CALLS]
	wrong_end input

	wrong before_kargs
	str	x0, [x4, -8]
	wrong_end before_kargs

	wrong after_kargs
	str	x0, [x4, 8 * RS_N_KARGS]
	wrong_end after_kargs

	wrong result
	mov	x0, 1
	wrong_end result
