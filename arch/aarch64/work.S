/*
 * rs_k_work_none: reads a block of memory, a 64-byte line at a time.
 * rs_k_work_READ: the same, and then reads the clock READS times: through a target
 * (target), by the system call (syscall), or with clockread.S's gettimeofday() around a
 * form of clockread.inc.
 *
 * In:       x0 argument words: CALLS, BLOCK, LINES; and but for none READS and
 *             target   TARGET, ARG0..ARG2
 *             syscall  SYSNO, ARG0..ARG2
 *             FORM     ARG0 (struct timeval *, may be 0); the kernel's data word
 * Out:      x0 and RESULT: what the last read returned; none: the block's last word
 * Clobbers: whatever a target may, by the psABI
 *
 * One iteration executes
 *   the block          2 ldr; for each line 8 ldr, add, sub, cbnz
 *   the loop           sub, cbnz
 *   all but none       ldr; for each read sub, cbnz and
 *     target           4 ldr, blr
 *     syscall          4 ldr, svc
 *     FORM             ldr, bl; what inlined_adr of datapage.S does in gettimeofday, with
 *                      the form and a mov in the place of 4 instructions: 32 + n
 * in all for one line and one read, with n instructions in the form,
 *              instructions  branches  calls  returns
 *   none       15            2         0      0
 *   target     23            4         1      1 (the target's)
 *   syscall    23            3         0      0
 *   FORM       52 + n        8         1      1
 */

#include "arch/aarch64/kernel.inc"
#include "arch/datapage.h"
#include "arch/aarch64/clockread.inc"
#include "arch/aarch64/datapage_read.inc"
#include "arch/aarch64/target.inc"

	.macro	rs_work_open kernel
	rs_entry \kernel
	str	x21, [sp, -16]!
1:	ldr	x1, KARG(RS_KARG_BLOCK)
	ldr	x2, KARG(RS_KARG_LINES)
2:
	.irp	at, 0, 8, 16, 24, 32, 40, 48, 56
	ldr	x0, [x1, \at]
	.endr
	add	x1, x1, 64
	sub	x2, x2, 1
	cbnz	x2, 2b
	.endm

	.macro	rs_work_close kernel
	rs_again
	ldr	x21, [sp], 16
	rs_entry_end \kernel
	.endm

	.macro	rs_work_form kernel
	ldr	x0, KARG(RS_KARG_ARG0)
	bl	\kernel\()_gettimeofday
	.endm

	.macro	rs_work kernel, read
	rs_work_open \kernel
	ldr	x21, KARG(RS_KARG_READS)
3:	\read	\kernel
	sub	x21, x21, 1
	cbnz	x21, 3b
	rs_work_close \kernel
	.endm

	.macro	rs_work_clock form
	rs_work	rs_k_work_\form, rs_work_form
	rs_datapage_inlined rs_k_work_\form, day_\form
	rs_kernel_end rs_k_work_\form
	.endm

	rs_work_open rs_k_work_none
	rs_work_close rs_k_work_none
	rs_kernel_end rs_k_work_none

	rs_work	rs_k_work_target, rs_call_target
	rs_kernel_end rs_k_work_target

	rs_work	rs_k_work_syscall, rs_call_system
	rs_kernel_end rs_k_work_syscall

	.irp	form, isb_isb, isb_hazard, hazard, isb, bare, cntvctss
	rs_work_clock \form
	.endr
