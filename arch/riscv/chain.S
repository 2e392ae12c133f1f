/*
 * rs_k_chain: n nested calls, n = 1..RS_MAX_CHAIN, each level from one of two call
 * sites that a bit of its own among 128 chooses: with random bits no history of branches
 * tells where the next return goes; with bits that are all 0 every level has one site.
 * rs_k_lost: the same below a call that no return pops (jal8 of form.inc).
 *
 * In:       a0 argument words: CALLS, ARG0 n, ARG1 address of RS_CHAIN_ROWS x 2
 *           64-bit words of bits; iteration i uses row CALLS - i modulo RS_CHAIN_ROWS
 * Out:      a0 and RESULT: n
 * Clobbers: a0, a2, a3, ra, t3 to t6
 *
 * One iteration executes, for n calls in flight at the deepest point,
 *   loop       slli, srli, add, ld, ld, li, jalr, addi, bnez  9 instructions, 2 branches
 *   n - 1 levels   lpad, addi, addi, sd, slli, bltz, jal, ld, addi, ret
 *                                                            10 instructions, 3 branches
 *   the last   lpad, addi, ret                                3 instructions, 1 branch
 * in all 2 + 10n instructions, 3n branches, n calls and n returns; lost 2 instructions
 * more, one of them a call. The loop's call is indirect, always to the same place while
 * n stays the same.
 *
 * Each site lies in a 64-byte line of its own, so a level takes two: where two return
 * sites share a line, some predictors hide misses or add them.
 */

#include "arch/chain.h"
#include "arch/riscv/kernel.inc"
#include "arch/riscv/form.inc"

/* The two sites of level \n, which calls the next one, \n - 1. */
	.macro	rs_chain_level n, next
	rs_func	rs_chain_\n
	rs_landing_pad
	addi	a0, a0, 1
	rs_frame_open
	.if	\n > 64
	slli	t4, a3, 128 - \n
	.else
	slli	t4, a2, 64 - \n
	.endif
	bltz	t4, 1f
	jal	ra, rs_chain_\next
	rs_frame_close
	rs_line
1:	jal	ra, rs_chain_\next
	rs_frame_close
	rs_line
	rs_func_end rs_chain_\n
	.endm

	.macro	rs_chain_loop kernel, form
	rs_entry \kernel
	ld	t3, KARG(RS_KARG_ARG0)
	li	t4, RS_MAX_CHAIN
	sub	t4, t4, t3
	slli	t4, t4, 7
	lla	t5, rs_chain_first
	add	t5, t5, t4
	ld	t6, KARG(RS_KARG_ARG1)
1:
	.ifnb	\form
	\form	\kernel
	.endif
	slli	t3, s0, 64 - RS_CHAIN_ROW_BITS
	srli	t3, t3, 60 - RS_CHAIN_ROW_BITS
	add	t3, t3, t6
	ld	a2, 0(t3)
	ld	a3, 8(t3)
	li	a0, 0
	jalr	ra, 0(t5)
	rs_again
	rs_entry_end \kernel
	.endm

	rs_chain_loop rs_k_chain
	rs_chain_loop rs_k_lost, rs_form_jal8

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
	rs_landing_pad
	addi	a0, a0, 1
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
 *   loop       ld, li, jal, addi, bnez                        5 instructions, 2 branches
 *   n - 1 levels   addi, addi, beqz, addi, sd, jal, ld, addi, ret
 *                                                             9 instructions, 3 branches
 *   the last   addi, addi, beqz, ret                          4 instructions, 2 branches
 * in all 9n instructions, 1 + 3n branches, n calls and n returns.
 */
	.macro	rs_recursion kernel, next
	rs_entry rs_k_\kernel
1:	ld	t3, KARG(RS_KARG_ARG0)
	li	a0, 0
	jal	ra, rs_\kernel
	rs_again
	rs_entry_end rs_k_\kernel
	rs_recursion_level rs_\kernel, rs_\next
	.endm

	.macro	rs_recursion_level own, next
	rs_func	\own
	addi	a0, a0, 1
	addi	t3, t3, -1
	beqz	t3, 1f
	rs_frame_open
	jal	ra, \next
	rs_frame_close
1:	ret
	rs_func_end \own
	.endm

	rs_recursion recursion, recursion
	rs_kernel_end rs_k_recursion

	rs_recursion pair, pair_other
	rs_recursion_level rs_pair_other, rs_pair
	rs_kernel_end rs_k_pair
