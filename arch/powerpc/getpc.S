/*
 * rs_k_getpc_FORM_k: reads the program counter below k = 1..8 enclosing frames:
 * loop -> f_k -> ... -> f_1, which runs the form (form.inc) and returns.
 *
 * In:       r3 argument words: CALLS
 * Out:      r3 and RESULT: the PC that the last iteration read, rs_k_getpc_FORM_pc
 * Clobbers: r0, r3, LR, CR7
 *
 * One iteration executes
 *   loop       bl, addi, compare, bne               4 instructions, 2 branches, 1 call
 *   f_k..f_2   mflr, store, store with update, bl, addi, load, mtlr, blr
 *                                       (k - 1) x 8 instructions, 2 branches
 *   f_1        the same with FORM for bl            7 instructions, 1 branch, and FORM
 * in all, with n instructions and b branches in the form:
 *   3 + n + 8k instructions, 1 + b + 2k branches, k calls and k returns and those of
 *   the form:  none, addpcis, paddi n 1 b 0;  bcl4, bcl8, bl4, bl8 n 2 b 1;
 *   thunk n 3 b 2.
 * The bne is taken but for the last iteration; everything else is taken.
 */

#include "arch/powerpc/kernel.inc"
#include "arch/powerpc/form.inc"

	.macro	rs_getpc form
	.irp	k, 1, 2, 3, 4, 5, 6, 7, 8
	rs_framed_loop rs_k_getpc_\form, \k
	rs_entry_end rs_k_getpc_\form\()_\k
	.endr
	rs_frames rs_k_getpc_\form
	rs_func	rs_k_getpc_\form\()_f1
	rs_frame_open
	rs_form_\form rs_k_getpc_\form
	.set	rs_k_getpc_\form\()_here, 2b
	.globl	rs_k_getpc_\form\()_pc
	.hidden	rs_k_getpc_\form\()_pc
	.set	rs_k_getpc_\form\()_pc, 2b
	rs_frame_close
	rs_func_end rs_k_getpc_\form\()_f1
	rs_form_\form\()_tail rs_k_getpc_\form
	rs_kernel_end rs_k_getpc_\form
	.endm

	.irp	form, none, bcl4, bcl8, bl4, bl8, thunk, addpcis, paddi
	rs_getpc \form
	.endr
