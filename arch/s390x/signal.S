/*
 * rs_k_signal_WAY_k: sends itself a signal below k = 1..8 enclosing frames: loop ->
 * f_k -> ... -> f_1, which makes the system call. The handler, which the loop's prologue
 * installs and its epilogue takes back, counts and goes back to the vDSO, which makes
 * the system call that ends it.
 *
 * In:       r2 argument words: CALLS
 * Out:      r2 and RESULT: how often the handler ran, CALLS
 * Clobbers: r0 to r5, r14, the condition code; the handler of SIGURG while it runs
 *
 * One iteration executes
 *   loop       brasl, brctg                         2 instructions, 2 branches, 1 call
 *   f_k..f_2   stmg, aghi, brasl, lmg, br   (k - 1) x 5 instructions, 2 branches
 *   f_1        stmg, aghi, 2 lgr, 2 lghi, svc, lmg, br  9 instructions, 1 branch
 * in all 6 + 5k instructions, 1 + 2k branches, k calls, k returns and in the handler
 *   way     instructions  branches  calls  returns
 *   return  4             1         0      1        lg, aghi, stg, br r14
 *   jump    5             1         0      0        lg, aghi, stg, lgr, br r1
 *   call    8             3         1      1        lgr, brasl, lgr, br r1 around lg,
 *                                                   aghi, stg, br r14
 * and what the vDSO does, which is not counted here.
 *
 * The system enters the handler without a call: the br r14 of `return' finds the entry
 * of an enclosing one. The handler finds the argument words in r11: Linux sets registers
 * for a handler's arguments and leaves the others (arch/s390/kernel/signal.c).
 *
 * SIGURG, because a process that does not handle it ignores it.
 */

#include "arch/s390x/kernel.inc"

#define SIGURG           23
#define SYS_getpid       20
#define SYS_rt_sigaction 174
#define SYS_gettid       236
#define SYS_tgkill       241

/*
 * The frame of a loop that handles a signal: above what callees may write to the
 * kernel's struct sigaction, twice, and registers.
 */
#define ACTION_BYTES       32
#define NEW_ACTION         FRAME_BYTES
#define OLD_ACTION         FRAME_BYTES + ACTION_BYTES
#define SIGNAL_SAVE        FRAME_BYTES + 2 * ACTION_BYTES
#define SIGNAL_FRAME_BYTES 2 * ACTION_BYTES + 16

	.macro	rs_system number
	lghi	%r1, \number
	svc	0
	.endm

	.macro	rs_signal_act
	lghi	%r2, SIGURG
	lghi	%r5, 8			/* bytes of a set of signals */
	rs_system SYS_rt_sigaction
	.endm

	.macro	rs_signal_install kernel
	aghi	%r15, -(SIGNAL_FRAME_BYTES)
	stmg	%r8, %r9, SIGNAL_SAVE(%r15)
	rs_system SYS_getpid
	lgr	%r8, %r2
	rs_system SYS_gettid
	lgr	%r9, %r2
	xc	NEW_ACTION(ACTION_BYTES, %r15), NEW_ACTION(%r15)
	larl	%r1, \kernel\()_handler
	stg	%r1, NEW_ACTION(%r15)
	lghi	%r1, 0
	stg	%r1, KARG(RS_KARG_RESULT)
	la	%r3, NEW_ACTION(%r15)
	la	%r4, OLD_ACTION(%r15)
	rs_signal_act
	.endm

	.macro	rs_signal_remove
	la	%r3, OLD_ACTION(%r15)
	lghi	%r4, 0
	rs_signal_act
	lmg	%r8, %r9, SIGNAL_SAVE(%r15)
	aghi	%r15, SIGNAL_FRAME_BYTES
	lg	%r2, KARG(RS_KARG_RESULT)
	.endm

	.macro	rs_signal_count
	lg	%r1, KARG(RS_KARG_RESULT)
	aghi	%r1, 1
	stg	%r1, KARG(RS_KARG_RESULT)
	.endm

	.macro	rs_signal_return kernel
	rs_func	\kernel\()_handler
	rs_signal_count
	br	%r14
	rs_func_end \kernel\()_handler
	.endm

	.macro	rs_signal_jump kernel
	rs_func	\kernel\()_handler
	rs_signal_count
	lgr	%r1, %r14
	br	%r1
	rs_func_end \kernel\()_handler
	.endm

	.macro	rs_signal_call kernel
	rs_func	\kernel\()_handler
	lgr	%r0, %r14
	brasl	%r14, \kernel\()_count
	lgr	%r1, %r0
	br	%r1
	rs_func_end \kernel\()_handler
	rs_func	\kernel\()_count
	rs_signal_count
	br	%r14
	rs_func_end \kernel\()_count
	.endm

	.macro	rs_signal kernel, way
	.irp	k, 1, 2, 3, 4, 5, 6, 7, 8
	rs_entry \kernel\()_\k
	rs_signal_install \kernel
1:	brasl	%r14, \kernel\()_f\k
	brctg	%r10, 1b
	rs_signal_remove
	rs_entry_end \kernel\()_\k
	.endr
	rs_frames \kernel
	rs_func	\kernel\()_f1
	rs_frame_open
	lgr	%r2, %r8
	lgr	%r3, %r9
	lghi	%r4, SIGURG
	rs_system SYS_tgkill
	rs_frame_close
	rs_func_end \kernel\()_f1
	rs_signal_\way \kernel
	rs_kernel_end \kernel
	.endm

	rs_signal rs_k_signal_return, return
	rs_signal rs_k_signal_jump, jump
	rs_signal rs_k_signal_call, call
