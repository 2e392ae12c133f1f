/*
 * rs_k_target: what a vdso kernel can call that executes one instruction.
 * rs_k_fail: fails with EINVAL under the calling convention of the vDSO.
 * rs_k_remember: rs_remember under the calling convention of the vDSO; weak, since only
 * test_host.c has it.
 */

#include "arch/aarch64/kernel.inc"

	rs_func	rs_k_target
	.globl	rs_k_target
	.hidden	rs_k_target
	ret
	rs_func_end rs_k_target

	rs_func	rs_k_fail
	.globl	rs_k_fail
	.hidden	rs_k_fail
	rs_landing_pad
	mov	x0, -22
	ret
	rs_func_end rs_k_fail

	.weak	rs_remember
	rs_func	rs_k_remember
	.globl	rs_k_remember
	.hidden	rs_k_remember
	rs_landing_pad
	b	rs_remember
	rs_func_end rs_k_remember
