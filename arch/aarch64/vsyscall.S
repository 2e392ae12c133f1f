/*
 * rs_k_vsyscall: makes a system call with three arguments.
 *
 * In:       x0 argument words: CALLS, SYSNO, ARG0..ARG2
 * Out:      x0 and RESULT: what the last system call returned, an error negative
 * Clobbers: x0 to x2, x8
 *
 * One iteration: 7 instructions (4 loads, svc, sub, cbnz), 1 branch. No call, no return
 * in user mode.
 */

#include "arch/aarch64/kernel.inc"
#include "arch/aarch64/target.inc"

	rs_entry rs_k_vsyscall
1:	rs_call_system
	rs_again
	rs_entry_end rs_k_vsyscall
	rs_kernel_end rs_k_vsyscall
