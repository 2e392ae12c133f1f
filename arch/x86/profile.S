/*
 * rs_k_profile_ENTRY_k: a function with a profiler's entry sequence, below k = 1..8
 * enclosing frames: loop -> f_k -> ... -> f_1, which begins with the sequence. The
 * tracer behind it does nothing.
 *
 * In:       %rdi argument words: CALLS
 * Out:      %rax and RESULT: CALLS, counted by f_1
 * Clobbers: %rax, %rcx, %r8, flags
 *
 * One iteration executes
 *   loop       call, dec, jnz                       3 instructions, 2 branches, 1 call
 *   f_k..f_2   sub, call, add, ret          (k - 1) x 4 instructions, 2 branches
 *   f_1        ENTRY, sub, mov, sub, inc, add, ret  6 instructions, 1 branch, ENTRY
 * in all 5 + 4k instructions, 1 + 2k branches, k calls, k returns and those of
 *   entry     instructions  branches  calls  returns
 *   none      0             0         0      0
 *   nop       1             0         0      0        5 bytes, to be patched
 *   fentry    2             2         1      1        call; the tracer returns by ret
 *   inline    3             2         1      0        call; the tracer pops its return
 *                                                     address and jumps to it
 *   outline   4             4         1      1        jmp to a stub that calls the
 *                                                     tracer and jumps back
 *   graph     7             3         1      2        the tracer replaces the return
 *                                                     address of f_1; where that leads
 *                                                     to, a second ret goes home
 *   graph_jmp 6             3         1      1        the same, home by a jump
 *
 * After graph, each enclosing return finds the entry of the one outside it. What one
 * return of graph_jmp finds is wrong, and no later one's.
 */

#include "arch/x86/kernel.inc"

/* Entry sequences: at the start of \kernel_f1. */
	.macro	rs_profile_none kernel
	.endm

	.macro	rs_profile_nop kernel
	nopl	0(%rax, %rax, 1)
	.endm

	.macro	rs_profile_call kernel
	call	\kernel\()_tracer
	.endm

	.macro	rs_profile_jmp kernel
	.byte	0xe9			/* as long as the nop: jmp */
	.long	\kernel\()_stub - . - 4
	.endm

/* What lies outside of f1. */
	.macro	rs_profile_nothing_tail kernel
	.endm

	.macro	rs_profile_ret_tail kernel
	rs_func	\kernel\()_tracer
	ret
	rs_func_end \kernel\()_tracer
	.endm

	.macro	rs_profile_pop_tail kernel
	rs_func	\kernel\()_tracer
	pop	%rcx
	jmp	*%rcx
	rs_func_end \kernel\()_tracer
	.endm

	.macro	rs_profile_stub_tail kernel
	rs_func	\kernel\()_stub
	call	\kernel\()_tracer
	jmp	\kernel\()_traced
	rs_func_end \kernel\()_stub
	rs_profile_ret_tail \kernel
	.endm

	.macro	rs_profile_replace kernel
	rs_func	\kernel\()_tracer
	mov	8(%rsp), %r8
	lea	\kernel\()_return(%rip), %rcx
	mov	%rcx, 8(%rsp)
	ret
	rs_func_end \kernel\()_tracer
	.endm

	.macro	rs_profile_graph_tail kernel
	rs_profile_replace \kernel
	rs_func	\kernel\()_return
	push	%r8
	ret				/* pops what an outer return needs */
	rs_func_end \kernel\()_return
	.endm

	.macro	rs_profile_graph_jmp_tail kernel
	rs_profile_replace \kernel
	rs_func	\kernel\()_return
	jmp	*%r8
	rs_func_end \kernel\()_return
	.endm

	.macro	rs_profile kernel, entry, tail
	rs_framed_loops \kernel
	rs_func	\kernel\()_f1
	rs_profile_\entry \kernel
\kernel\()_traced:
	sub	$8, %rsp
	mov	KARG(RS_KARG_CALLS), %rax
	sub	%rbx, %rax
	inc	%rax
	add	$8, %rsp
	ret
	rs_func_end \kernel\()_f1
	rs_profile_\tail\()_tail \kernel
	rs_kernel_end \kernel
	.endm

	rs_profile rs_k_profile_none, none, nothing
	rs_profile rs_k_profile_nop, nop, nothing
	rs_profile rs_k_profile_fentry, call, ret
	rs_profile rs_k_profile_inline, call, pop
	rs_profile rs_k_profile_outline, jmp, stub
	rs_profile rs_k_profile_graph, call, graph
	rs_profile rs_k_profile_graph_jmp, call, graph_jmp
