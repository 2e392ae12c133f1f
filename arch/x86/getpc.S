/*
 * rs_k_getpc_FORM_k: reads the program counter below k = 1..8 enclosing frames:
 * loop -> f_k -> ... -> f_1, which runs the form (form.inc) and returns.
 *
 * In:       %rdi argument words: CALLS
 * Out:      %rax and RESULT: the PC that the last iteration read, rs_k_getpc_FORM_pc
 * Clobbers: %rax, flags
 *
 * One iteration executes
 *   loop       call, dec, jnz                       3 instructions, 2 branches, 1 call
 *   f_k..f_2   sub, call, add, ret          (k - 1) x 4 instructions, 2 branches
 *   f_1        sub, FORM, add, ret                  3 instructions, 1 branch, and FORM
 * in all, with n instructions and b branches in the form:
 *   2 + n + 4k instructions, 1 + b + 2k branches, k calls and k returns and those of
 *   the form:  lea n 1 b 0;  call0, call4, call8 n 2 b 1;  thunk n 3 b 2.
 * The jnz is taken but for the last iteration; everything else is taken.
 *
 * f_1 keeps the stack aligned in every form because the thunk's call needs it. Every
 * loop and function is a 64-byte line: where two return sites share one, some
 * branch predictors hide or add misses.
 */

#include "arch/x86/kernel.inc"
#include "arch/x86/form.inc"

	.macro	rs_getpc form
	rs_framed_loops rs_k_getpc_\form
	rs_func	rs_k_getpc_\form\()_f1
	sub	$8, %rsp
	rs_form_\form rs_k_getpc_\form
	.globl	rs_k_getpc_\form\()_pc
	.hidden	rs_k_getpc_\form\()_pc
	.set	rs_k_getpc_\form\()_pc, 2b
	add	$8, %rsp
	ret
	rs_func_end rs_k_getpc_\form\()_f1
	rs_form_\form\()_tail rs_k_getpc_\form
	rs_kernel_end rs_k_getpc_\form
	.endm

	rs_getpc lea
	rs_getpc call0
	rs_getpc call4
	rs_getpc call8
	rs_getpc thunk
