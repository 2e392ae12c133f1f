/*
 * rs_k_clockread_FORM: reads the time-of-day clock in one of the forms of
 * clockread.inc, straight in the loop.
 *
 * In:       r2 argument words: CALLS
 * Out:      r2 and RESULT: the clock that the last iteration read
 * Clobbers: r1, r2, the condition code
 *
 * One iteration: the form's n instructions and brctg: n + 1, 1 branch. No call, no
 * return.
 *
 * rs_k_clockday_FORM: a gettimeofday() around that read: loop -> gettimeofday, the
 * shape inlined_larl of datapage.S but for the form.
 *
 * In:       r2 argument words: CALLS, ARG0 (struct timeval *, may be 0)
 *           the kernel's data word, as in datapage.S
 * Out:      r2 and RESULT: 0; *ARG0: the time of day
 * Clobbers: r0 to r5, r14, the condition code
 *
 * One iteration executes, while nobody writes the page and ARG0 is not 0, what
 * inlined_larl does, with the form in the place of stckf and lg: n + 32 instructions.
 */

#include "arch/datapage.h"
#include "arch/s390x/kernel.inc"
#include "arch/s390x/clockread.inc"
#include "arch/s390x/datapage_read.inc"

	.macro	rs_clockread form
	rs_entry rs_k_clockread_\form
1:	rs_clockread_\form
	brctg	%r10, 1b
	lgr	%r2, %r1
	rs_entry_end rs_k_clockread_\form
	rs_kernel_end rs_k_clockread_\form
	.endm

	.irp	form, stckf, bcr15_stckf, stck, stcke
	rs_clockread \form
	rs_datapage_inlined_larl rs_k_clockday_\form, \form
	.endr
