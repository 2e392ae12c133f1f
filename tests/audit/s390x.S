#include "tests/audit/cases.inc"

/* Findings. */

FN(bras_over_data)
WANT(push_without_pop)
	bras %r13, 1f
	.long 0x1234
1:	l %r2, 0(%r13)
	br %r14
END(bras_over_data)

FN(brasl_to_the_next)
	lgr %r1, %r14
WANT(push_without_pop)
	brasl %r14, 1f
1:	lgr %r2, %r14
	lgr %r14, %r1
	br %r14
END(brasl_to_the_next)

FN(returns_through_another)
	lgr %r1, %r14
	lghi %r2, 1
WANT(return_by_jump)
	br %r1
END(returns_through_another)

FN(returns_elsewhere)
	lg %r14, 8(%r2)
WANT(pop_without_push)
	br %r14
END(returns_elsewhere)

FN(returns_at_two_depths)
	ltgr %r2, %r2
	je 2f
WANT(push_without_pop)
	bras %r1, 1f
	.long 0x1234
1:	l %r2, 0(%r1)
	br %r14
2:	lghi %r2, 1
WANT(unbalanced_path)
	br %r14
END(returns_at_two_depths)

/* Notes, and what is to be passed over. */

FN(reads_by_larl)
	larl %r2, .
	br %r14
END(reads_by_larl)

FN(reads_by_basr)
WANT(exempt_read)
	basr %r13, 0
	la %r2, 4(%r13)
	br %r14
END(reads_by_basr)

FN(thunk)
WANT(get_pc_thunk)
	lgr %r2, %r14
	br %r14
END(thunk)

FN(frame_and_call)
	stmg %r14, %r15, 112(%r15)
	lay %r15, -160(%r15)
	brasl %r14, elsewhere
	basr %r14, %r2
	lmg %r14, %r15, 272(%r15)
	br %r14
END(frame_and_call)

FN(returns_through_what_was_saved)
	stmg %r13, %r15, 104(%r15)
	lay %r15, -160(%r15)
	brasl %r14, elsewhere
	lg %r4, 272(%r15)
	lmg %r13, %r15, 264(%r15)
	br %r4
END(returns_through_what_was_saved)

FN(keeps_it_in_floating_point)
	ldgr %f0, %r14
	brasl %r14, elsewhere
	lgdr %r14, %f0
	br %r14
END(keeps_it_in_floating_point)

FN(tail_jump)
	jg elsewhere
END(tail_jump)

FN(tail_jump_to_a_pointer)
	lg %r1, 0(%r2)
	br %r1
END(tail_jump_to_a_pointer)

FN(conditional_return)
	ltgr %r2, %r2
	ber %r14
	lghi %r2, 1
	br %r14
END(conditional_return)

FN(calls_what_never_returns)
	lay %r15, -160(%r15)
	brasl %r14, never_returns
END(calls_what_never_returns)

FN(restores_the_context)
	lg %r14, 64(%r2)
	lg %r15, 72(%r2)
	lgr %r2, %r3
WANT(stack_switch)
	br %r14
END(restores_the_context)

FN(restores_many)
	lmg %r6, %r15, 0(%r2)
	lgr %r2, %r3
WANT(stack_switch)
	br %r14
END(restores_many)

FN(plt_entry)
	larl %r1, slot
	lg %r1, 0(%r1)
	br %r1
END(plt_entry)

FN(asks_for_thread_local)
	stmg %r14, %r15, 112(%r15)
	lay %r15, -160(%r15)
	lghi %r2, 8
	brasl %r14, __tls_get_offset@PLT
	lmg %r14, %r15, 272(%r15)
	br %r14
END(asks_for_thread_local)

FN(local_subroutine)
	bras %r1, 1f
	bras %r1, 1f
	br %r14
1:	aghi %r2, 1
	br %r1
END(local_subroutine)

	.globl __kernel_rt_sigreturn
	.type __kernel_rt_sigreturn, %function
	.cfi_startproc
	.cfi_signal_frame
	nopr
__kernel_rt_sigreturn:
WANT(signal_trampoline)
	svc 173
	.cfi_endproc
	.size __kernel_rt_sigreturn, . - __kernel_rt_sigreturn

	.data
slot:	.quad 0
