/*
 * rs_k_datapage_SHAPE: a gettimeofday() in the manner of the vDSO, which finds its data
 * page from its own address:
 *   called10      loop -> gettimeofday -> get_datapage, whose brasl jumps over its data
 *                 word: the sequence of the powerpc vDSO from 2005 to 2015
 *   called_larl   the same, but larl finds the data word in front of the function, in
 *                 the place of the fix of 2015
 *   inlined_larl  that larl inside gettimeofday: the form of 2020, and what the 64-bit
 *                 s390 vDSO did from its beginning
 *
 * In:       r2 argument words: CALLS, ARG0 (struct timeval *, may be 0)
 *           the kernel's data word: signed distance from the word to the
 *           struct rs_datapage, written by whoever places the copy
 * Out:      r2 and RESULT: 0; *ARG0: the time of day
 * Clobbers: r0 to r5, r14, the condition code
 *
 * One iteration executes, while nobody writes the page and ARG0 is not 0,
 *   loop             load, brasl, brctg
 *   gettimeofday     28 instructions that read and store, three of them jumps not
 *                    taken; and
 *     called         stmg, aghi, brasl, lmg, br; in get_datapage
 *       called10     lgr, brasl, lgr, lgr, agf, br
 *       called_larl  larl, agf, br
 *     inlined_larl   larl, agf, br
 * in all
 *                 instructions  branches  pushed calls  exempt calls  returns
 *   called10      42            9         3             0             2
 *   called_larl   39            8         2             0             2
 *   inlined_larl  34            6         1             0             1
 */

#include "arch/datapage.h"
#include "arch/s390x/kernel.inc"
#include "arch/s390x/clockread.inc"
#include "arch/s390x/datapage_read.inc"

	.macro	rs_datapage_called kernel
	rs_datapage_loop \kernel
	rs_func	\kernel\()_gettimeofday
	rs_frame_open
	lgr	%r3, %r2
	brasl	%r14, \kernel\()_get_datapage
	rs_datapage_read stckf
	rs_frame_close
	rs_func_end \kernel\()_gettimeofday
	.endm

	rs_datapage_called rs_k_datapage_called10
	rs_func	rs_k_datapage_called10_get_datapage
	lgr	%r1, %r14
	brasl	%r14, 1f		/* over the word: pushed, never popped */
	rs_label rs_k_datapage_called10_data_word
	.long	0
1:	lgr	%r2, %r14
	lgr	%r14, %r1
	agf	%r2, 0(%r2)
	br	%r14
	rs_func_end rs_k_datapage_called10_get_datapage
	rs_kernel_end rs_k_datapage_called10

	rs_datapage_called rs_k_datapage_called_larl
	rs_data_word_in_front rs_k_datapage_called_larl
	rs_func	rs_k_datapage_called_larl_get_datapage
	rs_datapage_address rs_k_datapage_called_larl
	br	%r14
	rs_func_end rs_k_datapage_called_larl_get_datapage
	rs_kernel_end rs_k_datapage_called_larl

	rs_datapage_inlined_larl rs_k_datapage_inlined_larl, stckf
