/*
 * rs_k_empty: the loop of every kernel, around nothing.
 *
 * In:       %rdi argument words: CALLS
 * Out:      %rax and RESULT: 0
 * Clobbers: %rax, flags
 *
 * One iteration: 2 instructions, 1 branch (dec, jnz; taken but for the last). No call,
 * no return.
 */

#include "arch/x86/kernel.inc"

	rs_entry rs_k_empty
	xor	%eax, %eax
1:	dec	%rbx
	jnz	1b
	rs_entry_end rs_k_empty
	rs_kernel_end rs_k_empty
