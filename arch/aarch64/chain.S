/*
 * rs_k_chain: n nested calls, n = 1..RS_MAX_CHAIN, each level from one of two call
 * sites that a bit of its own among 128 chooses: with random bits no history of branches
 * tells where the next return goes; with bits that are all 0 every level has one site.
 * rs_k_lost: the same below a call that no return pops (bl8 of form.inc).
 *
 * In:       x0 argument words: CALLS, ARG0 n, ARG1 address of RS_CHAIN_ROWS x 2
 *           64-bit words of bits; iteration i uses row CALLS - i modulo RS_CHAIN_ROWS
 * Out:      x0 and RESULT: n
 * Clobbers: x0, x9 to x14, x30, flags
 *
 * One iteration executes, for n calls in flight at the deepest point,
 *   loop       and, add, ldp, mov, blr, sub, cbnz             7 instructions, 2 branches
 *   n - 1 levels   bti, add, stp, mov, tbnz, bl, ldp, ret     8 instructions, 3 branches
 *   the last   bti, add, ret                                  3 instructions, 1 branch
 * in all 2 + 8n instructions, 3n branches, n calls and n returns; lost 2 instructions
 * more, one of them a call. The loop's call is indirect, always to the same place while
 * n stays the same.
 *
 * Each site lies in a 64-byte line of its own, so a level takes two: where two return
 * sites share a line, some predictors hide misses or add them.
 */

#include "arch/chain.h"
#include "arch/aarch64/kernel.inc"
#include "arch/aarch64/form.inc"

/* The two sites of level \n, which calls the next one, \n - 1. */
	.macro	rs_chain_level n, next
	rs_func	rs_chain_\n
	rs_landing_pad
	add	w0, w0, 1
	rs_frame_open
	.if	\n > 64
	tbnz	x14, \n - 65, 1f
	.else
	tbnz	x13, \n - 1, 1f
	.endif
	bl	rs_chain_\next
	rs_frame_close
	rs_line
1:	bl	rs_chain_\next
	rs_frame_close
	rs_line
	rs_func_end rs_chain_\n
	.endm

	.macro	rs_chain_loop kernel, form
	rs_entry \kernel
	ldr	x9, KARG(RS_KARG_ARG0)
	mov	x10, RS_MAX_CHAIN
	sub	x10, x10, x9
	adr	x11, rs_chain_first
	add	x11, x11, x10, lsl 7
	ldr	x12, KARG(RS_KARG_ARG1)
1:
	.ifnb	\form
	\form	\kernel
	.endif
	and	x9, x19, RS_CHAIN_ROWS - 1
	add	x9, x12, x9, lsl 4
	ldp	x13, x14, [x9]
	mov	w0, 0
	blr	x11
	rs_again
	rs_entry_end \kernel
	.endm

	rs_chain_loop rs_k_chain
	rs_chain_loop rs_k_lost, rs_form_bl8

	.balignl 64, TRAP
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
	add	w0, w0, 1
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
 *   loop       ldr, mov, bl, sub, cbnz                        5 instructions, 2 branches
 *   n - 1 levels   add, subs, b.eq, stp, mov, bl, ldp, ret    8 instructions, 3 branches
 *   the last   add, subs, b.eq, ret                           4 instructions, 2 branches
 * in all 1 + 8n instructions, 1 + 3n branches, n calls and n returns.
 */
	.macro	rs_recursion kernel, next
	rs_entry rs_k_\kernel
1:	ldr	x9, KARG(RS_KARG_ARG0)
	mov	w0, 0
	bl	rs_\kernel
	rs_again
	rs_entry_end rs_k_\kernel
	rs_recursion_level rs_\kernel, rs_\next
	.endm

	.macro	rs_recursion_level own, next
	rs_func	\own
	add	w0, w0, 1
	subs	x9, x9, 1
	b.eq	1f
	rs_frame_open
	bl	\next
	rs_frame_close
1:	ret
	rs_func_end \own
	.endm

	rs_recursion recursion, recursion
	rs_kernel_end rs_k_recursion

	rs_recursion pair, pair_other
	rs_recursion_level rs_pair_other, rs_pair
	rs_kernel_end rs_k_pair
