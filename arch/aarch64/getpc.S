/*
 * rs_k_getpc_FORM_k: reads the program counter below k = 1..8 enclosing frames:
 * loop -> f_k -> ... -> f_1, which runs the form (form.inc) and returns.
 *
 * In:       x0 argument words: CALLS
 * Out:      x0 and RESULT: the PC that the last iteration read, rs_k_getpc_FORM_pc
 * Clobbers: x0, x30
 *
 * One iteration executes
 *   loop       bl, sub, cbnz                        3 instructions, 2 branches, 1 call
 *   f_k..f_2   stp, mov, bl, ldp, ret    (k - 1) x 5 instructions, 2 branches
 *   f_1        stp, mov, FORM, ldp, ret             4 instructions, 1 branch, and FORM
 * in all, with n instructions and b branches in the form:
 *   2 + n + 5k instructions, 1 + b + 2k branches, k calls and k returns and those of
 *   the form:  adr n 1 b 0;  bl4, bl8 n 2 b 1;  thunk n 3 b 2.
 * The cbnz is taken but for the last iteration; everything else is taken.
 *
 * f_1 saves x30 in every form, although adr keeps it. Every loop and function is a
 * 64-byte line of its own.
 */

#include "arch/aarch64/kernel.inc"
#include "arch/aarch64/form.inc"

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

	.irp	form, adr, bl4, bl8, thunk
	rs_getpc \form
	.endr
