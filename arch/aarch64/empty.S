/*
 * rs_k_empty: the loop of every kernel, around nothing.
 *
 * In:       x0 argument words: CALLS
 * Out:      x0 and RESULT: 0
 * Clobbers: x0
 *
 * One iteration: 2 instructions (sub, cbnz), 1 branch (taken but for the last). No call,
 * no return.
 */

#include "arch/aarch64/kernel.inc"

	rs_entry rs_k_empty
	mov	x0, 0
1:	rs_again
	rs_entry_end rs_k_empty
	rs_kernel_end rs_k_empty
