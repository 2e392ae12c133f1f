/*
 * rs_k_returns_below_k: calls a target below k = 1..8 enclosing frames: loop -> f_k ->
 * ... -> f_1, which calls it. Where the target hands the CPU over, the k returns come
 * after the switch, and each needs what its call pushed before it.
 * rs_k_returns_beside_k: goes down and up the same frames, then calls the target from
 * the loop: the same instructions in another order, and no return that waits.
 *
 * In:       a0 argument words: CALLS, TARGET, ARG0..ARG2
 * Out:      a0 and RESULT: what the last call returned
 * Clobbers: whatever the target may, by the psABI
 *
 * One iteration executes in all 7 + 6k instructions (4 ld, jalr to the target, k
 * frames and their calls, addi, bnez), 2 + 2k branches, k + 1 calls, k returns and
 * the target's own.
 */

#include "arch/riscv/kernel.inc"
#include "arch/riscv/target.inc"

	.macro	rs_returns_loop kernel, k, rest:vararg
	rs_entry \kernel\()_\k
1:	jal	ra, \kernel\()_f\k
	\rest
	rs_again
	rs_entry_end \kernel\()_\k
	.endm

	.macro	rs_returns kernel, in_frame, in_loop
	.irp	k, 1, 2, 3, 4, 5, 6, 7, 8
	rs_returns_loop \kernel, \k, \in_loop
	.endr
	rs_frames \kernel
	rs_func	\kernel\()_f1
	rs_frame_open
	\in_frame
	rs_frame_close
	rs_func_end \kernel\()_f1
	rs_kernel_end \kernel
	.endm

	rs_returns rs_k_returns_below, in_frame=rs_call_target
	rs_returns rs_k_returns_beside, in_loop=rs_call_target
