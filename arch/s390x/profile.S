/*
 * rs_k_profile_ENTRY_k: a function with a profiler's entry sequence, below k = 1..8
 * enclosing frames: loop -> f_k -> ... -> f_1, which begins with the sequence. The
 * tracer behind it does nothing.
 *
 * In:       r2 argument words: CALLS
 * Out:      r2 and RESULT: CALLS, counted by f_1
 * Clobbers: r0, r1, r2, r14, the condition code
 *
 * One iteration executes
 *   loop       brasl, brctg                         2 instructions, 2 branches, 1 call
 *   f_k..f_2   stmg, aghi, brasl, lmg, br   (k - 1) x 5 instructions, 2 branches
 *   f_1        ENTRY, stmg, aghi, lg, sgr, aghi,    7 instructions, 1 branch, ENTRY
 *              lmg, br
 * in all 4 + 5k instructions, 1 + 2k branches, k calls, k returns and those of
 *   entry     instructions  branches  calls  returns
 *   none      0             0         0      0
 *   nop       1             0         0      0        brcl 0, to be patched
 *   inline    3             2         1      0        brasl with r0; the tracer returns
 *                                                     by br r1
 *   outline   6             4         1      1        jg to a stub: lgr r0,r14; brasl;
 *                                                     lgr r14,r0; jg back; the tracer
 *                                                     returns by br r14
 *   graph     10            5         1      2        the same, but the tracer replaces
 *                                                     the return address of f_1; where
 *                                                     that leads to, a second br r14
 *                                                     goes home
 *
 * inline leaves an entry that no return pops; after graph, each enclosing return finds
 * the entry of the one outside it. Both hold where brasl pushes and br r14 pops, of
 * which IBM publishes no rule.
 */

#include "arch/s390x/kernel.inc"

/* Entry sequences, at the start of \kernel_f1. */
	.macro	rs_profile_none kernel
	.endm

	.macro	rs_profile_nop kernel
	brcl	0, .
	.endm

	.macro	rs_profile_brasl kernel
	brasl	%r0, \kernel\()_tracer
	.endm

	.macro	rs_profile_jg kernel
	jg	\kernel\()_stub
	.endm

/* What lies outside of f1. */
	.macro	rs_profile_nothing_tail kernel
	.endm

	.macro	rs_profile_br_tail kernel
	rs_func	\kernel\()_tracer
	lgr	%r1, %r0
	br	%r1
	rs_func_end \kernel\()_tracer
	.endm

	.macro	rs_profile_stub kernel
	rs_func	\kernel\()_stub
	lgr	%r0, %r14
	brasl	%r14, \kernel\()_tracer
	lgr	%r14, %r0
	jg	\kernel\()_traced
	rs_func_end \kernel\()_stub
	.endm

	.macro	rs_profile_return_tail kernel
	rs_profile_stub \kernel
	rs_func	\kernel\()_tracer
	br	%r14
	rs_func_end \kernel\()_tracer
	.endm

	.macro	rs_profile_graph_tail kernel
	rs_profile_stub \kernel
	rs_func	\kernel\()_tracer
	lgr	%r1, %r0
	larl	%r0, \kernel\()_return
	br	%r14
	rs_func_end \kernel\()_tracer
	rs_func	\kernel\()_return
	lgr	%r14, %r1
	br	%r14			/* pops what an outer return needs */
	rs_func_end \kernel\()_return
	.endm

	.macro	rs_profile kernel, entry, tail
	rs_framed_loops \kernel
	rs_func	\kernel\()_f1
	rs_profile_\entry \kernel
\kernel\()_traced:
	rs_frame_open
	lg	%r2, KARG(RS_KARG_CALLS)
	sgr	%r2, %r10
	aghi	%r2, 1
	rs_frame_close
	rs_func_end \kernel\()_f1
	rs_profile_\tail\()_tail \kernel
	rs_kernel_end \kernel
	.endm

	rs_profile rs_k_profile_none, none, nothing
	rs_profile rs_k_profile_nop, nop, nothing
	rs_profile rs_k_profile_inline, brasl, br
	rs_profile rs_k_profile_outline, jg, return
	rs_profile rs_k_profile_graph, jg, graph
