/*
 * rs_k_empty: the loop of every kernel, around nothing.
 *
 * In:       r2 argument words: CALLS
 * Out:      r2 and RESULT: 0
 * Clobbers: r2
 *
 * One iteration: 1 instruction, 1 branch (brctg; taken but for the last). No call, no
 * return.
 */

#include "arch/s390x/kernel.inc"

	rs_entry rs_k_empty
	lghi	%r2, 0
1:	brctg	%r10, 1b
	rs_entry_end rs_k_empty
	rs_kernel_end rs_k_empty
