/*
 * rs_k_clockread_FORM: reads the virtual counter in one of the forms of clockread.inc,
 * straight in the loop.
 *
 * In:       x0 argument words: CALLS
 * Out:      x0 and RESULT: the ticks that the last iteration read
 * Clobbers: x0, x5, x6
 *
 * One iteration: the form's n instructions, sub, cbnz: n + 2, 1 branch. No call, no
 * return.
 *
 * rs_k_clockday_FORM: a gettimeofday() around that read: loop -> gettimeofday, the
 * shape inlined_adr of datapage.S but for the form.
 *
 * In:       x0 argument words: CALLS, ARG0 (struct timeval *, may be 0)
 *           the kernel's data word, as in datapage.S
 * Out:      x0 and RESULT: 0; *ARG0: the time of day
 * Clobbers: x0 to x7, x30, the condition flags
 *
 * One iteration executes, while nobody writes the page and ARG0 is not 0, what
 * inlined_adr does, with the form and a mov in the place of 4 instructions: n + 36.
 */

#include "arch/aarch64/kernel.inc"
#include "arch/datapage.h"
#include "arch/aarch64/clockread.inc"
#include "arch/aarch64/datapage_read.inc"

	.macro	rs_clockread form
	rs_entry rs_k_clockread_\form
1:	rs_clockread_\form
	rs_again
	mov	x0, x5
	rs_entry_end rs_k_clockread_\form
	rs_kernel_end rs_k_clockread_\form
	.endm

	.irp	form, isb_isb, isb_hazard, hazard, isb, bare, cntvctss
	rs_clockread \form
	rs_datapage_inlined_adr rs_k_clockday_\form, day_\form
	.endr
