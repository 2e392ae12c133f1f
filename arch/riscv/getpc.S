/*
 * rs_k_getpc_FORM_k: reads the program counter below k = 1..8 enclosing frames:
 * loop -> f_k -> ... -> f_1, which runs the form (form.inc) and returns.
 *
 * In:       a0 argument words: CALLS
 * Out:      a0 and RESULT: the PC that the last iteration read, rs_k_getpc_FORM_pc
 * Clobbers: a0, ra, t0, t1
 *
 * One iteration executes
 *   loop       jal, addi, bnez                        3 instructions, 2 branches, 1 call
 *   f_k..f_2   addi, sd, jal, ld, addi, ret   (k - 1) x 6 instructions, 2 branches
 *   f_1        addi, sd, FORM, ld, addi, ret          5 instructions, 1 branch, and FORM
 * in all, with n instructions and b branches in the form:
 *   2 + n + 6k instructions, 1 + b + 2k branches, k calls and k returns and those of
 *   the form:  auipc n 1 b 0;  jal4, jal8, jal_t0 n 2 b 1, a push;
 *              jal_t1 n 2 b 1, an exempt call;  thunk n 3 b 2, a push and a pop.
 * The bnez is taken but for the last iteration; everything else is taken.
 *
 * f_1 saves ra in every form, although some keep it. Every loop and function is a
 * 64-byte line of its own.
 */

#include "arch/riscv/kernel.inc"
#include "arch/riscv/form.inc"

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

	.irp	form, auipc, jal4, jal8, jal_t0, jal_t1, thunk
	rs_getpc \form
	.endr
