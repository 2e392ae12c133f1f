/*
 * rs_k_vsyscall: makes a system call with three arguments.
 *
 * In:       r3 argument words: CALLS, SYSNO, ARG0..ARG2
 * Out:      r3 and RESULT: what the last system call returned, an error negative
 * Clobbers: r0, r3 to r12, CTR, CR0, CR7
 *
 * One iteration: 8 instructions (4 loads, sc, addi, compare, bne), 1 branch. No call,
 * no return in user mode.
 *
 * rs_k_vscv: the same by scv 0, of 64-bit programs only; it reports an error by a
 * negative result and changes LR and CTR, too (Linux,
 * Documentation/powerpc/syscall64-abi.rst). As many instructions.
 */

#include "arch/powerpc/kernel.inc"
#include "arch/powerpc/target.inc"

	rs_entry rs_k_vsyscall
	rs_line_of_nops
1:	rs_call_system
	rs_again
	rs_negate_error
	rs_entry_end rs_k_vsyscall
	rs_kernel_end rs_k_vsyscall

#ifdef __powerpc64__
	rs_entry rs_k_vscv
	rs_line_of_nops
1:	LOAD	%r0, KARG(RS_KARG_SYSNO)
	LOAD	%r3, KARG(RS_KARG_ARG0)
	LOAD	%r4, KARG(RS_KARG_ARG1)
	LOAD	%r5, KARG(RS_KARG_ARG2)
	.long	0x44000001		/* scv 0, for any assembler */
	rs_again
	rs_entry_end rs_k_vscv
	rs_kernel_end rs_k_vscv
#endif
