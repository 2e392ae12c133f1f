/*
 * rs_k_target: what a vdso kernel can call that executes a landing pad and its return.
 * rs_k_fail: fails with EINVAL under the calling convention of the vDSO.
 * rs_k_remember: rs_remember under the calling convention of the vDSO; weak, since only
 * test_host.c has it.
 */

#include "arch/riscv/kernel.inc"

	.macro	target name
	rs_func	\name
	.globl	\name
	.hidden	\name
	rs_landing_pad
	.endm

	target	rs_k_target
	ret
	rs_func_end rs_k_target

	target	rs_k_fail
	li	a0, -22
	ret
	rs_func_end rs_k_fail

	.weak	rs_remember
	target	rs_k_remember
	tail	rs_remember@plt
	rs_func_end rs_k_remember
