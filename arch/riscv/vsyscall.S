/*
 * rs_k_vsyscall: makes a system call with three arguments.
 *
 * In:       a0 argument words: CALLS, SYSNO, ARG0..ARG2
 * Out:      a0 and RESULT: what the last system call returned, an error negative
 * Clobbers: a0 to a2, a7
 *
 * One iteration: 7 instructions (4 loads, ecall, addi, bnez), 1 branch. No call, no
 * return in user mode.
 */

#include "arch/riscv/kernel.inc"
#include "arch/riscv/target.inc"

	rs_entry rs_k_vsyscall
1:	rs_call_system
	rs_again
	rs_entry_end rs_k_vsyscall
	rs_kernel_end rs_k_vsyscall
