/*
 * rs_k_clockread_FORM: reads the time base in one of the forms of clockread.inc,
 * straight in the loop.
 *
 * In:       r3 argument words: CALLS
 * Out:      r3 and RESULT: the ticks that the last iteration read; with 32 bits their
 *           low word
 * Clobbers: r0, r3 to r6, r9 to r12, CR0, CR7
 *
 * One iteration: the form's n instructions, addi, compare, bne: n + 3, 1 branch, with
 * 32 bits 2. No call, no return.
 *
 * rs_k_clockday_FORM: a gettimeofday() around that read: loop -> gettimeofday, the
 * shape inlined4 of datapage.S but for the form.
 *
 * In:       r3 argument words: CALLS, ARG0 (struct timeval *, may be 0)
 *           the kernel's data word, as in datapage.S
 * Out:      r3 and RESULT: 0; *ARG0: the time of day
 * Clobbers: r0, r3 to r12, LR, XER.CA, CR0, CR7
 *
 * One iteration executes, while nobody writes the page and ARG0 is not 0, what
 * inlined4 does, with the form in the place of mftb.
 */

#include "arch/datapage.h"
#include "arch/powerpc/kernel.inc"
#include "arch/powerpc/clockread.inc"
#include "arch/powerpc/datapage_read.inc"

	.macro	rs_clockread form
	rs_entry rs_k_clockread_\form
	rs_line_of_nops
1:	rs_clockread_\form
	rs_again
#ifdef __powerpc64__
	mr	%r3, %r5
#else
	mr	%r3, %r10
#endif
	rs_entry_end rs_k_clockread_\form
	rs_kernel_end rs_k_clockread_\form
	.endm

	.irp	form, mftb, isync_mftb, sync_mftb
	rs_clockread \form
	rs_datapage_inlined4 rs_k_clockday_\form, \form
	.endr
