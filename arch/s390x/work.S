/*
 * rs_k_work_none: reads a block of memory, a 64-byte line at a time.
 * rs_k_work_READ: the same, and then reads the clock READS times: through a target
 * (target), by the system call (syscall), or with clockread.S's gettimeofday() around a
 * form of clockread.inc.
 *
 * In:       r2 argument words: CALLS, BLOCK, LINES; and but for none READS and
 *             target   TARGET, ARG0..ARG2
 *             syscall  SYSNO, ARG0..ARG2
 *             FORM     ARG0 (struct timeval *, may be 0); the kernel's data word
 * Out:      r2 and RESULT: what the last read returned; none: the block's last word
 * Clobbers: whatever a target may, by the psABI
 *
 * One iteration executes
 *   the block          2 lg; for each line 8 lg, la, brctg
 *   the loop           brctg
 *   all but none       lg; for each read brctg and
 *     target           4 lg, basr
 *     syscall          4 lg, svc
 *     FORM             lg, brasl; what inlined_larl of datapage.S does in gettimeofday,
 *                      with the form in the place of stckf and lg: 29 + n
 * in all for one line and one read, with n instructions in the form,
 *              instructions  branches  calls  returns
 *   none       13            2         0      0
 *   target     20            4         1      1 (the target's)
 *   syscall    20            3         0      0
 *   FORM       46 + n        8         1      1
 */

#include "arch/datapage.h"
#include "arch/s390x/kernel.inc"
#include "arch/s390x/clockread.inc"
#include "arch/s390x/datapage_read.inc"
#include "arch/s390x/target.inc"

	.macro	rs_work_open kernel
	rs_entry \kernel
	aghi	%r15, -8
	stg	%r9, FRAME_BYTES(%r15)
1:	lg	%r3, KARG(RS_KARG_BLOCK)
	lg	%r4, KARG(RS_KARG_LINES)
2:
	.irp	at, 0, 8, 16, 24, 32, 40, 48, 56
	lg	%r2, \at(%r3)
	.endr
	la	%r3, 64(%r3)
	brctg	%r4, 2b
	.endm

	.macro	rs_work_close kernel
	brctg	%r10, 1b
	lg	%r9, FRAME_BYTES(%r15)
	aghi	%r15, 8
	rs_entry_end \kernel
	.endm

	.macro	rs_work_form kernel
	lg	%r2, KARG(RS_KARG_ARG0)
	brasl	%r14, \kernel\()_gettimeofday
	.endm

	.macro	rs_work kernel, read
	rs_work_open \kernel
	lg	%r9, KARG(RS_KARG_READS)
3:	\read	\kernel
	brctg	%r9, 3b
	rs_work_close \kernel
	.endm

	.macro	rs_work_clock form
	rs_work	rs_k_work_\form, rs_work_form
	rs_datapage_inlined rs_k_work_\form, \form
	rs_kernel_end rs_k_work_\form
	.endm

	rs_work_open rs_k_work_none
	rs_work_close rs_k_work_none
	rs_kernel_end rs_k_work_none

	rs_work	rs_k_work_target, rs_call_target
	rs_kernel_end rs_k_work_target

	rs_work	rs_k_work_syscall, rs_call_system
	rs_kernel_end rs_k_work_syscall

	.irp	form, stckf, bcr15_stckf, stck, stcke
	rs_work_clock \form
	.endr
