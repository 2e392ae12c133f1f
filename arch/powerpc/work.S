/*
 * rs_k_work_none: reads a block of memory, a 64-byte line at a time.
 * rs_k_work_READ: the same, and then reads the clock READS times: through a target
 * (vdso, libc), by the system call (syscall), or with clockread.S's gettimeofday() around a
 * form of clockread.inc.
 *
 * In:       r3 argument words: CALLS, BLOCK, LINES; and but for none READS and
 *             vdso, libc   TARGET, ARG0..ARG2
 *             syscall  SYSNO, ARG0..ARG2
 *             FORM     ARG0 (struct timeval *, may be 0); the kernel's data word
 * Out:      r3 and RESULT: what the last read returned; none: the block's last word
 * Clobbers: whatever a target may, by the psABI
 *
 * One iteration executes
 *   the block          2 loads; for each line 8 loads, with 32 bits 16, 2 addi, compare,
 *                      bne
 *   the loop           addi, compare, bne
 *   all but none       load; for each read addi, compare, bne and
 *     vdso, libc       4 loads, mtctr, bctrl; libc on ELFv1 3 loads more
 *     syscall          4 loads, sc
 *     FORM             load, bl; what inlined4 of datapage.S does in gettimeofday, with
 *                      the form in the place of mftb: 8 + R instructions, blr
 * in all for one line and one read, with R and t of datapage.S, and with 32 bits 8 more,
 *              instructions  branches  calls  exempt  returns
 *   none       17            2         0      0       0
 *   vdso, libc 27            4         1      0       1 (the target's)
 *   syscall    26            3         0      0       0
 *   FORM       32 + R        6 + t     1      1       1
 */

#include "arch/datapage.h"
#include "arch/powerpc/kernel.inc"
#include "arch/powerpc/clockread.inc"
#include "arch/powerpc/datapage_read.inc"
#include "arch/powerpc/target.inc"

/* A frame more, for r28. */
#define WORK_FRAME_BYTES (FRAME_BYTES + 16)

	.macro	rs_work_open kernel
	rs_entry \kernel
	STORE_FRAME %r1, -WORK_FRAME_BYTES(%r1)
	STORE	%r28, FRAME_BYTES(%r1)
	rs_line_of_nops
1:	LOAD	%r4, KARG(RS_KARG_BLOCK)
	LOAD	%r5, KARG(RS_KARG_LINES)
2:
	.irp	at, 0, 8, 16, 24, 32, 40, 48, 56
	LOAD	%r3, \at(%r4)
#ifndef __powerpc64__
	LOAD	%r3, 4 + \at(%r4)
#endif
	.endr
	addi	%r4, %r4, 64
	addi	%r5, %r5, -1
	COMPARE	%cr7, %r5, 0
	bne	%cr7, 2b
	.endm

	.macro	rs_work_close kernel
	LOAD	%r28, FRAME_BYTES(%r1)
	addi	%r1, %r1, WORK_FRAME_BYTES
	rs_entry_end \kernel
	.endm

	.macro	rs_work_form kernel
	LOAD	%r3, KARG(RS_KARG_ARG0)
	bl	\kernel\()_gettimeofday
	.endm

	.macro	rs_work kernel, read
	rs_work_open \kernel
	LOAD	%r28, KARG(RS_KARG_READS)
3:	\read	\kernel
	addi	%r28, %r28, -1
	COMPARE	%cr7, %r28, 0
	bne	%cr7, 3b
	rs_again
	.endm

	.macro	rs_work_clock form
	rs_work	rs_k_work_\form, rs_work_form
	rs_work_close rs_k_work_\form
	rs_datapage_inlined rs_k_work_\form, \form
	rs_kernel_end rs_k_work_\form
	.endm

	rs_work_open rs_k_work_none
	rs_again
	rs_work_close rs_k_work_none
	rs_kernel_end rs_k_work_none

	rs_work	rs_k_work_vdso, rs_call_vdso
	rs_negate_error
	rs_work_close rs_k_work_vdso
	rs_kernel_end rs_k_work_vdso

	rs_work	rs_k_work_libc, rs_call_c
	rs_work_close rs_k_work_libc
	rs_kernel_end rs_k_work_libc

	rs_work	rs_k_work_syscall, rs_call_system
	rs_negate_error
	rs_work_close rs_k_work_syscall
	rs_kernel_end rs_k_work_syscall

	.irp	form, mftb, isync_mftb, sync_mftb
	rs_work_clock \form
	.endr
