/*
 * rs_k_empty: the loop of every kernel, around nothing.
 *
 * In:       r3 argument words: CALLS
 * Out:      r3 and RESULT: 0
 * Clobbers: r0, r3, CR7
 *
 * One iteration: 3 instructions, 1 branch (addi, compare, bne; taken but for the last).
 * No call, no return.
 */

#include "arch/powerpc/kernel.inc"

	rs_entry rs_k_empty
	li	%r3, 0
	rs_line_of_nops
1:	rs_again
	rs_entry_end rs_k_empty
	rs_kernel_end rs_k_empty
