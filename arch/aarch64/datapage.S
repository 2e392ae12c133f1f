/*
 * rs_k_datapage_SHAPE: a gettimeofday() in the manner of the vDSO, which finds its data
 * page from its own address:
 *   called8      loop -> gettimeofday -> get_datapage, whose bl jumps over its data
 *                word: the sequence of the powerpc vDSO from 2005 to 2015
 *   called_adr   the same, but adr finds the data word in front of the function, in the
 *                place of the fix of 2015
 *   inlined_adr  that adr inside gettimeofday: the form of 2020, and what the arm64
 *                vDSO did from its beginning
 *
 * In:       x0 argument words: CALLS, ARG0 (struct timeval *, may be 0)
 *           the kernel's data word: signed distance from the word to the
 *           struct rs_datapage, written by whoever places the copy
 * Out:      x0 and RESULT: 0; *ARG0: the time of day
 * Clobbers: x0 to x7, x30, the condition flags
 *
 * One iteration executes, while nobody writes the page and ARG0 is not 0,
 *   loop            load, bl, sub, cbnz
 *   gettimeofday    32 instructions: mov, 30 that read and store, three of them jumps
 *                   not taken, and ret; and
 *     called        stp, mov, bl, ldp; in get_datapage
 *       called8     mov, bl, mov, mov, ldrsw, add, ret
 *       called_adr  adr, ldrsw, add, ret
 *     inlined_adr   adr, ldrsw, add
 * in all
 *                instructions  branches  pushed calls  exempt calls  returns
 *   called8           47           9         3             0             2
 *   called_adr        44           8         2             0             2
 *   inlined_adr       39           6         1             0             1
 */

#include "arch/aarch64/kernel.inc"
#include "arch/datapage.h"
#include "arch/aarch64/clockread.inc"
#include "arch/aarch64/datapage_read.inc"

	.macro	rs_datapage_called kernel
	rs_datapage_loop \kernel
	rs_func	\kernel\()_gettimeofday
	rs_frame_open
	mov	x3, x0
	bl	\kernel\()_get_datapage
	rs_datapage_read address
	rs_frame_close
	rs_func_end \kernel\()_gettimeofday
	.endm

	rs_datapage_called rs_k_datapage_called8
	rs_func	rs_k_datapage_called8_get_datapage
	mov	x1, x30
	bl	1f			/* over the word: pushed, never popped */
	rs_label rs_k_datapage_called8_data_word
	.long	0
1:	mov	x0, x30
	mov	x30, x1
	rs_datapage_follow
	ret
	rs_func_end rs_k_datapage_called8_get_datapage
	rs_kernel_end rs_k_datapage_called8

	rs_datapage_called rs_k_datapage_called_adr
	rs_data_word_in_front rs_k_datapage_called_adr
	rs_func	rs_k_datapage_called_adr_get_datapage
	adr	x0, rs_k_datapage_called_adr_data_word
	rs_datapage_follow
	ret
	rs_func_end rs_k_datapage_called_adr_get_datapage
	rs_kernel_end rs_k_datapage_called_adr

	rs_datapage_inlined_adr rs_k_datapage_inlined_adr, address
