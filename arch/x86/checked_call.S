/*
 * void rs_checked_enter(const void *entry, unsigned long *kargs, struct machine *m)
 *
 * Calls entry(kargs) on the stack that m names, with the registers that m says and
 * rubbish in all others, and writes into m what came back. struct machine is in
 * tests/kernels/checked_call.c. After the call nothing is trusted, neither registers
 * nor stack: what is needed then is kept in .bss. A kernel that returns up to 15 bytes
 * past its return address falls into the sled of nops and is counted as astray.
 */

	.section .note.GNU-stack, "", @progbits

	.bss
	.p2align 3
entry:
	.skip	8
machine:
	.skip	8
own_stack:
	.skip	8
astray:
	.skip	8

	.text
	.globl	rs_checked_enter
	.hidden	rs_checked_enter
	.type	rs_checked_enter, @function
	.p2align 6
rs_checked_enter:
	endbr64
	push	%rbx
	push	%rbp
	push	%r12
	push	%r13
	push	%r14
	push	%r15
	sub	$8, %rsp
	stmxcsr	(%rsp)
	fnstcw	4(%rsp)
	mov	%rdi, entry(%rip)
	mov	%rdx, machine(%rip)
	mov	%rsp, own_stack(%rip)
	movq	$0, astray(%rip)
	lea	.Lback(%rip), %rax
	mov	%rax, 72(%rdx)

	ldmxcsr	88(%rdx)
	fldcw	92(%rdx)
	mov	(%rdx), %rsp
	mov	8(%rdx), %rbx
	mov	16(%rdx), %rbp
	mov	24(%rdx), %r12
	mov	32(%rdx), %r13
	mov	40(%rdx), %r14
	mov	48(%rdx), %r15
	mov	%rsi, %rdi
	movabs	$0xdeaddeaddeadde01, %rax
	movabs	$0xdeaddeaddeadde02, %rcx
	movabs	$0xdeaddeaddeadde03, %rdx
	movabs	$0xdeaddeaddeadde04, %rsi
	movabs	$0xdeaddeaddeadde05, %r8
	movabs	$0xdeaddeaddeadde06, %r9
	movabs	$0xdeaddeaddeadde07, %r10
	movabs	$0xdeaddeaddeadde08, %r11
	stc
	call	*entry(%rip)
.Lback:
	jmp	.Lstraight
	.fill	14, 1, 0x90
	movq	$1, astray(%rip)		/* mov and xchg change no flags */
.Lstraight:
	xchg	own_stack(%rip), %rsp
	pushfq
	push	%rax
	mov	machine(%rip), %rax
	cld
	pop	56(%rax)
	pop	64(%rax)
	mov	%rbx, 8(%rax)
	mov	%rbp, 16(%rax)
	mov	%r12, 24(%rax)
	mov	%r13, 32(%rax)
	mov	%r14, 40(%rax)
	mov	%r15, 48(%rax)
	mov	own_stack(%rip), %rcx
	mov	%rcx, (%rax)
	mov	astray(%rip), %rcx
	mov	%rcx, 80(%rax)
	stmxcsr	88(%rax)
	fnstcw	92(%rax)
	ldmxcsr	(%rsp)
	fldcw	4(%rsp)
	add	$8, %rsp
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbp
	pop	%rbx
	ret
	.size	rs_checked_enter, . - rs_checked_enter
