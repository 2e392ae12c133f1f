#include "tests/audit/cases.inc"

/* Findings. */

FN(jal_to_the_next)
	mv t2, ra
WANT(push_without_pop)
	jal ra, 1f
1:	mv a0, ra
	mv ra, t2
	ret
END(jal_to_the_next)

FN(jal_t0_over_data)
	.option push
	.option norvc
WANT(push_without_pop)
	jal t0, 1f
	.word 0
1:	lw a0, 0(t0)
	.option pop
	ret
END(jal_t0_over_data)

FN(jumps_through_t0)
	ld t0, 0(a0)
WANT(pop_without_push)
	jr t0
END(jumps_through_t0)

FN(jumps_through_t0_in_a_frame)
	addi sp, sp, -16
	sd ra, 8(sp)
	call elsewhere
	ld ra, 8(sp)
	addi sp, sp, 16
	ld t0, 0(a0)
WANT(pop_without_push)
	jr t0
END(jumps_through_t0_in_a_frame)

FN(jumps_far_through_t0)
1:	auipc t0, %pcrel_hi(elsewhere)
WANT(pop_without_push)
	jalr zero, t0, %pcrel_lo(1b)
END(jumps_far_through_t0)

FN(calls_through_t0)
	addi sp, sp, -16
	sd ra, 8(sp)
	ld t0, 0(a0)
WANT(pop_without_push)
	jalr ra, t0
	ld ra, 8(sp)
	addi sp, sp, 16
	ret
END(calls_through_t0)

FN(switches_through_t0)
	la t0, table
	add t0, t0, a0
	ld t0, 0(t0)
WANT(pop_without_push)
	jr t0
END(switches_through_t0)

FN(returns_through_another)
	mv t1, ra
	li a0, 1
WANT(return_by_jump)
	jr t1
END(returns_through_another)

FN(returns_elsewhere)
	ld ra, 0(a0)
WANT(pop_without_push)
	ret
END(returns_elsewhere)

FN(returns_at_two_depths)
	mv t2, ra
	beqz a0, 2f
WANT(push_without_pop)
	jal ra, 1f
1:	mv a0, ra
	mv ra, t2
	ret
2:	mv ra, t2
WANT(unbalanced_path)
	ret
END(returns_at_two_depths)

/* Notes, and what is to be passed over. */

FN(reads_by_auipc)
	auipc a0, 0
	ret
END(reads_by_auipc)

FN(thunk)
WANT(get_pc_thunk)
	mv a0, ra
	ret
END(thunk)

FN(uses_millicode)
	call t0, saves
	call elsewhere
	tail restores
END(uses_millicode)

FN(saves)
	addi sp, sp, -16
	sd ra, 8(sp)
	sd s0, 0(sp)
	jr t0
END(saves)

FN(restores)
	ld s0, 0(sp)
	ld ra, 8(sp)
	addi sp, sp, 16
	ret
END(restores)

FN(calls_far)
	addi sp, sp, -16
	sd ra, 8(sp)
	.option push
	.option norelax
	auipc ra, 1
	jalr ra, ra, 8
	.option pop
	ld ra, 8(sp)
	addi sp, sp, 16
	ret
END(calls_far)

FN(calls_a_pointer)
	addi sp, sp, -16
	sd ra, 8(sp)
	ld a5, 0(a0)
	jalr a5
	ld ra, 8(sp)
	addi sp, sp, 16
	jr ra
END(calls_a_pointer)

FN(tail_jump)
	tail elsewhere
END(tail_jump)

FN(tail_jump_to_a_pointer)
	ld t1, 0(a0)
	jr t1
END(tail_jump_to_a_pointer)

FN(switches_through_a5)
	la a5, table
	add a5, a5, a0
	ld a5, 0(a5)
	jr a5
END(switches_through_a5)

FN(calls_what_never_returns)
	addi sp, sp, -16
	call never_returns
END(calls_what_never_returns)

FN(saves_the_context)
	sd ra, 0(a0)
	sd s0, 8(a0)
	sd sp, 16(a0)
	li a0, 0
	ret
END(saves_the_context)

FN(restores_the_context)
	ld ra, 0(a0)
	ld s0, 8(a0)
	ld sp, 16(a0)
	mv a0, a1
WANT(stack_switch)
	ret
END(restores_the_context)

FN(plt_entry)
	la t3, slot
	ld t3, 0(t3)
	jalr t1, t3
	nop
END(plt_entry)

FN(asks_for_thread_local)
	addi sp, sp, -16
	sd ra, 8(sp)
	la.tls.gd a0, thread_local
	call __tls_get_addr@plt
	ld ra, 8(sp)
	addi sp, sp, 16
	ret
END(asks_for_thread_local)

FN(local_subroutine)
	mv t2, ra
	jal 1f
	jal 1f
	mv ra, t2
	ret
1:	addi a0, a0, 1
	ret
END(local_subroutine)

	.globl __vdso_rt_sigreturn
	.type __vdso_rt_sigreturn, %function
	.cfi_startproc
	.cfi_signal_frame
	.option push
	.option norvc
	nop
__vdso_rt_sigreturn:
WANT(signal_trampoline)
	li a7, 139
	ecall
	.option pop
	.cfi_endproc
	.size __vdso_rt_sigreturn, . - __vdso_rt_sigreturn

	.data
table:	.quad 0
slot:	.quad 0
	.section .tdata,"awT",%progbits
	.globl thread_local
thread_local:
	.quad 1
