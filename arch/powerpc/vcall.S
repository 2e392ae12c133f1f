/*
 * rs_k_vcall: calls a function of the vDSO with three arguments, straight from the
 * loop. TARGET is the address of its code, on ELFv1 too.
 * rs_k_vcall5: the same with five arguments, for getrandom.
 * rs_k_lcall: the call with three for a function of C, which TARGET points to as C does: on ELFv1
 * at a descriptor.
 *
 * In:       r3 argument words: CALLS, TARGET, ARG0..ARG2 (vcall5: ..ARG4)
 * Out:      r3 and RESULT: what the last call returned; vcall, vcall5: an error of the
 *           vDSO (CR0.SO) as a negative errno
 * Clobbers: whatever the target may, by the psABI
 *
 * One iteration: 9 instructions (4 loads, mtctr, bctrl, addi, compare, bne), 2 branches,
 * 1 call, and the target, whose return is the pop. vcall5: 2 loads more; lcall on ELFv1: 3.
 *
 * rs_k_vcall_FORM_k: the vDSO's call made below k = 1..8 frames: loop -> f_k -> ... ->
 * f_1, which first reads its PC with the form (form.inc; the value is not used).
 *
 * One iteration executes what getpc.S does and in f_1 4 loads, mtctr, bctrl; with n
 * instructions and b branches in the form:
 *   9 + n + 8k instructions, 2 + b + 2k branches, k + 1 calls and those of the form,
 *   k returns, those of the form, and the target's own.
 */

#include "arch/powerpc/kernel.inc"
#include "arch/powerpc/form.inc"
#include "arch/powerpc/target.inc"

	.macro	rs_vcall form
	.irp	k, 1, 2, 3, 4, 5, 6, 7, 8
	rs_framed_loop rs_k_vcall_\form, \k
	rs_negate_error
	rs_entry_end rs_k_vcall_\form\()_\k
	.endr
	rs_frames rs_k_vcall_\form
	rs_func	rs_k_vcall_\form\()_f1
	rs_frame_open
	rs_form_\form rs_k_vcall_\form
	.set	rs_k_vcall_\form\()_here, 2b
	rs_call_vdso
	rs_frame_close
	rs_func_end rs_k_vcall_\form\()_f1
	rs_form_\form\()_tail rs_k_vcall_\form
	rs_kernel_end rs_k_vcall_\form
	.endm

	rs_entry rs_k_vcall
	rs_line_of_nops
1:	rs_call_vdso
	rs_again
	rs_negate_error
	rs_entry_end rs_k_vcall
	rs_kernel_end rs_k_vcall

	rs_entry rs_k_vcall5
	rs_line_of_nops
1:	LOAD	%r6, KARG(RS_KARG_ARG3)
	LOAD	%r7, KARG(RS_KARG_ARG4)
	rs_call_vdso
	rs_again
	rs_negate_error
	rs_entry_end rs_k_vcall5
	rs_kernel_end rs_k_vcall5

	rs_entry rs_k_lcall
	rs_line_of_nops
1:	rs_call_c
	rs_again
	rs_entry_end rs_k_lcall
	rs_kernel_end rs_k_lcall

	.irp	form, none, bcl4, bcl8, bl4, bl8, thunk, addpcis, paddi
	rs_vcall \form
	.endr
