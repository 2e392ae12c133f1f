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

#define NSEC_PER_SEC 1000000000

	.macro	rs_datapage_loop kernel
	rs_entry \kernel
1:	lg	%r2, KARG(RS_KARG_ARG0)
	brasl	%r14, \kernel\()_gettimeofday
	brctg	%r10, 1b
	rs_entry_end \kernel
	.endm

/*
 * Stores the time of the page at r2 into the timeval at r3 and leaves 0 in r2: 27
 * instructions, 3 of them jumps not taken. The clock is stored where callees save r2,
 * which in a leaf is its own to write to.
 *
 * The loads of a page need no barrier between those of its sequence: z/Architecture
 * keeps loads in order (Principles of Operation, chapter 5, sequence of storage
 * references). Division takes as many instructions whatever the time is.
 */
	.macro	rs_datapage_read
	ltgr	%r3, %r3
	je	4f
1:	l	%r4, RS_DATAPAGE_SEQUENCE(%r2)
	tmll	%r4, 1
	jnz	1b			/* being written: try again */
	stckf	SAVE(2)
	lg	%r1, SAVE(2)
	slg	%r1, RS_DATAPAGE_CYCLE_LAST(%r2)
	llgf	%r5, RS_DATAPAGE_MULT(%r2)
	msgr	%r1, %r5
	alg	%r1, RS_DATAPAGE_SHIFTED_NSEC(%r2)
	l	%r5, RS_DATAPAGE_SHIFT(%r2)
	srlg	%r1, %r1, 0(%r5)
	lg	%r5, RS_DATAPAGE_SEC(%r2)
	c	%r4, RS_DATAPAGE_SEQUENCE(%r2)
	jne	1b
	lghi	%r0, 0
	lgfi	%r4, NSEC_PER_SEC
	dlgr	%r0, %r4		/* r1 = r0:r1 / r4, r0 the rest */
	algr	%r5, %r1
	stg	%r5, 0(%r3)		/* seconds */
	lgr	%r1, %r0
	lghi	%r0, 0
	lghi	%r4, 1000
	dlgr	%r0, %r4
	stg	%r1, 8(%r3)		/* microseconds */
4:	lghi	%r2, 0
	.endm

	.macro	rs_datapage_called kernel
	rs_datapage_loop \kernel
	rs_func	\kernel\()_gettimeofday
	rs_frame_open
	lgr	%r3, %r2
	brasl	%r14, \kernel\()_get_datapage
	rs_datapage_read
	rs_frame_close
	rs_func_end \kernel\()_gettimeofday
	.endm

/* The data word in the last 4 bytes of a line, so that a function can follow it. */
	.macro	rs_data_word_in_front kernel
	rs_line
	.fill	30, 2, TRAP
	rs_label \kernel\()_data_word
	.long	0
	.endm

/* r2 = the data page, by the distance in the word. */
	.macro	rs_datapage_address kernel
	larl	%r2, \kernel\()_data_word
	agf	%r2, 0(%r2)
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

	rs_datapage_loop rs_k_datapage_inlined_larl
	rs_data_word_in_front rs_k_datapage_inlined_larl
	rs_func	rs_k_datapage_inlined_larl_gettimeofday
	lgr	%r3, %r2
	rs_datapage_address rs_k_datapage_inlined_larl
	rs_datapage_read
	br	%r14
	rs_func_end rs_k_datapage_inlined_larl_gettimeofday
	rs_kernel_end rs_k_datapage_inlined_larl
