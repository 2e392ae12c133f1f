/*
 * rs_k_chain: n nested calls, n = 1..RS_MAX_CHAIN, each level from one of two call
 * sites that the next of 128 bits chooses: with random bits no history of branches
 * tells where the next return goes; with bits that are all 0 every level has one site.
 * rs_k_lost: the same below a call that no return pops (call8 of form.inc).
 *
 * In:       %rdi argument words: CALLS, ARG0 n, ARG1 address of RS_CHAIN_ROWS x 2 words
 *           of bits; iteration i uses row CALLS - i modulo RS_CHAIN_ROWS
 * Out:      %rax and RESULT: n
 * Clobbers: %rax, %rcx, %rdx, %r8 to %r10, flags
 *
 * One iteration executes, for n calls in flight at the deepest point,
 *   loop       mov, and, shl, mov, mov, xor, call, dec, jnz   9 instructions, 2 branches
 *   n - 1 levels   inc, add, adc, jc, call, ret               6 instructions, 3 branches
 *   the last   inc, ret                                       2 instructions, 1 branch
 * in all 5 + 6n instructions, 3n branches, n calls and n returns; lost 2 instructions
 * more, a call and a pop. The loop's call is indirect, always to the same place while n
 * stays the same.
 *
 * Each site lies in a 64-byte line of its own, so a level takes two: where two return
 * sites share a line, some predictors hide misses or add them.
 */

#include "arch/chain.h"
#include "arch/x86/kernel.inc"
#include "arch/x86/form.inc"

/* The two sites of level \n, which calls the next one, \n - 1. */
	.macro	rs_chain_level n, next
	rs_func	rs_chain_\n
	inc	%eax
	add	%r9, %r9
	adc	%r8, %r8
	jc	1f
	call	rs_chain_\next
	ret
	rs_line
1:	call	rs_chain_\next
	ret
	rs_line
	rs_func_end rs_chain_\n
	.endm

	.macro	rs_chain_loop kernel, form
	rs_entry \kernel
	mov	$RS_MAX_CHAIN, %r10d
	sub	KARG(RS_KARG_ARG0), %r10
	shl	$7, %r10
	lea	rs_chain_first(%rip), %rcx
	add	%rcx, %r10
	mov	KARG(RS_KARG_ARG1), %rdx
1:
	.ifnb	\form
	\form	\kernel
	.endif
	mov	%ebx, %ecx
	and	$RS_CHAIN_ROWS - 1, %ecx
	shl	$4, %ecx
	mov	(%rdx,%rcx), %r8
	mov	8(%rdx,%rcx), %r9
	xor	%eax, %eax
	call	*%r10
	dec	%rbx
	jnz	1b
	rs_entry_end \kernel
	.endm

	rs_chain_loop rs_k_chain
	rs_chain_loop rs_k_lost, rs_form_call8

	.p2align 7, 0xcc
rs_chain_first:
	.set	level, RS_MAX_CHAIN
	.altmacro
	.rept	RS_MAX_CHAIN - 1
	.set	next, level - 1
	rs_chain_level %level, %next
	.set	level, next
	.endr
	.noaltmacro
	rs_func	rs_chain_1
	inc	%eax
	ret
	rs_func_end rs_chain_1
	rs_kernel_end rs_k_chain

/*
 * rs_k_recursion: the same with one call site for all levels: n nested calls of one
 * function. A predictor of indirect branches, or stale entries of the link stack, may
 * well know where each return goes.
 * rs_k_pair: two functions call each other, so two call sites take turns.
 *
 * In, Out, Clobbers: as rs_k_chain, without ARG1.
 *
 * One iteration executes
 *   loop       mov, xor, call, dec, jnz                       5 instructions, 2 branches
 *   n - 1 levels   inc, dec, jz, call, ret                    5 instructions, 3 branches
 *   the last   inc, dec, jz, ret                              4 instructions, 2 branches
 * in all 4 + 5n instructions, 1 + 3n branches, n calls and n returns.
 */
	.macro	rs_recursion kernel, next
	rs_entry rs_k_\kernel
1:	mov	KARG(RS_KARG_ARG0), %ecx
	xor	%eax, %eax
	call	rs_\kernel
	dec	%rbx
	jnz	1b
	rs_entry_end rs_k_\kernel
	rs_recursion_level rs_\kernel, rs_\next
	.endm

	.macro	rs_recursion_level own, next
	rs_func	\own
	inc	%eax
	dec	%ecx
	jz	1f
	call	\next
1:	ret
	rs_func_end \own
	.endm

	rs_recursion recursion, recursion
	rs_kernel_end rs_k_recursion

	rs_recursion pair, pair_other
	rs_recursion_level rs_pair_other, rs_pair
	rs_kernel_end rs_k_pair
