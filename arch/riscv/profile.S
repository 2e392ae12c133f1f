/*
 * rs_k_profile_ENTRY_k: a function with a profiler's entry sequence, below k = 1..8
 * enclosing frames: loop -> f_k -> ... -> f_1, which begins with the sequence. The
 * tracer behind it does nothing.
 *
 * In:       a0 argument words: CALLS
 * Out:      a0 and RESULT: CALLS, counted by f_1
 * Clobbers: a0, ra, t0 to t2
 *
 * One iteration executes
 *   loop       jal, addi, bnez                        3 instructions, 2 branches, 1 call
 *   f_k..f_2   addi, sd, jal, ld, addi, ret   (k - 1) x 6 instructions, 2 branches
 *   f_1        ENTRY, addi, sd, ld, sub, addi, ld,    8 instructions, 1 branch, ENTRY
 *              addi, ret
 * in all 5 + 6k instructions, 1 + 2k branches, k calls, k returns and those of
 *   entry     instructions  branches  calls  returns
 *   none      0             0         0      0
 *   nop       2             0         0      0        2 nops, to be patched
 *   fentry    3             2         1      1        auipc, jalr t0 through t0: a call
 *                                                     by the table of hints; the tracer
 *                                                     goes back by jr t0, a return
 *   inline    4             2         1      0        the same, back by mv and jr t2
 *   outline   6             4         1      1        j to a stub: mv t1, ra; jal; mv
 *                                                     ra, t1; j back; the tracer
 *                                                     returns by ret
 *   graph     11            5         1      2        the same, but the tracer replaces
 *                                                     the return address of f_1; where
 *                                                     that leads to, a second ret goes
 *                                                     home
 *
 * inline leaves an entry that no return pops; after graph, each enclosing return finds
 * the entry of the one outside it. nop and fentry are what the riscv kernel's dynamic
 * ftrace has at a function's entry (Linux, arch/riscv/kernel/ftrace.c, mcount-dyn.S).
 */

#include "arch/riscv/kernel.inc"

/* Entry sequences, at the start of \kernel_f1. */
	.macro	rs_profile_none kernel
	.endm

	.macro	rs_profile_nop kernel
	nop
	nop
	.endm

	.macro	rs_profile_call kernel
	call	t0, \kernel\()_tracer	/* auipc and jalr */
	.endm

	.macro	rs_profile_jump kernel
	j	\kernel\()_stub
	.endm

/* What lies outside of f1. */
	.macro	rs_profile_nothing_tail kernel
	.endm

	.macro	rs_profile_return_tail kernel
	rs_func	\kernel\()_tracer
	jr	t0
	rs_func_end \kernel\()_tracer
	.endm

	.macro	rs_profile_back_tail kernel
	rs_func	\kernel\()_tracer
	mv	t2, t0
	jr	t2
	rs_func_end \kernel\()_tracer
	.endm

	.macro	rs_profile_stub kernel
	rs_func	\kernel\()_stub
	mv	t1, ra
	jal	ra, \kernel\()_tracer
	mv	ra, t1
	j	\kernel\()_traced
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
	mv	t2, t1
	lla	t1, \kernel\()_return	/* auipc and addi */
	ret
	rs_func_end \kernel\()_tracer
	rs_func	\kernel\()_return
	mv	ra, t2
	ret				/* pops what an outer return needs */
	rs_func_end \kernel\()_return
	.endm

	.macro	rs_profile kernel, entry, tail
	rs_framed_loops \kernel
	rs_func	\kernel\()_f1
	rs_profile_\entry \kernel
\kernel\()_traced:
	rs_frame_open
	ld	a0, KARG(RS_KARG_CALLS)
	sub	a0, a0, s0
	addi	a0, a0, 1
	rs_frame_close
	rs_func_end \kernel\()_f1
	rs_profile_\tail\()_tail \kernel
	rs_kernel_end \kernel
	.endm

	rs_profile rs_k_profile_none, none, nothing
	rs_profile rs_k_profile_nop, nop, nothing
	rs_profile rs_k_profile_fentry, call, return
	rs_profile rs_k_profile_inline, call, back
	rs_profile rs_k_profile_outline, jump, stub
	rs_profile rs_k_profile_graph, jump, graph
