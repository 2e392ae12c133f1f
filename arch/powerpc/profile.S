/*
 * rs_k_profile_ENTRY_k: a function with a profiler's entry sequence, below k = 1..8
 * enclosing frames: loop -> f_k -> ... -> f_1, which begins with the sequence. The
 * tracer behind it does nothing.
 *
 * In:       r3 argument words: CALLS
 * Out:      r3 and RESULT: CALLS, counted by f_1
 * Clobbers: r0, r3, r11, r12, LR, CTR, CR7
 *
 * One iteration executes
 *   loop       bl, addi, compare, bne               4 instructions, 2 branches, 1 call
 *   f_k..f_2   what opens and closes them, bl  (k - 1) x 8 instructions, 2 branches
 *   f_1        ENTRY, what opens and closes it,    10 instructions, 1 branch, ENTRY
 *              load, subf, addi
 * in all 6 + 8k instructions, 1 + 2k branches, k calls, k returns and those of
 *   entry     instructions  branches  calls  returns
 *   none      0             0         0      0
 *   nop       1             0         0      0        to be patched
 *   mflr_nop  2             0         0      0        mflr r0; nop
 *   inline    6             2         1      0        mflr r0; bl; the tracer returns
 *                                                     by mtctr, bctr
 *   outline   6             4         1      1        b to a stub: mflr r0; bl; mtlr
 *                                                     r0; b back; the tracer returns
 *                                                     by blr
 *   graph     10            5         1      2        the same, but the tracer replaces
 *                                                     the return address of f_1; where
 *                                                     that leads to, a second blr goes
 *                                                     home
 *
 * inline leaves an entry that no return pops; after graph, each enclosing return finds
 * the entry of the one outside it.
 */

#include "arch/powerpc/kernel.inc"

/* Entry sequences, at the start of \kernel_f1. */
	.macro	rs_profile_none kernel
	.endm

	.macro	rs_profile_nop kernel
	nop
	.endm

	.macro	rs_profile_mflr_nop kernel
	mflr	%r0
	nop
	.endm

	.macro	rs_profile_bl kernel
	mflr	%r0
	bl	\kernel\()_tracer
	.endm

	.macro	rs_profile_b kernel
	b	\kernel\()_stub
	.endm

/* What lies outside of f1; \kernel_here is an address that the loop puts into r29. */
	.macro	rs_profile_nothing_tail kernel
	.set	\kernel\()_here, \kernel\()_f1
	.endm

	.macro	rs_profile_bctr_tail kernel
	rs_profile_nothing_tail \kernel
	rs_func	\kernel\()_tracer
	mflr	%r12
	mtlr	%r0
	mtctr	%r12
	bctr
	rs_func_end \kernel\()_tracer
	.endm

	.macro	rs_profile_stub kernel
	rs_func	\kernel\()_stub
	mflr	%r0
	bl	\kernel\()_tracer
	mtlr	%r0
	b	\kernel\()_traced
	rs_func_end \kernel\()_stub
	.endm

	.macro	rs_profile_blr_tail kernel
	rs_profile_nothing_tail \kernel
	rs_profile_stub \kernel
	rs_func	\kernel\()_tracer
	blr
	rs_func_end \kernel\()_tracer
	.endm

	.macro	rs_profile_graph_tail kernel
	rs_profile_stub \kernel
	rs_func	\kernel\()_tracer
	mr	%r11, %r0
	mr	%r0, %r29
	blr
	rs_func_end \kernel\()_tracer
	rs_func	\kernel\()_here
	mtlr	%r11
	blr				/* pops what an outer return needs */
	rs_func_end \kernel\()_here
	.endm

	.macro	rs_profile kernel, entry, tail
	.irp	k, 1, 2, 3, 4, 5, 6, 7, 8
	rs_framed_loop \kernel, \k
	rs_entry_end \kernel\()_\k
	.endr
	rs_frames \kernel
	rs_func	\kernel\()_f1
	rs_profile_\entry \kernel
\kernel\()_traced:
	rs_frame_open
	LOAD	%r3, KARG(RS_KARG_CALLS)
	subf	%r3, %r31, %r3
	addi	%r3, %r3, 1
	rs_frame_close
	rs_func_end \kernel\()_f1
	rs_profile_\tail\()_tail \kernel
	rs_kernel_end \kernel
	.endm

	rs_profile rs_k_profile_none, none, nothing
	rs_profile rs_k_profile_nop, nop, nothing
	rs_profile rs_k_profile_mflr_nop, mflr_nop, nothing
	rs_profile rs_k_profile_inline, bl, bctr
	rs_profile rs_k_profile_outline, b, blr
	rs_profile rs_k_profile_graph, b, graph
