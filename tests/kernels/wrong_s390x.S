/*
 * Kernels that each break one rule of tests/kernels/checked_call.h, to show that the
 * checked call notices, and two that break none.
 */

#include "arch/s390x/kernel.inc"

	.macro	wrong name
	rs_func	rs_k_wrong_\name
	.globl	rs_k_wrong_\name
	.hidden	rs_k_wrong_\name
	lgr	%r4, %r2
	lghi	%r2, 0
	stg	%r2, 8 * RS_KARG_RESULT(%r4)
	.endm

	.macro	wrong_end name
	br	%r14
	rs_func_end rs_k_wrong_\name
	.endm

	.macro	wrong_one name, op, register, other
	wrong \name
	\op	\register, \other
	wrong_end \name
	.endm

	.irp	n, 6, 7, 8, 9, 10, 11, 12, 13
	wrong_one r\n, xihf, %r\n, 1
	.endr
	.irp	n, 8, 9, 10, 11, 12, 13, 14, 15
	wrong_one f\n, lcdfr, %f\n, %f\n
	.endr
	.irp	n, 0, 1
	wrong a\n
	ear	%r5, %a\n
	xilf	%r5, 1
	sar	%a\n, %r5
	wrong_end a\n
	.endr

	wrong program_mask
	llilh	%r5, 0x0100
	spm	%r5
	wrong_end program_mask

	wrong nothing
	wrong_end nothing

	/* Some stack and the caller's register save area belong to the kernel. */
	wrong nothing_with_stack
	stg	%r2, 8(%r15)
	stg	%r2, FRAME_BYTES - 8(%r15)
	stg	%r2, -8(%r15)
	stg	%r2, -2048(%r15)
	wrong_end nothing_with_stack

	wrong leaves_on_stack
	aghi	%r15, -FRAME_BYTES
	wrong_end leaves_on_stack

	wrong takes_from_stack
	aghi	%r15, 8
	wrong_end takes_from_stack

	wrong returns_past
	aghi	%r14, 4
	wrong_end returns_past

	wrong back_chain
	stg	%r2, 0(%r15)
	wrong_end back_chain

	wrong stack_above
	stg	%r2, FRAME_BYTES(%r15)
	wrong_end stack_above

	wrong stack_below
	stg	%r2, -2072(%r15)
	wrong_end stack_below

	wrong input
	agsi	8 * RS_KARG_CALLS(%r4), 1
	wrong_end input

	wrong before_kargs
	stg	%r2, -8(%r4)
	wrong_end before_kargs

	wrong after_kargs
	stg	%r2, 8 * RS_N_KARGS(%r4)
	wrong_end after_kargs

	wrong result
	lghi	%r2, 1
	wrong_end result
