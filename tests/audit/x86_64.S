#include "tests/audit/cases.inc"

/* Findings. */

FN(call_over_a_byte)
WANT(push_without_pop)
	call 1f
	nop
1:	pop %rax
	ret
END(call_over_a_byte)

FN(call_over_data)
WANT(push_without_pop)
	call 1f
	.quad 0x1122334455667788
1:	pop %rcx
	movl (%rcx), %eax
	ret
END(call_over_data)

FN(call_and_free)
WANT(push_without_pop)
	call 1f
	int3
1:	add $8, %rsp
	ret
END(call_and_free)

FN(call_and_lea)
	push %rbp
WANT(push_without_pop)
	call 1f
	ud2
1:	mov (%rsp), %rdx
	lea 8(%rsp), %rsp
	pop %rbp
	ret
END(call_and_lea)

FN(push_then_ret)
	push %rdi
WANT(pop_without_push)
	ret
END(push_then_ret)

FN(push_of_memory_then_ret)
	pushq 8(%rdi)
WANT(pop_without_push)
	ret
END(push_of_memory_then_ret)

FN(push_in_a_frame_then_ret)
	push %rbx
	mov %rdi, %rbx
	call elsewhere
	mov %rbx, %rax
	pop %rbx
	push %rax
WANT(pop_without_push)
	rep ret
END(push_in_a_frame_then_ret)

FN(store_then_ret)
	mov %rsi, (%rsp)
WANT(pop_without_push)
	ret
END(store_then_ret)

FN(exchange_then_ret)
	xchg %rsi, (%rsp)
WANT(pop_without_push)
	ret
END(exchange_then_ret)

FN(pop_then_jump)
	pop %rcx
WANT(return_by_jump)
	jmp *%rcx
END(pop_then_jump)

FN(pop_in_a_frame_then_jump)
	push %rbp
	mov %rsp, %rbp
	sub $32, %rsp
	call elsewhere
	leave
	pop %rdx
WANT(return_by_jump)
	jmp *%rdx
END(pop_in_a_frame_then_jump)

FN(load_free_then_jump)
	mov (%rsp), %r11
	add $8, %rsp
WANT(return_by_jump)
	jmp *%r11
END(load_free_then_jump)

FN(jump_through_the_stack)
WANT(return_by_jump)
	jmp *(%rsp)
END(jump_through_the_stack)

FN(returns_at_two_depths)
	test %edi, %edi
	je 2f
WANT(push_without_pop)
	call 1f
	nop
1:	pop %rax
	ret
2:	xor %eax, %eax
WANT(unbalanced_path)
	ret
END(returns_at_two_depths)

FN(meets_at_two_depths)
	test %edi, %edi
	je 2f
WANT(push_without_pop)
	call 1f
	nop
1:	pop %rax
WANT(unbalanced_path)
2:	ret
END(meets_at_two_depths)

/* Notes, and what is to be passed over. */

FN(call_to_the_next)
WANT(exempt_read)
	call 1f
1:	pop %rax
	ret
END(call_to_the_next)

FN(thunk)
WANT(get_pc_thunk)
	mov (%rsp), %rax
	ret
END(thunk)

FN(uses_a_thunk)
	call thunk
	add $16, %rax
	ret
END(uses_a_thunk)

FN(retpoline_of_a_jump)
	call 2f
1:	pause
	lfence
	jmp 1b
2:	mov %rax, (%rsp)
WANT(retpoline)
	ret
END(retpoline_of_a_jump)

FN(retpoline_of_a_call)
	jmp 4f
1:	call 3f
2:	pause
	lfence
	jmp 2b
3:	mov %rax, (%rsp)
WANT(retpoline)
	ret
4:	call 1b
	ret
END(retpoline_of_a_call)

FN(tail_jump)
	jmp elsewhere
END(tail_jump)

FN(tail_jump_to_a_pointer)
	push %rbx
	mov %rdi, %rbx
	call elsewhere
	mov (%rbx), %rax
	pop %rbx
	jmp *8(%rax)
END(tail_jump_to_a_pointer)

FN(tail_jump_to_what_was_saved)
	push %rsi
	call elsewhere
	pop %rsi
	jmp *%rsi
END(tail_jump_to_what_was_saved)

FN(switch_by_table)
	lea table(%rip), %rdx
	movslq (%rdx,%rdi,4), %rax
	add %rdx, %rax
	notrack jmp *%rax
1:	mov $1, %eax
	ret
2:	mov $2, %eax
	ret
END(switch_by_table)
	.section .rodata
table:	.long 1b - table, 2b - table
	.text

FN(ends_in_a_call)
	sub $8, %rsp
	call never_returns
END(ends_in_a_call)

FN(calls_what_never_returns)
	test %edi, %edi
	jne 1f
	ret
1:	push %rax
	call never_returns
	.p2align 4, 0xcc
END(calls_what_never_returns)

FN(saves_the_context)
	mov %rbx, (%rdi)
	mov %rbp, 8(%rdi)
	lea 8(%rsp), %rdx
	mov %rdx, 16(%rdi)
	mov (%rsp), %rdx
	mov %rdx, 24(%rdi)
	xor %eax, %eax
	ret
END(saves_the_context)

FN(restores_the_context)
	mov (%rdi), %rbx
	mov 8(%rdi), %rbp
	mov 16(%rdi), %rsp
	mov %esi, %eax
	jmp *24(%rdi)
END(restores_the_context)

FN(restores_the_context_through_a_register)
	mov 24(%rdi), %rdx
	mov 16(%rdi), %rsp
	jmp *%rdx
END(restores_the_context_through_a_register)

FN(switches_coroutines)
	push %rbp
	push %rbx
	mov %rsp, (%rdi)
	mov %rsi, %rsp
	pop %rbx
	pop %rbp
	ret
END(switches_coroutines)

FN(plt_entry)
	endbr64
	bnd jmp *slot(%rip)
END(plt_entry)

FN(lazy_plt_entry)
	push $3
	jmp plt_head
END(lazy_plt_entry)

FN(plt_head)
	push slot(%rip)
	jmp *slot(%rip)
END(plt_head)

FN(asks_for_thread_local)
	push %rbx
	data16
	lea thread_local@tlsgd(%rip), %rdi
	.value 0x6666
	rex64
	call __tls_get_addr@PLT
	pop %rbx
	ret
END(asks_for_thread_local)

FN(drops_arguments)
	pop %rcx
	add $16, %rsp
	push %rcx
	ret
END(drops_arguments)

FN(aligns_the_stack)
	lea 8(%rsp), %r10
	and $-32, %rsp
	push -8(%r10)
	push %rbp
	mov %rsp, %rbp
	push %r10
	call elsewhere
	pop %r10
	pop %rbp
	lea -8(%r10), %rsp
	ret
END(aligns_the_stack)

FN(local_subroutine)
	call 1f
	call 1f
	ret
1:	inc %eax
	ret
END(local_subroutine)

	.globl __restore_rt
	.type __restore_rt, %function
	.cfi_startproc
	.cfi_signal_frame
	nop
__restore_rt:
WANT(signal_trampoline)
	mov $15, %rax
	syscall
	.cfi_endproc
	.size __restore_rt, . - __restore_rt

	.section .tdata,"awT",%progbits
	.globl thread_local
thread_local:
	.quad 1
	.data
slot:	.quad 0
