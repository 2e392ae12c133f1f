/*
 * rs_k_signal_WAY_k: sends itself a signal below k = 1..8 enclosing frames: loop ->
 * f_k -> ... -> f_1, which makes the system call. The handler, which the loop's prologue
 * installs and its epilogue takes back, counts and goes back to the vDSO, which makes
 * the system call that ends it.
 *
 * In:       a0 argument words: CALLS
 * Out:      a0 and RESULT: how often the handler ran, CALLS
 * Clobbers: a0 to a3, a7, ra; in the handler t2; the handler of SIGURG while it runs
 *
 * One iteration executes
 *   loop       jal, addi, bnez                        3 instructions, 2 branches, 1 call
 *   f_k..f_2   addi, sd, jal, ld, addi, ret   (k - 1) x 6 instructions, 2 branches
 *   f_1        addi, sd, 2 mv, 2 li, ecall, ld, addi, ret  10 instructions, 1 branch
 * in all 7 + 6k instructions, 1 + 2k branches, k calls, k returns and in the handler
 *   way     instructions  branches  calls  returns
 *   return  4             1         0      1        ld, addi, sd, ret
 *   jump    5             1         0      0        ld, addi, sd, mv, jr
 *   call    7             3         1      1        mv, jal, jr around ld, addi, sd, ret
 * and what the vDSO does, which is not counted here.
 *
 * The system enters the handler without a call: the ret of `return' finds the entry of
 * an enclosing one. The handler finds the argument words in s1: Linux sets registers for
 * a handler's arguments and leaves the others (arch/riscv/kernel/signal.c). Jumps go
 * through t2: as rs1 it is no hint, and Zicfilp wants no landing pad where it leads.
 *
 * SIGURG, because a process that does not handle it ignores it.
 */

#include "arch/riscv/kernel.inc"

#define SIGURG           23
#define SYS_tgkill       131
#define SYS_rt_sigaction 134
#define SYS_getpid       172
#define SYS_gettid       178

/*
 * The kernel's struct sigaction, twice: what is set, what was; and registers. It has 24
 * bytes, but qemu's user mode (7.2) reads and writes 32, as where there is a restorer.
 */
#define NEW_ACTION   0
#define OLD_ACTION   32
#define SIGNAL_SAVE  64
#define SIGNAL_BYTES 80

	.macro	rs_system number
	li	a7, \number
	ecall
	.endm

/* a1: what is set, a2: where what was goes, or 0. */
	.macro	rs_signal_act
	li	a0, SIGURG
	li	a3, 8			/* bytes of a set of signals */
	rs_system SYS_rt_sigaction
	.endm

	.macro	rs_signal_install kernel
	addi	sp, sp, -SIGNAL_BYTES
	sd	s2, SIGNAL_SAVE(sp)
	sd	s3, SIGNAL_SAVE + 8(sp)
	rs_system SYS_getpid
	mv	s2, a0
	rs_system SYS_gettid
	mv	s3, a0
	lla	a0, \kernel\()_handler
	sd	a0, NEW_ACTION(sp)
	sd	zero, NEW_ACTION + 8(sp)
	sd	zero, NEW_ACTION + 16(sp)
	sd	zero, NEW_ACTION + 24(sp)
	sd	zero, KARG(RS_KARG_RESULT)
	addi	a1, sp, NEW_ACTION
	addi	a2, sp, OLD_ACTION
	rs_signal_act
	.endm

	.macro	rs_signal_remove
	addi	a1, sp, OLD_ACTION
	li	a2, 0
	rs_signal_act
	ld	s2, SIGNAL_SAVE(sp)
	ld	s3, SIGNAL_SAVE + 8(sp)
	addi	sp, sp, SIGNAL_BYTES
	ld	a0, KARG(RS_KARG_RESULT)
	.endm

	.macro	rs_signal_count
	ld	a0, KARG(RS_KARG_RESULT)
	addi	a0, a0, 1
	sd	a0, KARG(RS_KARG_RESULT)
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
	mv	t2, ra
	jr	t2
	rs_func_end \kernel\()_handler
	.endm

	.macro	rs_signal_call kernel
	rs_func	\kernel\()_handler
	mv	t2, ra
	jal	ra, \kernel\()_count
	jr	t2
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
1:	jal	ra, \kernel\()_f\k
	rs_again
	rs_signal_remove
	rs_entry_end \kernel\()_\k
	.endr
	rs_frames \kernel
	rs_func	\kernel\()_f1
	rs_frame_open
	mv	a0, s2
	mv	a1, s3
	li	a2, SIGURG
	rs_system SYS_tgkill
	rs_frame_close
	rs_func_end \kernel\()_f1
	rs_signal_\way \kernel
	rs_kernel_end \kernel
	.endm

	rs_signal rs_k_signal_return, return
	rs_signal rs_k_signal_jump, jump
	rs_signal rs_k_signal_call, call
