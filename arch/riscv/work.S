/*
 * rs_k_work_none: reads a block of memory, a 64-byte line at a time.
 * rs_k_work_READ: the same, and then reads the clock READS times: through a target
 * (target), by the system call (syscall), or with clockread.S's gettimeofday() around a
 * form of clockread.inc.
 *
 * In:       a0 argument words: CALLS, BLOCK, LINES; and but for none READS and
 *             target   TARGET, ARG0..ARG2
 *             syscall  SYSNO, ARG0..ARG2
 *             FORM     ARG0 (struct timeval *, may be 0); the kernel's data word
 * Out:      a0 and RESULT: what the last read returned; none: the block's last word
 * Clobbers: whatever a target may, by the psABI
 *
 * One iteration executes
 *   the block          2 ld; for each line 8 ld, 2 addi, bnez
 *   the loop           addi, bnez
 *   all but none       ld; for each read addi, bnez and
 *     target           4 ld, jalr
 *     syscall          4 ld, ecall
 *     FORM             ld, jal; what inlined_auipc of datapage.S does in gettimeofday,
 *                      with the form in the place of rdtime: 33 + n
 * in all for one line and one read, with n instructions in the form,
 *              instructions  branches  calls  returns
 *   none       15            2         0      0
 *   target     23            4         1      1 (the target's)
 *   syscall    23            3         0      0
 *   FORM       53 + n        8         1      1
 */

#include "arch/riscv/kernel.inc"
#include "arch/datapage.h"
#include "arch/riscv/clockread.inc"
#include "arch/riscv/datapage_read.inc"
#include "arch/riscv/target.inc"

	.macro	rs_work_open kernel
	rs_entry \kernel
	addi	sp, sp, -16
	sd	s2, 0(sp)
1:	ld	a1, KARG(RS_KARG_BLOCK)
	ld	a2, KARG(RS_KARG_LINES)
2:
	.irp	at, 0, 8, 16, 24, 32, 40, 48, 56
	ld	a0, \at(a1)
	.endr
	addi	a1, a1, 64
	addi	a2, a2, -1
	bnez	a2, 2b
	.endm

	.macro	rs_work_close kernel
	rs_again
	ld	s2, 0(sp)
	addi	sp, sp, 16
	rs_entry_end \kernel
	.endm

	.macro	rs_work_form kernel
	ld	a0, KARG(RS_KARG_ARG0)
	jal	ra, \kernel\()_gettimeofday
	.endm

	.macro	rs_work kernel, read
	rs_work_open \kernel
	ld	s2, KARG(RS_KARG_READS)
3:	\read	\kernel
	addi	s2, s2, -1
	bnez	s2, 3b
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

	.irp	form, rdtime, fence_rdtime, rdtime_fence, fence_rdtime_fence
	rs_work_clock \form
	.endr
