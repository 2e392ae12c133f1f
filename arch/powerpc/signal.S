/*
 * rs_k_signal_WAY_k: sends itself a signal below k = 1..8 enclosing frames: loop ->
 * f_k -> ... -> f_1, which makes the system call. The handler, which the loop's prologue
 * installs and its epilogue takes back, counts and goes back to the vDSO, which makes
 * the system call that ends it.
 *
 * In:       r3 argument words: CALLS
 * Out:      r3 and RESULT: how often the handler ran, CALLS
 * Clobbers: r0, r3 to r12, CTR, CR0, CR7; the handler of SIGURG while it runs
 *
 * One iteration executes
 *   loop       bl, addi, compare, bne               4 instructions, 2 branches, 1 call
 *   f_k..f_2   what opens and closes them, bl  (k - 1) x 8 instructions, 2 branches
 *   f_1        what opens and closes it, 2 mr, 2 li, sc  12 instructions, 1 branch
 * in all 8 + 8k instructions, 1 + 2k branches, k calls, k returns and in the handler
 *   way     instructions  branches  calls  returns
 *   return  4             1         0      1        load, addi, store, blr
 *   jump    6             1         0      0        load, addi, store, mflr, mtctr, bctr
 *   call    8             3         1      1        mflr, bl, mtctr, bctr around load,
 *                                                   addi, store, blr
 * and what the vDSO does, which is not counted here. In 64-bit programs since Linux 5.8
 * it calls the handler by bctrl, so that `return' is balanced there and `jump' is not;
 * before, and in 32-bit programs, the system enters the handler without a call and the
 * reverse holds (Linux commit 0138ba5783ae).
 *
 * The handler finds the argument words in r30: Linux sets registers for a handler's
 * arguments and leaves the others (arch/powerpc/kernel/signal_64.c, signal_32.c).
 *
 * SIGURG, because a process that does not handle it ignores it.
 */

#include "arch/powerpc/kernel.inc"

#define SIGURG           23
#define SYS_getpid       20
#define SYS_rt_sigaction 173
#define SYS_gettid       207
#define SYS_tgkill       250

/*
 * The frame of a loop that handles a signal: above what callees may write to the
 * kernel's struct sigaction, twice, a descriptor of the handler, registers.
 */
#define ACTION_BYTES       32
#define NEW_ACTION         FRAME_BYTES
#define OLD_ACTION         NEW_ACTION + ACTION_BYTES
#define DESCRIPTOR         OLD_ACTION + ACTION_BYTES
#define SIGNAL_SAVE        DESCRIPTOR + 32
#define SIGNAL_FRAME_BYTES FRAME_BYTES + 2 * ACTION_BYTES + 32 + 16

	.macro	rs_system number
	li	%r0, \number
	sc
	.endm

	.macro	rs_signal_install
	STORE_FRAME %r1, -(SIGNAL_FRAME_BYTES)(%r1)
	STORE	%r27, SIGNAL_SAVE(%r1)
	STORE	%r28, SIGNAL_SAVE + WORD_BYTES(%r1)
	rs_system SYS_getpid
	mr	%r28, %r3
	rs_system SYS_gettid
	mr	%r27, %r3
	li	%r0, 0
	STORE	%r0, KARG(RS_KARG_RESULT)
	.irp	i, 1, 2, 3, 4
	STORE	%r0, NEW_ACTION + \i * WORD_BYTES(%r1)
	.endr
#if defined(_CALL_ELF) && _CALL_ELF == 1
	std	%r29, DESCRIPTOR(%r1)
	std	%r2, DESCRIPTOR + 8(%r1)
	std	%r0, DESCRIPTOR + 16(%r1)
	addi	%r29, %r1, DESCRIPTOR
#endif
	STORE	%r29, NEW_ACTION(%r1)
	addi	%r4, %r1, NEW_ACTION
	addi	%r5, %r1, OLD_ACTION
	rs_signal_act
	.endm

	.macro	rs_signal_act
	li	%r3, SIGURG
	li	%r6, 8			/* bytes of a set of signals */
	rs_system SYS_rt_sigaction
	.endm

	.macro	rs_signal_remove
	addi	%r4, %r1, OLD_ACTION
	li	%r5, 0
	rs_signal_act
	LOAD	%r27, SIGNAL_SAVE(%r1)
	LOAD	%r28, SIGNAL_SAVE + WORD_BYTES(%r1)
	addi	%r1, %r1, SIGNAL_FRAME_BYTES
	LOAD	%r3, KARG(RS_KARG_RESULT)
	.endm

	.macro	rs_signal_count
	LOAD	%r3, KARG(RS_KARG_RESULT)
	addi	%r3, %r3, 1
	STORE	%r3, KARG(RS_KARG_RESULT)
	.endm

	.macro	rs_signal_return kernel
	rs_func	\kernel\()_here
	rs_signal_count
	blr
	rs_func_end \kernel\()_here
	.endm

	.macro	rs_signal_jump kernel
	rs_func	\kernel\()_here
	rs_signal_count
	mflr	%r12
	mtctr	%r12
	bctr
	rs_func_end \kernel\()_here
	.endm

	.macro	rs_signal_call kernel
	rs_func	\kernel\()_here
	mflr	%r12
	bl	\kernel\()_count
	mtctr	%r12
	bctr
	rs_func_end \kernel\()_here
	rs_func	\kernel\()_count
	rs_signal_count
	blr
	rs_func_end \kernel\()_count
	.endm

	.macro	rs_signal kernel, way
	.irp	k, 1, 2, 3, 4, 5, 6, 7, 8
	rs_entry \kernel\()_\k
	rs_address \kernel\()_here
	rs_signal_install
	rs_line_of_nops
1:	bl	\kernel\()_f\k
	rs_again
	rs_signal_remove
	rs_entry_end \kernel\()_\k
	.endr
	rs_frames \kernel
	rs_func	\kernel\()_f1
	rs_frame_open
	mr	%r3, %r28
	mr	%r4, %r27
	li	%r5, SIGURG
	rs_system SYS_tgkill
	rs_frame_close
	rs_func_end \kernel\()_f1
	rs_signal_\way \kernel
	rs_kernel_end \kernel
	.endm

	rs_signal rs_k_signal_return, return
	rs_signal rs_k_signal_jump, jump
	rs_signal rs_k_signal_call, call
