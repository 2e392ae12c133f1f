/*
 * rs_k_clockread_FORM: reads the time CSR in one of the forms of clockread.inc, straight
 * in the loop.
 *
 * In:       a0 argument words: CALLS
 * Out:      a0 and RESULT: the ticks that the last iteration read
 * Clobbers: a0, a3
 *
 * One iteration: the form's n instructions, addi, bnez: n + 2, 1 branch. No call, no
 * return.
 *
 * rs_k_clockday_FORM: a gettimeofday() around that read: loop -> gettimeofday, the
 * shape inlined_auipc of datapage.S but for the form.
 *
 * In:       a0 argument words: CALLS, ARG0 (struct timeval *, may be 0)
 *           the kernel's data word, as in datapage.S
 * Out:      a0 and RESULT: 0; *ARG0: the time of day
 * Clobbers: a0 to a6, t2, ra
 *
 * One iteration executes, while nobody writes the page and ARG0 is not 0, what
 * inlined_auipc does, with the form in the place of rdtime: n + 37.
 */

#include "arch/riscv/kernel.inc"
#include "arch/datapage.h"
#include "arch/riscv/clockread.inc"
#include "arch/riscv/datapage_read.inc"

	.macro	rs_clockread form
	rs_entry rs_k_clockread_\form
1:	rs_clockread_\form
	rs_again
	mv	a0, a3
	rs_entry_end rs_k_clockread_\form
	rs_kernel_end rs_k_clockread_\form
	.endm

	.irp	form, rdtime, fence_rdtime, rdtime_fence, fence_rdtime_fence
	rs_clockread \form
	rs_datapage_inlined_auipc rs_k_clockday_\form, \form
	.endr
