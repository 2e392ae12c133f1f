/*
 * rs_k_target: what a vdso kernel can call that executes one instruction.
 * rs_k_fail: fails with EINVAL under the calling convention of the vDSO.
 * rs_k_remember: rs_remember under the calling convention of the vDSO; weak, since only
 * test_host.c has it.
 */

	.section .note.GNU-stack, "", @progbits
	.text
	.p2align 6, 0xcc
	.globl	rs_k_target
	.hidden	rs_k_target
	.type	rs_k_target, @function
rs_k_target:
	ret
	.size	rs_k_target, . - rs_k_target

	.p2align 6, 0xcc
	.globl	rs_k_fail
	.hidden	rs_k_fail
	.type	rs_k_fail, @function
rs_k_fail:
	mov	$-22, %rax
	ret
	.size	rs_k_fail, . - rs_k_fail

	.p2align 6, 0xcc
	.globl	rs_k_remember
	.hidden	rs_k_remember
	.type	rs_k_remember, @function
	.weak	rs_remember
rs_k_remember:
	jmp	*remember(%rip)
	.size	rs_k_remember, . - rs_k_remember

	.section .data.rel.ro, "aw"
	.p2align 3
remember:
	.quad	rs_remember
