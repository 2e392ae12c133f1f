/*
 * rs_k_datapage_SHAPE: a gettimeofday() in the manner of the vDSO, which finds its data
 * page from its own address:
 *   called8         loop -> gettimeofday -> get_datapage, whose jal jumps over its data
 *                   word: the sequence of the powerpc vDSO from 2005 to 2015
 *   called_auipc    the same, but auipc and addi find the data word in front of the
 *                   function, in the place of the fix of 2015
 *   inlined_auipc   these two inside gettimeofday: the form of 2020, and what compilers
 *                   make of the riscv vDSO's data
 *
 * In:       a0 argument words: CALLS, ARG0 (struct timeval *, may be 0)
 *           the kernel's data word: signed distance from the word to the
 *           struct rs_datapage, written by whoever places the copy
 * Out:      a0 and RESULT: 0; *ARG0: the time of day
 * Clobbers: a0 to a6, t1, t2, ra
 *
 * One iteration executes, while nobody writes the page and ARG0 is not 0,
 *   loop             ld, jal, addi, bnez
 *   gettimeofday     29 instructions that move, read and store, three of them jumps not
 *                    taken; and
 *     called         addi, sd, jal, ld, addi, ret; in get_datapage
 *       called8      mv, jal, mv, mv, lw, add, ret
 *       called_auipc auipc, addi, lw, add, ret
 *     inlined_auipc  auipc, addi, lw, add, ret
 * in all
 *                  instructions  branches  pushed calls  exempt calls  returns
 *   called8        46            9         3             0             2
 *   called_auipc   44            8         2             0             2
 *   inlined_auipc  38            6         1             0             1
 */

#include "arch/datapage.h"
#include "arch/riscv/kernel.inc"

#define NSEC_PER_SEC 1000000000

	.macro	rs_datapage_loop kernel
	rs_entry \kernel
1:	ld	a0, KARG(RS_KARG_ARG0)
	jal	ra, \kernel\()_gettimeofday
	rs_again
	rs_entry_end \kernel
	.endm

/*
 * Stores the time of the page at a0 into the timeval at a1 and leaves 0 in a0: 28
 * instructions, 3 of them jumps not taken; the first li is two. Changes a2 to a6.
 *
 * RISC-V reorders loads, so fences keep those of a page between those of its sequence.
 * To a fence, reading the time is a device input (unprivileged specification, Zicsr,
 * CSR Access Ordering).
 */
	.macro	rs_datapage_read
	beqz	a1, 4f
1:	lw	a2, RS_DATAPAGE_SEQUENCE(a0)
	andi	a3, a2, 1
	bnez	a3, 1b			/* being written: try again */
	fence	r, ir
	rdtime	a3
	ld	a4, RS_DATAPAGE_CYCLE_LAST(a0)
	sub	a3, a3, a4
	lwu	a4, RS_DATAPAGE_MULT(a0)
	mul	a3, a3, a4
	ld	a4, RS_DATAPAGE_SHIFTED_NSEC(a0)
	add	a3, a3, a4
	lw	a4, RS_DATAPAGE_SHIFT(a0)
	srl	a3, a3, a4
	ld	a5, RS_DATAPAGE_SEC(a0)
	fence	ir, r
	lw	a4, RS_DATAPAGE_SEQUENCE(a0)
	bne	a4, a2, 1b
	li	a4, NSEC_PER_SEC
	divu	a6, a3, a4
	remu	a3, a3, a4		/* nanoseconds below a second */
	add	a5, a5, a6		/* seconds */
	li	a4, 1000
	divu	a3, a3, a4		/* microseconds */
	sd	a5, 0(a1)
	sd	a3, 8(a1)
4:	li	a0, 0
	.endm

	.macro	rs_datapage_called kernel
	rs_datapage_loop \kernel
	rs_func	\kernel\()_gettimeofday
	rs_frame_open
	mv	a1, a0
	jal	ra, \kernel\()_get_datapage
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

/* a0 = the data page, by the distance in the word; lla is auipc and addi. */
	.macro	rs_datapage_address kernel
	lla	a0, \kernel\()_data_word
	lw	t2, 0(a0)
	add	a0, a0, t2
	.endm

	rs_datapage_called rs_k_datapage_called8
	rs_func	rs_k_datapage_called8_get_datapage
	mv	t1, ra
	jal	ra, 1f			/* over the word: pushed, never popped */
	rs_label rs_k_datapage_called8_data_word
	.long	0
1:	mv	a0, ra
	mv	ra, t1
	lw	t2, 0(a0)
	add	a0, a0, t2
	ret
	rs_func_end rs_k_datapage_called8_get_datapage
	rs_kernel_end rs_k_datapage_called8

	rs_datapage_called rs_k_datapage_called_auipc
	rs_data_word_in_front rs_k_datapage_called_auipc
	rs_func	rs_k_datapage_called_auipc_get_datapage
	rs_datapage_address rs_k_datapage_called_auipc
	ret
	rs_func_end rs_k_datapage_called_auipc_get_datapage
	rs_kernel_end rs_k_datapage_called_auipc

	rs_datapage_loop rs_k_datapage_inlined_auipc
	rs_data_word_in_front rs_k_datapage_inlined_auipc
	rs_func	rs_k_datapage_inlined_auipc_gettimeofday
	mv	a1, a0
	rs_datapage_address rs_k_datapage_inlined_auipc
	rs_datapage_read
	ret
	rs_func_end rs_k_datapage_inlined_auipc_gettimeofday
	rs_kernel_end rs_k_datapage_inlined_auipc
