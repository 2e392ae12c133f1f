#include "tests/audit/cases.inc"

/* Findings. */

FN(call_over_a_byte)
WANT(push_without_pop)
	call 1f
	nop
1:	pop %ebx
	ret
END(call_over_a_byte)

FN(call_over_data)
	push %ebx
WANT(push_without_pop)
	call 1f
	.long 0x12345678
1:	pop %ebx
	movl (%ebx), %eax
	pop %ebx
	ret
END(call_over_data)

FN(push_then_ret)
	push %eax
WANT(pop_without_push)
	ret
END(push_then_ret)

FN(push_of_a_constant_then_ret)
	push $0x1234
WANT(pop_without_push)
	ret
END(push_of_a_constant_then_ret)

FN(resolves_lazily)
	push %eax
	push %ecx
	push %edx
	mov 16(%esp), %edx
	mov 12(%esp), %eax
	call elsewhere
	pop %edx
	mov (%esp), %ecx
	mov %eax, (%esp)
	mov 4(%esp), %eax
WANT(pop_without_push)
	ret $12
END(resolves_lazily)

FN(pop_then_jump)
	pop %ecx
	add $8, %esp
WANT(return_by_jump)
	jmp *%ecx
END(pop_then_jump)

FN(returns_at_two_depths)
	test %eax, %eax
	je 2f
WANT(push_without_pop)
	call 1f
	nop
1:	pop %eax
	ret
2:	inc %eax
WANT(unbalanced_path)
	ret
END(returns_at_two_depths)

/* Notes, and what is to be passed over. */

FN(call_to_the_next)
	push %ebx
WANT(exempt_read)
	call 1f
1:	pop %ebx
	addl $_GLOBAL_OFFSET_TABLE_+(. - 1b), %ebx
	pop %ebx
	ret
END(call_to_the_next)

FN(__x86.get_pc_thunk.bx)
WANT(get_pc_thunk)
	mov (%esp), %ebx
	ret
END(__x86.get_pc_thunk.bx)

FN(uses_a_thunk)
	push %ebx
	call __x86.get_pc_thunk.bx
	addl $_GLOBAL_OFFSET_TABLE_, %ebx
	pop %ebx
	ret
END(uses_a_thunk)

FN(retpoline)
	call 2f
1:	pause
	lfence
	jmp 1b
2:	mov %eax, (%esp)
WANT(retpoline)
	ret
END(retpoline)

FN(returns_a_structure)
	mov 4(%esp), %eax
	movl $0, (%eax)
	ret $4
END(returns_a_structure)

FN(tail_jump)
	jmp elsewhere
END(tail_jump)

FN(tail_jump_to_a_pointer)
	mov 4(%esp), %eax
	jmp *(%eax)
END(tail_jump_to_a_pointer)

FN(calls_what_never_returns)
	sub $12, %esp
	call never_returns
END(calls_what_never_returns)

FN(restores_the_context)
	mov 4(%esp), %ecx
	mov 8(%esp), %eax
	mov (%ecx), %ebx
	mov 20(%ecx), %edx
	mov 16(%ecx), %esp
	jmp *%edx
END(restores_the_context)

FN(plt_entry)
	jmp *12(%ebx)
	push $0
	jmp tail_jump
END(plt_entry)

FN(asks_for_thread_local)
	push %ebx
	call __x86.get_pc_thunk.bx
	addl $_GLOBAL_OFFSET_TABLE_, %ebx
	lea thread_local@tlsgd(,%ebx,1), %eax
	call ___tls_get_addr@PLT
	pop %ebx
	ret
END(asks_for_thread_local)

FN(aligns_the_stack)
	lea 4(%esp), %ecx
	and $-16, %esp
	push -4(%ecx)
	push %ebp
	mov %esp, %ebp
	push %ecx
	call elsewhere
	mov -4(%ebp), %ecx
	leave
	lea -4(%ecx), %esp
	ret
END(aligns_the_stack)

	.globl __kernel_rt_sigreturn
	.type __kernel_rt_sigreturn, %function
	.cfi_startproc
	.cfi_signal_frame
	nop
__kernel_rt_sigreturn:
WANT(signal_trampoline)
	mov $173, %eax
	int $0x80
	.cfi_endproc
	.size __kernel_rt_sigreturn, . - __kernel_rt_sigreturn

	.section .tdata,"awT",%progbits
	.globl thread_local
thread_local:
	.long 1
