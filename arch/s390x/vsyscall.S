/*
 * rs_k_vsyscall: makes a system call with three arguments.
 *
 * In:       r2 argument words: CALLS, SYSNO, ARG0..ARG2
 * Out:      r2 and RESULT: what the last system call returned, an error negative
 * Clobbers: r1 to r4
 *
 * One iteration: 6 instructions (4 loads, svc, brctg), 1 branch. No call, no return in
 * user mode.
 *
 * With 0 in the instruction, the number is in r1, where it may be above 255 (Linux,
 * arch/s390/kernel/syscall.c).
 */

#include "arch/s390x/kernel.inc"
#include "arch/s390x/target.inc"

	rs_entry rs_k_vsyscall
1:	rs_call_system
	brctg	%r10, 1b
	rs_entry_end rs_k_vsyscall
	rs_kernel_end rs_k_vsyscall
