/*
 * rs_k_target: what a vdso kernel can call that executes one instruction.
 * rs_k_fail: fails with EINVAL under the calling convention of the vDSO.
 * rs_k_remember: rs_remember under the calling convention of the vDSO, entered as code
 * and leaving CR0.SO clear; weak, since only test_host.c has it.
 */

#include "arch/powerpc/kernel.inc"

	rs_func	rs_k_target
	.globl	rs_k_target
	.hidden	rs_k_target
	blr
	rs_func_end rs_k_target

	rs_func	rs_k_fail
	.globl	rs_k_fail
	.hidden	rs_k_fail
	li	%r3, 22
	crset	3
	blr
	rs_func_end rs_k_fail

	.weak	rs_remember
	rs_func	rs_k_remember
	.globl	rs_k_remember
	.hidden	rs_k_remember
	rs_frame_open
	STORE	%r2, FRAME_BYTES - WORD_BYTES(%r1)
	bcl	20, 31, 1f
1:	mflr	%r12
	LOAD	%r12, 2f - 1b(%r12)
#if defined(_CALL_ELF) && _CALL_ELF == 1
	ld	%r2, 8(%r12)
	ld	%r12, 0(%r12)
#endif
	mtctr	%r12
	bctrl
	LOAD	%r2, FRAME_BYTES - WORD_BYTES(%r1)
	crclr	3
	rs_frame_close
	.p2align 3
2:
#ifdef __powerpc64__
	.quad	rs_remember
#else
	.long	rs_remember
#endif
	rs_func_end rs_k_remember
