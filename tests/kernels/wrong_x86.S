/*
 * Kernels that each break one rule of tests/kernels/checked_call.h, to show that the
 * checked call notices, and two that break none.
 */

#include "arch/kargs.h"

	.section .note.GNU-stack, "", @progbits
	.text

	.macro	wrong name
	.p2align 6, 0xcc
	.globl	rs_k_wrong_\name
	.hidden	rs_k_wrong_\name
	.type	rs_k_wrong_\name, @function
rs_k_wrong_\name:
	endbr64
	xor	%eax, %eax
	mov	%rax, 8 * RS_KARG_RESULT(%rdi)
	.endm

	.macro	wrong_end name
	ret
	.size	rs_k_wrong_\name, . - rs_k_wrong_\name
	.endm

	.macro	wrong_register name
	wrong \name
	not	%\name
	wrong_end \name
	.endm

	wrong_register rbx
	wrong_register rbp
	wrong_register r12
	wrong_register r13
	wrong_register r14
	wrong_register r15

	wrong nothing
	wrong_end nothing

	/* The whole of the red zone and some stack belong to the kernel. */
	wrong nothing_with_stack
	mov	%rax, -128(%rsp)
	mov	%rax, -512(%rsp)
	wrong_end nothing_with_stack

	wrong leaves_on_stack
	pop	%rcx
	sub	$16, %rsp
	jmp	*%rcx
	wrong_end leaves_on_stack

	wrong takes_from_stack
	ret	$8
	wrong_end takes_from_stack

	wrong returns_past
	addq	$5, (%rsp)
	wrong_end returns_past

	wrong overwrites_return_address
	pop	%rcx
	mov	%rax, -8(%rsp)
	jmp	*%rcx
	wrong_end overwrites_return_address

	wrong direction_flag
	std
	wrong_end direction_flag

	wrong mxcsr
	movl	$0x1f80, -8(%rsp)
	ldmxcsr	-8(%rsp)
	wrong_end mxcsr

	wrong x87
	fninit
	wrong_end x87

	wrong stack_above
	mov	%rax, 8(%rsp)
	wrong_end stack_above

	wrong stack_below
	mov	%rax, -528(%rsp)
	wrong_end stack_below

	wrong input
	incq	8 * RS_KARG_CALLS(%rdi)
	wrong_end input

	wrong before_kargs
	mov	%rax, -8(%rdi)
	wrong_end before_kargs

	wrong after_kargs
	mov	%rax, 8 * RS_N_KARGS(%rdi)
	wrong_end after_kargs

	wrong result
	inc	%eax
	wrong_end result
