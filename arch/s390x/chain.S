/*
 * rs_k_chain: n nested calls, n = 1..RS_MAX_CHAIN, each level from one of two call
 * sites that a bit of its own among 128 chooses: with random bits no history of branches
 * tells where the next return goes; with bits that are all 0 every level has one site.
 * rs_k_lost: the same below a call that no return pops (brasl10 of form.inc).
 *
 * In:       r2 argument words: CALLS, ARG0 n, ARG1 address of RS_CHAIN_ROWS x 2
 *           64-bit words of bits; iteration i uses row CALLS - i modulo RS_CHAIN_ROWS
 * Out:      r2 and RESULT: n
 * Clobbers: r1 to r4, r14, CC; r12 and r13 are saved
 *
 * One iteration executes, for n calls in flight at the deepest point,
 *   loop       sllg, srlg, lg, lg, lghi, basr, brctg          7 instructions, 2 branches
 *   n - 1 levels   aghi, stmg, aghi, tm, jo, brasl, lmg, br   8 instructions, 3 branches
 *   the last   aghi, br                                       2 instructions, 1 branch
 * in all 1 + 8n instructions, 3n branches, n calls and n returns; lost 2 instructions
 * more, one of them a call. The loop's call is indirect, always to the same place while
 * n stays the same.
 *
 * Each site lies in a 64-byte line of its own, so a level takes two: where two return
 * sites share a line, some predictors hide misses or add them.
 */

#include "arch/chain.h"
#include "arch/s390x/kernel.inc"
#include "arch/s390x/form.inc"

/* CC 3, on which jo branches, where bit \bit of \register, 0 the lowest, is set. */
	.macro	rs_test_bit register, bit
	.if	\bit >= 48
	tmhh	\register, 1 << (\bit - 48)
	.elseif	\bit >= 32
	tmhl	\register, 1 << (\bit - 32)
	.elseif	\bit >= 16
	tmlh	\register, 1 << (\bit - 16)
	.else
	tmll	\register, 1 << \bit
	.endif
	.endm

/* The two sites of level \n, which calls the next one, \n - 1. */
	.macro	rs_chain_level n, next
	rs_func	rs_chain_\n
	aghi	%r2, 1
	rs_frame_open
	.if	\n > 64
	rs_test_bit 4, (\n - 65)
	.else
	rs_test_bit 3, (\n - 1)
	.endif
	jo	1f
	brasl	%r14, rs_chain_\next
	rs_frame_close
	rs_line
1:	brasl	%r14, rs_chain_\next
	rs_frame_close
	rs_line
	rs_func_end rs_chain_\n
	.endm

	.macro	rs_chain_loop kernel, form
	rs_entry \kernel
	lghi	%r1, RS_MAX_CHAIN
	sg	%r1, KARG(RS_KARG_ARG0)
	sllg	%r1, %r1, 7
	larl	%r12, rs_chain_first
	agr	%r12, %r1
	lg	%r13, KARG(RS_KARG_ARG1)
1:
	.ifnb	\form
	\form	\kernel
	.endif
	sllg	%r1, %r10, 64 - RS_CHAIN_ROW_BITS
	srlg	%r1, %r1, 60 - RS_CHAIN_ROW_BITS
	lg	%r3, 0(%r1,%r13)
	lg	%r4, 8(%r1,%r13)
	lghi	%r2, 0
	basr	%r14, %r12
	brctg	%r10, 1b
	rs_entry_end \kernel
	.endm

	rs_chain_loop rs_k_chain
	rs_chain_loop rs_k_lost, rs_form_brasl10

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
	aghi	%r2, 1
	br	%r14
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
 *   loop       lg, lghi, brasl, brctg                         4 instructions, 2 branches
 *   n - 1 levels   aghi, aghi, jz, stmg, aghi, brasl, lmg, br
 *                                                             8 instructions, 3 branches
 *   the last   aghi, aghi, jz, br                             4 instructions, 2 branches
 * in all 8n instructions, 1 + 3n branches, n calls and n returns.
 */
	.macro	rs_recursion kernel, next
	rs_entry rs_k_\kernel
1:	lg	%r1, KARG(RS_KARG_ARG0)
	lghi	%r2, 0
	brasl	%r14, rs_\kernel
	brctg	%r10, 1b
	rs_entry_end rs_k_\kernel
	rs_recursion_level rs_\kernel, rs_\next
	.endm

	.macro	rs_recursion_level own, next
	rs_func	\own
	aghi	%r2, 1
	aghi	%r1, -1
	jz	1f
	rs_frame_open
	brasl	%r14, \next
	rs_frame_close
1:	br	%r14
	rs_func_end \own
	.endm

	rs_recursion recursion, recursion
	rs_kernel_end rs_k_recursion

	rs_recursion pair, pair_other
	rs_recursion_level rs_pair_other, rs_pair
	rs_kernel_end rs_k_pair
