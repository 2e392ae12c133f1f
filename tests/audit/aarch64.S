#include "tests/audit/cases.inc"

/* Findings. */

FN(bl_to_the_next)
	mov x9, x30
WANT(push_without_pop)
	bl 1f
1:	mov x0, x30
	mov x30, x9
	ret
END(bl_to_the_next)

FN(bl_over_data)
	stp x29, x30, [sp, -16]!
WANT(push_without_pop)
	bl 1f
	.word 0x1234
1:	ldr w0, [x30]
	ldp x29, x30, [sp], 16
	ret
END(bl_over_data)

FN(br_to_the_return_address)
	cbz x0, 1f
	mov x0, 1
1:
WANT(return_by_jump)
	br x30
END(br_to_the_return_address)

FN(br_to_what_was_saved)
	stp x29, x30, [sp, -32]!
	mov x29, sp
	bl elsewhere
	ldp x29, x30, [sp], 32
WANT(return_by_jump)
	br x30
END(br_to_what_was_saved)

FN(br_to_a_copy)
	mov x16, x30
	mov x0, 1
WANT(return_by_jump)
	br x16
END(br_to_a_copy)

FN(ret_to_an_argument)
WANT(pop_without_push)
	ret x1
END(ret_to_an_argument)

FN(ret_to_what_was_loaded)
	ldr x30, [x0, 8]
WANT(pop_without_push)
	ret
END(ret_to_what_was_loaded)

FN(ret_by_table)
	adr x1, 1f
	add x30, x1, x0, lsl 3
WANT(pop_without_push)
	ret
1:	b elsewhere
END(ret_by_table)

FN(returns_at_two_depths)
	mov x9, x30
	cbz x0, 2f
WANT(push_without_pop)
	bl 1f
1:	mov x0, x30
	mov x30, x9
	ret
2:	mov x30, x9
WANT(unbalanced_path)
	ret
END(returns_at_two_depths)

/* Notes, and what is to be passed over. */

FN(reads_by_adr)
	adr x0, .
	ret
END(reads_by_adr)

FN(thunk)
WANT(get_pc_thunk)
	mov x0, x30
	ret
END(thunk)

FN(uses_a_thunk)
	stp x29, x30, [sp, -16]!
	bl thunk
	ldp x29, x30, [sp], 16
	ret
END(uses_a_thunk)

FN(signs_the_return_address)
	paciasp
	stp x29, x30, [sp, -16]!
	blr x0
	ldp x29, x30, [sp], 16
	autiasp
	ret
END(signs_the_return_address)

	.arch_extension pauth
FN(returns_signed)
	paciasp
	str x30, [sp, -16]!
	bl elsewhere
	ldr x30, [sp], 16
	retaa
END(returns_signed)

FN(tail_jump)
	b elsewhere
END(tail_jump)

FN(tail_jump_to_a_pointer)
	stp x29, x30, [sp, -16]!
	bl elsewhere
	ldp x29, x30, [sp], 16
	ldr x1, [x0]
	br x1
END(tail_jump_to_a_pointer)

FN(switch_by_table)
	adrp x1, table
	add x1, x1, :lo12:table
	ldrb w2, [x1, x0]
	adr x1, 1f
	add x1, x1, w2, sxtb 2
	br x1
1:	mov x0, 1
	ret
	mov x0, 2
	ret
END(switch_by_table)
	.section .rodata
table:	.byte 0, 2
	.text

FN(calls_what_never_returns)
	stp x29, x30, [sp, -16]!
	bl never_returns
END(calls_what_never_returns)

FN(saves_the_context)
	stp x19, x20, [x0]
	stp x29, x30, [x0, 16]
	mov x1, sp
	str x1, [x0, 32]
	mov w0, 0
	ret
END(saves_the_context)

FN(restores_the_context)
	ldp x19, x20, [x0]
	ldp x29, x30, [x0, 16]
	ldr x2, [x0, 32]
	mov sp, x2
	mov w0, w1
WANT(stack_switch)
	ret
END(restores_the_context)

FN(restores_the_context_by_a_jump)
	ldp x29, x30, [x0, 16]
	ldr x2, [x0, 32]
	mov sp, x2
	br x30
END(restores_the_context_by_a_jump)

FN(plt_entry)
	adrp x16, slot
	ldr x17, [x16, :lo12:slot]
	add x16, x16, :lo12:slot
	br x17
END(plt_entry)

FN(plt_head)
	stp x16, x30, [sp, -16]!
	adrp x16, slot
	ldr x17, [x16, :lo12:slot]
	br x17
END(plt_head)

FN(asks_for_thread_local)
	stp x29, x30, [sp, -16]!
	adrp x0, :tlsdesc:thread_local
	ldr x1, [x0, :tlsdesc_lo12:thread_local]
	add x0, x0, :tlsdesc_lo12:thread_local
	.tlsdesccall thread_local
	blr x1
	ldp x29, x30, [sp], 16
	ret
END(asks_for_thread_local)

FN(traced_entry)
	mov x9, x30
	bl tracer
	mov x0, 1
	ret
END(traced_entry)

FN(tracer)
	mov x10, x30
	mov x30, x9
	ret x10
END(tracer)

FN(local_subroutine)
	mov x9, x30
	bl 1f
	bl 1f
	mov x30, x9
	ret
1:	add x0, x0, 1
	ret
END(local_subroutine)

	.globl __kernel_rt_sigreturn
	.type __kernel_rt_sigreturn, %function
	.cfi_startproc
	.cfi_signal_frame
	nop
__kernel_rt_sigreturn:
WANT(signal_trampoline)
	mov x8, 139
	svc 0
	.cfi_endproc
	.size __kernel_rt_sigreturn, . - __kernel_rt_sigreturn

	.section .tdata,"awT",%progbits
	.globl thread_local
thread_local:
	.quad 1
	.data
slot:	.quad 0
