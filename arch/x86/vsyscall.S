/*
 * rs_k_vsyscall: makes a system call with three arguments.
 *
 * In:       %rdi argument words: CALLS, SYSNO, ARG0..ARG2
 * Out:      %rax and RESULT: what the last system call returned, an error negative
 * Clobbers: %rax, %rcx, %rdx, %rsi, %rdi, %r11, flags (the syscall instruction writes
 *           the return address to %rcx and the flags to %r11)
 *
 * One iteration: 7 instructions (4 mov, syscall, dec, jnz), 1 branch. No call, no
 * return in user mode; some counters also count the syscall instruction as a branch.
 */

#include "arch/x86/kernel.inc"
#include "arch/x86/target.inc"

	rs_entry rs_k_vsyscall
1:	rs_call_system
	dec	%rbx
	jnz	1b
	rs_entry_end rs_k_vsyscall
	rs_kernel_end rs_k_vsyscall
