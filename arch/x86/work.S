/*
 * rs_k_work_none: reads a block of memory, a 64-byte line at a time.
 * rs_k_work_READ: the same, and then reads the clock READS times: through a target
 * (target), by the system call (syscall), or with clockread.S's gettimeofday() around a
 * form of clockread.inc.
 *
 * In:       %rdi argument words: CALLS, BLOCK, LINES; and but for none READS and
 *             target   TARGET, ARG0..ARG2
 *             syscall  SYSNO, ARG0..ARG2
 *             FORM     ARG0 (struct timeval *, may be 0); the kernel's data word
 * Out:      %rax and RESULT: what the last read returned; none: the block's last word
 * Clobbers: whatever a target may, by the psABI
 *
 * One iteration executes
 *   the block          2 mov; for each line 8 mov, add, dec, jnz
 *   the loop           dec, jnz
 *   all but none       mov; for each read dec, jnz and
 *     target           3 mov, call                      1 branch, 1 call
 *     syscall          4 mov, syscall
 *     FORM             mov, call; 31 + n, ret included  5 branches, 1 call, 1 return
 * in all for one line and one read, with n instructions in the form,
 *              instructions  branches  calls  returns
 *   none       15            2         0      0
 *   target     22            4         1      1 (the target's)
 *   syscall    23            3         0      0
 *   FORM       51 + n        8         1      1
 */

#include "arch/datapage.h"
#include "arch/x86/kernel.inc"
#include "arch/x86/clockread.inc"
#include "arch/x86/datapage_read.inc"
#include "arch/x86/target.inc"

	.macro	rs_work_open kernel
	rs_entry \kernel
	push	%r12
	sub	$8, %rsp
	.p2align 6
1:	mov	KARG(RS_KARG_BLOCK), %rsi
	mov	KARG(RS_KARG_LINES), %rcx
2:
	.irp	at, 0, 8, 16, 24, 32, 40, 48, 56
	mov	\at(%rsi), %rax
	.endr
	add	$64, %rsi
	dec	%rcx
	jnz	2b
	.endm

	.macro	rs_work_close kernel
	dec	%rbx
	jnz	1b
	add	$8, %rsp
	pop	%r12
	rs_entry_end \kernel
	.endm

	.macro	rs_work_form kernel
	mov	KARG(RS_KARG_ARG0), %rdi
	call	\kernel\()_gettimeofday
	.endm

	.macro	rs_work kernel, read
	rs_work_open \kernel
	mov	KARG(RS_KARG_READS), %r12
3:	\read	\kernel
	dec	%r12
	jnz	3b
	rs_work_close \kernel
	.endm

	.macro	rs_work_clock form
	rs_work	rs_k_work_\form, rs_work_form
	rs_datapage_relative rs_k_work_\form, \form
	rs_kernel_end rs_k_work_\form
	.endm

	rs_work_open rs_k_work_none
	rs_work_close rs_k_work_none
	rs_kernel_end rs_k_work_none

	rs_work	rs_k_work_target, rs_call_target
	rs_kernel_end rs_k_work_target

	rs_work	rs_k_work_syscall, rs_call_system
	rs_kernel_end rs_k_work_syscall

	.irp	form, rdtsc, lfence_rdtsc, rdtsc_lfence, lfence_rdtsc_lfence, \
		mfence_rdtsc, mfence_lfence_rdtsc, rdtscp, rdtscp_lfence, cpuid_rdtsc
	rs_work_clock \form
	.endr
