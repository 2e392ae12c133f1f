/*
 * Kernels that each break one rule of tests/kernels/checked_call.h, to show that the
 * checked call notices, and two that break none.
 */

#include "arch/powerpc/kernel.inc"

	.machine power8

	.macro	wrong name
	rs_func	rs_k_wrong_\name
	.globl	rs_k_wrong_\name
	.hidden	rs_k_wrong_\name
	mr	%r4, %r3
	li	%r3, 0
	STORE	%r3, WORD_BYTES * RS_KARG_RESULT(%r4)
	.endm

	.macro	wrong_end name
	blr
	rs_func_end rs_k_wrong_\name
	.endm

	.macro	wrong_one name, op, register, bits:vararg
	wrong \name
	\op	\register, \bits
	wrong_end \name
	.endm

	.irp	n, 2, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	wrong_one r\n, nor, %r\n, %r\n, %r\n
	.endr
	wrong_one cr2, crnor, 8, 8, 8
	wrong_one cr3, crnor, 13, 13, 13
	wrong_one cr4, crnor, 19, 19, 19
	.irp	n, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	wrong_one f\n, fneg, %f\n, %f\n
	.endr
	.irp	n, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	wrong_one v\n, vnor, %v\n, %v\n, %v\n
	.endr

	wrong vrsave
	mfvrsave %r5
	not	%r5, %r5
	mtvrsave %r5
	wrong_end vrsave

	wrong nothing
	wrong_end nothing

	/* Some stack and the caller's word for LR belong to the kernel. */
	wrong nothing_with_stack
	STORE	%r3, LINK(%r1)
	STORE	%r3, -288(%r1)
	STORE	%r3, -2048(%r1)
	wrong_end nothing_with_stack

	wrong leaves_on_stack
	addi	%r1, %r1, -16
	wrong_end leaves_on_stack

	wrong takes_from_stack
	addi	%r1, %r1, 16
	wrong_end takes_from_stack

	wrong returns_past
	mflr	%r5
	addi	%r5, %r5, 4
	mtlr	%r5
	wrong_end returns_past

	wrong stack_above
	STORE	%r3, 0(%r1)
	wrong_end stack_above

	wrong stack_below
	STORE	%r3, -2080(%r1)
	wrong_end stack_below

	wrong input
	LOAD	%r5, WORD_BYTES * RS_KARG_CALLS(%r4)
	addi	%r5, %r5, 1
	STORE	%r5, WORD_BYTES * RS_KARG_CALLS(%r4)
	wrong_end input

	wrong before_kargs
	STORE	%r3, -WORD_BYTES(%r4)
	wrong_end before_kargs

	wrong after_kargs
	STORE	%r3, WORD_BYTES * RS_N_KARGS(%r4)
	wrong_end after_kargs

	wrong result
	li	%r3, 1
	wrong_end result
