/*
 * rs_k_vcall: calls a function with three arguments, straight from the loop.
 *
 * In:       x0 argument words: CALLS, TARGET, ARG0..ARG2 (vcall5: ..ARG4)
 * Out:      x0 and RESULT: what the last call returned
 * Clobbers: whatever the target may, by the psABI
 *
 * One iteration: 7 instructions (4 loads, blr, sub, cbnz), 2 branches, 1 call, and the
 * target, whose return is the pop.
 *
 * rs_k_vcall5: the same with five arguments, for getrandom: 9 instructions.
 *
 * rs_k_vcall_FORM_k: the call with three made below k = 1..8 frames: loop -> f_k -> ... ->
 * f_1, which first reads its PC with the form (form.inc; the value is not used).
 *
 * One iteration executes what getpc.S does and in f_1 4 loads and blr; with n
 * instructions and b branches in the form:
 *   7 + n + 5k instructions, 2 + b + 2k branches, k + 1 calls and those of the form,
 *   k returns, those of the form, and the target's own.
 */

#include "arch/aarch64/kernel.inc"
#include "arch/aarch64/form.inc"
#include "arch/aarch64/target.inc"

	.macro	rs_vcall form
	rs_framed_loops rs_k_vcall_\form
	rs_func	rs_k_vcall_\form\()_f1
	rs_frame_open
	rs_form_\form rs_k_vcall_\form
	rs_call_target
	rs_frame_close
	rs_func_end rs_k_vcall_\form\()_f1
	rs_form_\form\()_tail rs_k_vcall_\form
	rs_kernel_end rs_k_vcall_\form
	.endm

	rs_entry rs_k_vcall
1:	rs_call_target
	rs_again
	rs_entry_end rs_k_vcall
	rs_kernel_end rs_k_vcall

	rs_entry rs_k_vcall5
1:	ldr	x3, KARG(RS_KARG_ARG3)
	ldr	x4, KARG(RS_KARG_ARG4)
	rs_call_target
	rs_again
	rs_entry_end rs_k_vcall5
	rs_kernel_end rs_k_vcall5

	.irp	form, adr, bl4, bl8, thunk
	rs_vcall \form
	.endr
