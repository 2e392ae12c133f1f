/*
 * rs_k_datapage_SHAPE: a gettimeofday() in the manner of the vDSO, which finds its data
 * page from its own address:
 *   called8   loop -> gettimeofday -> get_datapage, whose bcl jumps over its data word:
 *             the sequence of the vDSO from 2005 to 2015
 *   called4   the same, but the data word lies in front of the function and the bcl
 *             goes to the next instruction: the fix of 2015
 *   inlined4  that sequence inside gettimeofday: the macro of 2020
 *
 * In:       r3 argument words: CALLS, ARG0 (struct timeval *, may be 0)
 *           the kernel's data word: signed distance from the word to the
 *           struct rs_datapage, written by whoever places the copy
 * Out:      r3 and RESULT: 0; *ARG0: the time of day
 * Clobbers: r0, r3 to r12, LR, XER.CA, CR0, CR7
 *
 * One iteration executes, while nobody writes the page and ARG0 is not 0,
 *   loop           load, bl, addi, compare, bne
 *   gettimeofday   R instructions that read and store, with t jumps not taken; and
 *     called       mflr, mr, bl, mtlr, blr; in get_datapage
 *       called8    mflr, bcl, mflr, mtlr, load, add, blr
 *       called4    mflr, bcl, mflr, mtlr, addi, load, add, blr
 *     inlined4     mflr, mr, bcl, mflr, addi, load, add, mtlr, blr
 * R is 34 and t 3 with 64 bits, R 77 and t 4 with 32 bits (datapage_read.inc); in all
 *              instructions  branches  pushed calls  exempt calls  returns
 *   called8    17 + R        6 + t     3             0             2
 *   called4    18 + R        6 + t     2             1             2
 *   inlined4   14 + R        4 + t     1             1             1
 */

#include "arch/datapage.h"
#include "arch/powerpc/kernel.inc"
#include "arch/powerpc/clockread.inc"
#include "arch/powerpc/datapage_read.inc"

	.macro	rs_datapage_called kernel
	rs_func	\kernel\()_gettimeofday
	mflr	%r12
	mr	%r11, %r3
	bl	\kernel\()_get_datapage
	rs_datapage_read mftb
	mtlr	%r12
	blr
	rs_datapage_wait
	rs_func_end \kernel\()_gettimeofday
	.endm

	rs_datapage_loop rs_k_datapage_called8
	rs_datapage_called rs_k_datapage_called8
	rs_func	rs_k_datapage_called8_get_datapage
	mflr	%r0
	bcl	20, 31, 1f		/* over the word: pushed, never popped */
	rs_label rs_k_datapage_called8_data_word
	.long	0
1:	mflr	%r3
	mtlr	%r0
	rs_datapage_follow
	blr
	rs_func_end rs_k_datapage_called8_get_datapage
	rs_kernel_end rs_k_datapage_called8

	rs_datapage_loop rs_k_datapage_called4
	rs_datapage_called rs_k_datapage_called4
	rs_data_word_in_front rs_k_datapage_called4
	rs_func	rs_k_datapage_called4_get_datapage
	mflr	%r0
	rs_datapage_here
	mtlr	%r0
	addi	%r3, %r3, rs_k_datapage_called4_data_word - 1b
	rs_datapage_follow
	blr
	rs_func_end rs_k_datapage_called4_get_datapage
	rs_kernel_end rs_k_datapage_called4

	rs_datapage_inlined4 rs_k_datapage_inlined4, mftb
