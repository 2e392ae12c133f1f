/*
 * rs_k_getpc_FORM_k: reads the program counter below k = 1..8 enclosing frames:
 * loop -> f_k -> ... -> f_1, which runs the form (form.inc) and returns.
 *
 * In:       r2 argument words: CALLS
 * Out:      r2 and RESULT: the PC that the last iteration read, rs_k_getpc_FORM_pc
 * Clobbers: r2, r14, the condition code
 *
 * One iteration executes
 *   loop       brasl, brctg                         2 instructions, 2 branches, 1 call
 *   f_k..f_2   stmg, aghi, brasl, lmg, br   (k - 1) x 5 instructions, 2 branches
 *   f_1        stmg, aghi, FORM, lmg, br            4 instructions, 1 branch, and FORM
 * in all, with n instructions and b branches in the form:
 *   1 + n + 5k instructions, 1 + b + 2k branches, k calls and k returns and those of
 *   the form:  larl, basr0 n 1 b 0;  brasl6, brasl10 n 2 b 1;  thunk n 3 b 2.
 * The brctg is taken but for the last iteration; everything else is taken.
 *
 * f_1 saves r14 in every form, although larl and basr0 keep it. Every loop and function
 * is a 64-byte line of its own.
 */

#include "arch/s390x/kernel.inc"
#include "arch/s390x/form.inc"

	.macro	rs_getpc form
	rs_framed_loops rs_k_getpc_\form
	rs_func	rs_k_getpc_\form\()_f1
	rs_frame_open
	rs_form_\form rs_k_getpc_\form
	.globl	rs_k_getpc_\form\()_pc
	.hidden	rs_k_getpc_\form\()_pc
	.set	rs_k_getpc_\form\()_pc, 2b
	rs_frame_close
	rs_func_end rs_k_getpc_\form\()_f1
	rs_form_\form\()_tail rs_k_getpc_\form
	rs_kernel_end rs_k_getpc_\form
	.endm

	.irp	form, larl, brasl6, brasl10, thunk, basr0
	rs_getpc \form
	.endr
