/*
 * rs_k_profile_ENTRY_k: a function with a profiler's entry sequence, below k = 1..8
 * enclosing frames: loop -> f_k -> ... -> f_1, which begins with the sequence. The
 * tracer behind it does nothing.
 *
 * In:       x0 argument words: CALLS
 * Out:      x0 and RESULT: CALLS, counted by f_1
 * Clobbers: x0, x9 to x11, x30
 *
 * One iteration executes
 *   loop       bl, sub, cbnz                        3 instructions, 2 branches, 1 call
 *   f_k..f_2   stp, mov, bl, ldp, ret       (k - 1) x 5 instructions, 2 branches
 *   f_1        ENTRY, stp, mov, ldr, sub, add,      7 instructions, 1 branch, ENTRY
 *              ldp, ret
 * in all 5 + 5k instructions, 1 + 2k branches, k calls, k returns and those of
 *   entry     instructions  branches  calls  returns
 *   none      0             0         0      0
 *   nop       2             0         0      0        2 nops, to be patched
 *   mov_nop   2             0         0      0        mov x9, x30; nop
 *   fentry    5             2         1      1        mov x9, x30; bl; the tracer puts
 *                                                     x30 back and returns by ret x10
 *   inline    5             2         1      0        the same, back by br x10
 *   outline   6             4         1      1        b to a stub: mov x9, x30; bl; mov
 *                                                     x30, x9; b back; the tracer
 *                                                     returns by ret
 *   graph     10            5         1      2        the same, but the tracer replaces
 *                                                     the return address of f_1; where
 *                                                     that leads to, a second ret goes
 *                                                     home
 *
 * inline leaves an entry that no return pops; after graph, each enclosing return finds
 * the entry of the one outside it.
 */

#include "arch/aarch64/kernel.inc"

/* Entry sequences, at the start of \kernel_f1. */
	.macro	rs_profile_none kernel
	.endm

	.macro	rs_profile_nop kernel
	nop
	nop
	.endm

	.macro	rs_profile_mov_nop kernel
	mov	x9, x30
	nop
	.endm

	.macro	rs_profile_bl kernel
	mov	x9, x30
	bl	\kernel\()_tracer
	.endm

	.macro	rs_profile_b kernel
	b	\kernel\()_stub
	.endm

/* What lies outside of f1. */
	.macro	rs_profile_nothing_tail kernel
	.endm

	.macro	rs_profile_back_tail kernel, back
	rs_func	\kernel\()_tracer
	mov	x10, x30
	mov	x30, x9
	\back	x10
	rs_func_end \kernel\()_tracer
	.endm

	.macro	rs_profile_ret_tail kernel
	rs_profile_back_tail \kernel, ret
	.endm

	.macro	rs_profile_br_tail kernel
	rs_profile_back_tail \kernel, br
	.endm

	.macro	rs_profile_stub kernel
	rs_func	\kernel\()_stub
	mov	x9, x30
	bl	\kernel\()_tracer
	mov	x30, x9
	b	\kernel\()_traced
	rs_func_end \kernel\()_stub
	.endm

	.macro	rs_profile_stub_tail kernel
	rs_profile_stub \kernel
	rs_func	\kernel\()_tracer
	ret
	rs_func_end \kernel\()_tracer
	.endm

	.macro	rs_profile_graph_tail kernel
	rs_profile_stub \kernel
	rs_func	\kernel\()_tracer
	mov	x11, x9
	adr	x9, \kernel\()_return
	ret
	rs_func_end \kernel\()_tracer
	rs_func	\kernel\()_return
	mov	x30, x11
	ret				/* pops what an outer return needs */
	rs_func_end \kernel\()_return
	.endm

	.macro	rs_profile kernel, entry, tail
	rs_framed_loops \kernel
	rs_func	\kernel\()_f1
	rs_profile_\entry \kernel
\kernel\()_traced:
	rs_frame_open
	ldr	x0, KARG(RS_KARG_CALLS)
	sub	x0, x0, x19
	add	x0, x0, 1
	rs_frame_close
	rs_func_end \kernel\()_f1
	rs_profile_\tail\()_tail \kernel
	rs_kernel_end \kernel
	.endm

	rs_profile rs_k_profile_none, none, nothing
	rs_profile rs_k_profile_nop, nop, nothing
	rs_profile rs_k_profile_mov_nop, mov_nop, nothing
	rs_profile rs_k_profile_fentry, bl, ret
	rs_profile rs_k_profile_inline, bl, br
	rs_profile rs_k_profile_outline, b, stub
	rs_profile rs_k_profile_graph, b, graph
