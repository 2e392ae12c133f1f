/*
 * rs_k_empty: the loop of every kernel, around nothing.
 *
 * In:       a0 argument words: CALLS
 * Out:      a0 and RESULT: 0
 * Clobbers: a0
 *
 * One iteration: 2 instructions (addi, bnez), 1 branch (taken but for the last). No
 * call, no return.
 */

#include "arch/riscv/kernel.inc"

	rs_entry rs_k_empty
	li	a0, 0
1:	rs_again
	rs_entry_end rs_k_empty
	rs_kernel_end rs_k_empty
