/*
 * rs_k_vcall: calls a function with three arguments, straight from the loop.
 *
 * In:       %rdi argument words: CALLS, TARGET, ARG0..ARG2 (vcall5: ..ARG4)
 * Out:      %rax and RESULT: what the last call returned
 * Clobbers: whatever the target may, by the psABI
 *
 * One iteration: 6 instructions (3 mov, call, dec, jnz), 2 branches, 1 call, and the
 * target, whose return is the pop.
 *
 * rs_k_vcall5: the same with five arguments, for getrandom: 8 instructions (5 mov, call,
 * dec, jnz).
 *
 * rs_k_vcall_FORM_k: the call with three made below k = 1..8 frames: loop -> f_k -> ... ->
 * f_1, which first reads its PC with the form (form.inc; the value is not used).
 *
 * One iteration executes
 *   loop       call, dec, jnz                       3 instructions, 2 branches, 1 call
 *   f_k..f_2   sub, call, add, ret          (k - 1) x 4 instructions, 2 branches
 *   f_1        sub, FORM, 3 mov, call, add, ret     7 instructions, 2 branches, FORM
 * in all, with n instructions and b branches in the form:
 *   6 + n + 4k instructions, 2 + b + 2k branches, k + 1 calls and those of the form,
 *   k returns, those of the form, and the target's own.
 */

#include "arch/x86/kernel.inc"
#include "arch/x86/form.inc"
#include "arch/x86/target.inc"

	.macro	rs_vcall form
	rs_framed_loops rs_k_vcall_\form
	rs_func	rs_k_vcall_\form\()_f1
	sub	$8, %rsp
	rs_form_\form rs_k_vcall_\form
	rs_call_target
	add	$8, %rsp
	ret
	rs_func_end rs_k_vcall_\form\()_f1
	rs_form_\form\()_tail rs_k_vcall_\form
	rs_kernel_end rs_k_vcall_\form
	.endm

	rs_entry rs_k_vcall
1:	rs_call_target
	dec	%rbx
	jnz	1b
	rs_entry_end rs_k_vcall
	rs_kernel_end rs_k_vcall

	rs_entry rs_k_vcall5
1:	mov	KARG(RS_KARG_ARG3), %rcx
	mov	KARG(RS_KARG_ARG4), %r8
	rs_call_target
	dec	%rbx
	jnz	1b
	rs_entry_end rs_k_vcall5
	rs_kernel_end rs_k_vcall5

	rs_vcall lea
	rs_vcall call0
	rs_vcall call4
	rs_vcall call8
	rs_vcall thunk
