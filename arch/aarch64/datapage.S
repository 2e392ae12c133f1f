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

#define NSEC_PER_SEC 1000000000

	.macro	rs_datapage_loop kernel
	rs_entry \kernel
1:	ldr	x0, KARG(RS_KARG_ARG0)
	bl	\kernel\()_gettimeofday
	rs_again
	rs_entry_end \kernel
	.endm

/*
 * Stores the time of the page at x0 into the timeval at x3 and leaves 0 in x0: 30
 * instructions, 3 of them jumps not taken.
 *
 * The first dmb keeps the page's loads behind that of its sequence, the second keeps the
 * last look at the sequence behind them, isb keeps the counter from being read early.
 * That nothing of the page is read before the counter is left to a dependency, as in the
 * kernel's vDSO since 5.13: x6 is x0, by way of the counter's value. Division takes as
 * many instructions whatever the time is.
 */
	.macro	rs_datapage_read
	cbz	x3, 4f
1:	ldr	w4, [x0, RS_DATAPAGE_SEQUENCE]
	tbnz	w4, 0, 1b		/* being written: try again */
	dmb	ishld
	isb
	mrs	x5, cntvct_el0
	eor	x6, x5, x5
	add	x6, x0, x6
	ldr	x7, [x6, RS_DATAPAGE_CYCLE_LAST]
	sub	x5, x5, x7
	ldr	w7, [x6, RS_DATAPAGE_MULT]
	mul	x5, x5, x7
	ldr	x7, [x6, RS_DATAPAGE_SHIFTED_NSEC]
	add	x5, x5, x7
	ldr	w7, [x6, RS_DATAPAGE_SHIFT]
	lsr	x5, x5, x7
	ldr	x6, [x6, RS_DATAPAGE_SEC]
	dmb	ishld
	ldr	w7, [x0, RS_DATAPAGE_SEQUENCE]
	cmp	w7, w4
	b.ne	1b
	mov	x7, NSEC_PER_SEC & 0xffff
	movk	x7, NSEC_PER_SEC >> 16, lsl 16
	udiv	x4, x5, x7
	add	x6, x6, x4		/* seconds */
	msub	x5, x4, x7, x5
	mov	x7, 1000
	udiv	x5, x5, x7		/* microseconds */
	stp	x6, x5, [x3]
4:	mov	x0, 0
	.endm

	.macro	rs_datapage_called kernel
	rs_datapage_loop \kernel
	rs_func	\kernel\()_gettimeofday
	rs_frame_open
	mov	x3, x0
	bl	\kernel\()_get_datapage
	rs_datapage_read
	rs_frame_close
	rs_func_end \kernel\()_gettimeofday
	.endm

/* The data word in the last 4 bytes of a line, so that a function can follow it. */
	.macro	rs_data_word_in_front kernel
	rs_line
	.fill	15, 4, TRAP
	rs_label \kernel\()_data_word
	.long	0
	.endm

/* x0 = the data page, by the distance in the word at x0. */
	.macro	rs_datapage_follow
	ldrsw	x2, [x0]
	add	x0, x0, x2
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

	rs_datapage_loop rs_k_datapage_inlined_adr
	rs_data_word_in_front rs_k_datapage_inlined_adr
	rs_func	rs_k_datapage_inlined_adr_gettimeofday
	mov	x3, x0
	adr	x0, rs_k_datapage_inlined_adr_data_word
	rs_datapage_follow
	rs_datapage_read
	ret
	rs_func_end rs_k_datapage_inlined_adr_gettimeofday
	rs_kernel_end rs_k_datapage_inlined_adr
