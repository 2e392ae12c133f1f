/* rs_k_target: what a vdso kernel can call that executes one instruction. */

	.section .note.GNU-stack, "", @progbits
	.text
	.p2align 6, 0xcc
	.globl	rs_k_target
	.hidden	rs_k_target
	.type	rs_k_target, @function
rs_k_target:
	ret
	.size	rs_k_target, . - rs_k_target
