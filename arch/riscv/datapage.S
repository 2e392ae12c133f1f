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

#include "arch/riscv/kernel.inc"
#include "arch/datapage.h"
#include "arch/riscv/clockread.inc"
#include "arch/riscv/datapage_read.inc"

	.macro	rs_datapage_called kernel
	rs_datapage_loop \kernel
	rs_func	\kernel\()_gettimeofday
	rs_frame_open
	mv	a1, a0
	jal	ra, \kernel\()_get_datapage
	rs_datapage_read rdtime
	rs_frame_close
	rs_func_end \kernel\()_gettimeofday
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

	rs_datapage_inlined_auipc rs_k_datapage_inlined_auipc, rdtime
