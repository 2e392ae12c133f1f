/*
 * rs_k_signal_WAY_k: sends itself a signal below k = 1..8 enclosing frames: loop ->
 * f_k -> ... -> f_1, which makes the system call. The handler, which the loop's prologue
 * installs and its epilogue takes back, counts and goes back to the vDSO, which makes
 * the system call that ends it.
 *
 * In:       x0 argument words: CALLS
 * Out:      x0 and RESULT: how often the handler ran, CALLS
 * Clobbers: x0 to x3, x8, x30; in the handler x9, x16; the handler of SIGURG while it runs
 *
 * One iteration executes
 *   loop       bl, sub, cbnz                        3 instructions, 2 branches, 1 call
 *   f_k..f_2   stp, mov, bl, ldp, ret       (k - 1) x 5 instructions, 2 branches
 *   f_1        stp, mov, 4 mov, svc, ldp, ret       9 instructions, 1 branch
 * in all 7 + 5k instructions, 1 + 2k branches, k calls, k returns and in the handler
 *   way     instructions  branches  calls  returns
 *   return  4             1         0      1        ldr, add, str, ret
 *   jump    5             1         0      0        ldr, add, str, mov, br
 *   call    7             3         1      1        mov, bl, br around ldr, add, str, ret
 * and what the vDSO does, which is not counted here.
 *
 * The system enters the handler without a call: the ret of `return' finds the entry of
 * an enclosing one. The handler finds the argument words in x20: Linux sets registers
 * for a handler's arguments and leaves the others (arch/arm64/kernel/signal.c).
 *
 * SIGURG, because a process that does not handle it ignores it.
 */

#include "arch/aarch64/kernel.inc"

#define SIGURG           23
#define SYS_tgkill       131
#define SYS_rt_sigaction 134
#define SYS_getpid       172
#define SYS_gettid       178

/* The kernel's struct sigaction, twice: what is set, what was; and registers. */
#define NEW_ACTION   0
#define OLD_ACTION   32
#define SIGNAL_SAVE  64
#define SIGNAL_BYTES 80

	.macro	rs_system number
	mov	x8, \number
	svc	0
	.endm

/* x1: what is set, x2: where what was goes, or 0. */
	.macro	rs_signal_act
	mov	x0, SIGURG
	mov	x3, 8			/* bytes of a set of signals */
	rs_system SYS_rt_sigaction
	.endm

	.macro	rs_signal_install kernel
	sub	sp, sp, SIGNAL_BYTES
	stp	x21, x22, [sp, SIGNAL_SAVE]
	rs_system SYS_getpid
	mov	x21, x0
	rs_system SYS_gettid
	mov	x22, x0
	adr	x0, \kernel\()_handler
	stp	x0, xzr, [sp, NEW_ACTION]
	stp	xzr, xzr, [sp, NEW_ACTION + 16]
	str	xzr, KARG(RS_KARG_RESULT)
	add	x1, sp, NEW_ACTION
	add	x2, sp, OLD_ACTION
	rs_signal_act
	.endm

	.macro	rs_signal_remove
	add	x1, sp, OLD_ACTION
	mov	x2, 0
	rs_signal_act
	ldp	x21, x22, [sp, SIGNAL_SAVE]
	add	sp, sp, SIGNAL_BYTES
	ldr	x0, KARG(RS_KARG_RESULT)
	.endm

	.macro	rs_signal_count
	ldr	x0, KARG(RS_KARG_RESULT)
	add	x0, x0, 1
	str	x0, KARG(RS_KARG_RESULT)
	.endm

	.macro	rs_signal_return kernel
	rs_func	\kernel\()_handler
	rs_signal_count
	ret
	rs_func_end \kernel\()_handler
	.endm

	.macro	rs_signal_jump kernel
	rs_func	\kernel\()_handler
	rs_signal_count
	mov	x16, x30
	br	x16
	rs_func_end \kernel\()_handler
	.endm

	.macro	rs_signal_call kernel
	rs_func	\kernel\()_handler
	mov	x9, x30
	bl	\kernel\()_count
	br	x9
	rs_func_end \kernel\()_handler
	rs_func	\kernel\()_count
	rs_signal_count
	ret
	rs_func_end \kernel\()_count
	.endm

	.macro	rs_signal kernel, way
	.irp	k, 1, 2, 3, 4, 5, 6, 7, 8
	rs_entry \kernel\()_\k
	rs_signal_install \kernel
1:	bl	\kernel\()_f\k
	rs_again
	rs_signal_remove
	rs_entry_end \kernel\()_\k
	.endr
	rs_frames \kernel
	rs_func	\kernel\()_f1
	rs_frame_open
	mov	x0, x21
	mov	x1, x22
	mov	x2, SIGURG
	rs_system SYS_tgkill
	rs_frame_close
	rs_func_end \kernel\()_f1
	rs_signal_\way \kernel
	rs_kernel_end \kernel
	.endm

	rs_signal rs_k_signal_return, return
	rs_signal rs_k_signal_jump, jump
	rs_signal rs_k_signal_call, call
