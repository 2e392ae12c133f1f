/*
 * rs_k_chain: n nested calls, n = 1..RS_MAX_CHAIN, each level from one of two call
 * sites that a bit of its own among 128 chooses: with random bits no history of branches
 * tells where the next return goes; with bits that are all 0 every level has one site.
 * rs_k_lost: the same below a call that no return pops (bl8 of form.inc).
 *
 * In:       r3 argument words: CALLS, ARG0 n, ARG1 address of RS_CHAIN_ROWS x 2
 *           64-bit words of bits; iteration i uses row CALLS - i modulo RS_CHAIN_ROWS
 * Out:      r3 and RESULT: n
 * Clobbers: r0, r3, r5 to r11, LR, CTR, CR0, CR7; r29 is saved
 *
 * One iteration executes, for n calls in flight at the deepest point,
 *   loop       rlwinm, add, load, load, li, bctrl, addi, compare, bne; 32 bit two loads
 *              more                              9 or 11 instructions, 2 branches
 *   n - 1 levels   addi, mflr, store, store with update, rotate, bne, bl, addi, load,
 *              mtlr, blr                         11 instructions, 3 branches
 *   the last   addi, blr                         2 instructions, 1 branch
 * in all 11n instructions, 32 bit 2 + 11n, 3n branches, n calls and n returns; lost 2
 * instructions more, one of them a call. The loop's call is indirect, always to the same
 * place while n stays the same.
 *
 * Each site lies in a 64-byte line of its own, so a level takes two: where two return
 * sites share a line, some predictors hide misses or add them.
 */

#include "arch/chain.h"
#include "arch/powerpc/kernel.inc"
#include "arch/powerpc/form.inc"

/* CR0.EQ is clear where bit \n - 1 of the row, which begins in r5, is set. */
	.macro	rs_test_bit n
#ifdef __powerpc64__
	rldicl.	%r0, 5 + (\n - 1) / 64, (64 - (\n - 1) % 64) % 64, 63
#else
	rlwinm.	%r0, 5 + (\n - 1) / 32, (32 - (\n - 1) % 32) % 32, 31, 31
#endif
	.endm

/* The two sites of level \n, which calls the next one, \n - 1. */
	.macro	rs_chain_level n, next
	rs_func	rs_chain_\n
	addi	%r3, %r3, 1
	rs_frame_open
	rs_test_bit \n
	bne	1f
	bl	rs_chain_\next
	rs_frame_close
	rs_line
1:	bl	rs_chain_\next
	rs_frame_close
	rs_line
	rs_func_end rs_chain_\n
	.endm

/* The row of bits at r9. */
	.macro	rs_load_bits
	LOAD	%r5, 0(%r9)
	LOAD	%r6, WORD_BYTES(%r9)
#ifndef __powerpc64__
	LOAD	%r7, 2 * WORD_BYTES(%r9)
	LOAD	%r8, 3 * WORD_BYTES(%r9)
#endif
	.endm

	.macro	rs_chain_loop kernel, form
	rs_entry \kernel
	LOAD	%r9, KARG(RS_KARG_ARG0)
	li	%r10, RS_MAX_CHAIN
	subf	%r10, %r9, %r10
	slwi	%r10, %r10, 7
	rs_address rs_chain_first
	add	%r10, %r10, %r29
	mtctr	%r10
	LOAD	%r11, KARG(RS_KARG_ARG1)
	rs_line_of_nops
1:
	.ifnb	\form
	\form	\kernel
	.endif
	clrlslwi %r9, %r31, 32 - RS_CHAIN_ROW_BITS, 4
	add	%r9, %r9, %r11
	rs_load_bits
	li	%r3, 0
	bctrl
	rs_again
	rs_entry_end \kernel
	.endm

	rs_chain_loop rs_k_chain
	rs_chain_loop rs_k_lost, rs_form_bl8

	rs_line
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
	addi	%r3, %r3, 1
	blr
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
 *   loop       load, li, bl, addi, compare, bne                6 instructions, 2 branches
 *   n - 1 levels   addi, addic, beq, mflr, store, store with update, bl, addi, load,
 *              mtlr, blr                                      11 instructions, 3 branches
 *   the last   addi, addic, beq, blr                           4 instructions, 2 branches
 * in all 11n - 1 instructions, 1 + 3n branches, n calls and n returns.
 */
	.macro	rs_recursion kernel, next
	rs_entry rs_k_\kernel
	rs_line_of_nops
1:	LOAD	%r9, KARG(RS_KARG_ARG0)
	li	%r3, 0
	bl	rs_\kernel
	rs_again
	rs_entry_end rs_k_\kernel
	rs_recursion_level rs_\kernel, rs_\next
	.endm

	.macro	rs_recursion_level own, next
	rs_func	\own
	addi	%r3, %r3, 1
	addic.	%r9, %r9, -1
	beq	1f
	rs_frame_open
	bl	\next
	rs_frame_close
1:	blr
	rs_func_end \own
	.endm

	rs_recursion recursion, recursion
	rs_kernel_end rs_k_recursion

	rs_recursion pair, pair_other
	rs_recursion_level rs_pair_other, rs_pair
	rs_kernel_end rs_k_pair
