/*
 * 64 bit of both byte orders, 32 bit. WORD_BITS says which; with HAS_DESCRIPTORS a
 * function's symbol is that of its descriptor, as in the first 64-bit ABI.
 */
#if WORD_BITS == 64
#define LOAD  ld
#define STORE std
#define PUSH  stdu
#define WORD  8
#define SAVE  16
#define FRAME 112
#else
#define LOAD  lwz
#define STORE stw
#define PUSH  stwu
#define WORD  4
#define SAVE  4
#define FRAME 16
#endif

#include "tests/audit/cases.inc"

#ifdef HAS_DESCRIPTORS
#undef FN
#undef END
#define FN(name)                                                                       \
	.section .opd,"aw"; .align 3; .globl name; .type name, @function;              \
	name: .quad .L.name, .TOC.@tocbase, 0; .previous; .L.name: .cfi_startproc
#define END(name) .cfi_endproc; .size name, . - .L.name
#endif

/* Findings. */

FN(bl_to_the_next)
	mflr 0
WANT(push_without_pop)
	bl 1f
1:	mflr 3
	mtlr 0
	blr
END(bl_to_the_next)

FN(bl_over_data)
	mflr 0
WANT(push_without_pop)
	bl 1f
	.long 0x1234
1:	mflr 3
	mtlr 0
	lwz 3, 0(3)
	blr
END(bl_over_data)

FN(bcl_over_data)
	mflr 0
WANT(push_without_pop)
	bcl 20, 31, 1f
	.long 0x1234
1:	mflr 3
	mtlr 0
	lwz 0, 0(3)
	add 3, 0, 3
	blr
END(bcl_over_data)

FN(bcl_over_a_nop)
	mflr 12
WANT(push_without_pop)
	bcl 20, 31, 1f
	nop
1:	mflr 3
	mtlr 12
	blr
END(bcl_over_a_nop)

FN(another_bcl_to_the_next)
	mflr 12
WANT(push_without_pop)
	bcl 20, 30, 1f
1:	mflr 3
	mtlr 12
	blr
END(another_bcl_to_the_next)

FN(blr_to_an_argument)
	mtlr 3
WANT(pop_without_push)
	blr
END(blr_to_an_argument)

FN(blr_to_what_was_loaded)
	LOAD 12, 0(3)
	mtlr 12
WANT(pop_without_push)
	blr
END(blr_to_what_was_loaded)

FN(blr_by_table)
	mflr 0
	add 9, 4, 5
	mtlr 9
WANT(pop_without_push)
	blr
END(blr_by_table)

FN(blrl_to_an_argument)
	mflr 0
	STORE 0, SAVE(1)
	PUSH 1, -FRAME(1)
	mtlr 3
WANT(pop_without_push)
	blrl
	addi 1, 1, FRAME
	LOAD 0, SAVE(1)
	mtlr 0
	blr
END(blrl_to_an_argument)

FN(returns_by_bctr)
	mflr 12
	mtctr 12
	mtlr 0
WANT(return_by_jump)
	bctr
END(returns_by_bctr)

FN(returns_without_the_hint)
WANT(return_by_jump)
	bclr 20, 0, 1
END(returns_without_the_hint)

FN(returns_at_two_depths)
	mflr 0
	cmpwi 3, 0
	beq 2f
WANT(push_without_pop)
	bl 1f
1:	mflr 3
	mtlr 0
	blr
2:	li 3, 1
WANT(unbalanced_path)
	blr
END(returns_at_two_depths)

FN(meets_at_two_depths)
	mflr 0
	cmpwi 3, 0
	beq 2f
WANT(push_without_pop)
	bl 1f
1:	mflr 3
WANT(unbalanced_path)
2:	mtlr 0
	blr
END(meets_at_two_depths)

/* Notes, and what is to be passed over. */

FN(bcl_to_the_next)
	mflr 0
WANT(exempt_read)
	bcl 20, 31, 1f
1:	mflr 3
	mtlr 0
	blr
END(bcl_to_the_next)

FN(thunk)
WANT(get_pc_thunk)
	mflr 3
	blr
END(thunk)

FN(uses_a_thunk)
	mflr 0
	bl thunk
	nop
	mtlr 0
	blr
END(uses_a_thunk)

FN(blrl_for_its_caller)
	blrl
END(blrl_for_its_caller)

FN(frame_and_call)
	mflr 0
	STORE 0, SAVE(1)
	PUSH 1, -FRAME(1)
	bl elsewhere
	nop
	mtctr 3
	bctrl
	addi 1, 1, FRAME
	LOAD 0, SAVE(1)
	nop
	mtlr 0
	blr
END(frame_and_call)

FN(tail_jump)
	b thunk
END(tail_jump)

FN(tail_jump_to_a_pointer)
	LOAD 12, 0(3)
	mtctr 12
	bctr
END(tail_jump_to_a_pointer)

FN(conditional_returns)
	cmpwi 3, 0
	beqlr
	bnelr+
	bdnzlr
	blr
END(conditional_returns)

FN(saves_registers_out_of_line)
	mflr 0
	bl saves
	bl elsewhere
	nop
	b restores
END(saves_registers_out_of_line)

FN(saves)
	STORE 30, -2 * WORD(1)
	STORE 31, -WORD(1)
	STORE 0, SAVE(1)
	blr
END(saves)

FN(restores)
	LOAD 0, SAVE(1)
	LOAD 30, -2 * WORD(1)
	mtlr 0
	LOAD 31, -WORD(1)
	blr
END(restores)

FN(calls_what_never_returns)
	mflr 0
	STORE 0, SAVE(1)
	PUSH 1, -FRAME(1)
	bl never_returns
	nop
END(calls_what_never_returns)

FN(traps_behind_a_call)
	cmpwi 3, 0
	bne 1f
	blr
1:	mflr 0
	PUSH 1, -FRAME(1)
	bl never_returns
	nop
	trap
END(traps_behind_a_call)

FN(saves_the_context)
	mflr 0
	STORE 0, 2 * WORD(3)
	STORE 1, 0(3)
	li 3, 0
	blr
END(saves_the_context)

FN(restores_the_context)
	LOAD 1, 0(3)
	LOAD 0, 2 * WORD(3)
	mtlr 0
	mr 3, 4
WANT(stack_switch)
	blr
END(restores_the_context)

FN(plt_entry)
	LOAD 12, 0(11)
	mtctr 12
	bctr
END(plt_entry)

FN(optimised_tls_stub)
	LOAD 11, 0(3)
	LOAD 12, WORD(3)
	mr 0, 3
	cmpwi 11, 0
	add 3, 12, 13
	beqlr
	mr 3, 0
	mflr 11
	STORE 11, 4 * WORD(1)
	mtctr 12
	bctrl
	LOAD 11, 4 * WORD(1)
	mtlr 11
	blr
END(optimised_tls_stub)

#if WORD_BITS == 64
FN(asks_for_thread_local)
	mflr 0
	std 0, 16(1)
	stdu 1, -FRAME(1)
	addis 3, 2, thread_local@got@tlsgd@ha
	addi 3, 3, thread_local@got@tlsgd@l
	bl __tls_get_addr(thread_local@tlsgd)
	nop
	addi 1, 1, FRAME
	ld 0, 16(1)
	mtlr 0
	blr
END(asks_for_thread_local)
#else
FN(asks_an_old_got)
	mflr 0
	bl _GLOBAL_OFFSET_TABLE_@local-4
	mflr 30
	mtlr 0
	blr
END(asks_an_old_got)
#endif

FN(local_subroutine)
	mflr 0
	bl 1f
	bl 1f
	mtlr 0
	blr
1:	addi 3, 3, 1
	blr
END(local_subroutine)

	.globl __kernel_sigtramp
	.type __kernel_sigtramp, @function
	.cfi_startproc
	.cfi_signal_frame
	nop
__kernel_sigtramp:
WANT(signal_trampoline)
	li 0, 172
	sc
	.cfi_endproc
	.size __kernel_sigtramp, . - __kernel_sigtramp

	.section .tdata,"awT",%progbits
	.globl thread_local
thread_local:
	.quad 1
