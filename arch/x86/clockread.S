/*
 * rs_k_clockread_FORM: reads the time-stamp counter in one of the forms of
 * clockread.inc, straight in the loop.
 *
 * In:       %rdi argument words: CALLS
 * Out:      %rax and RESULT: the ticks that the last iteration read
 * Clobbers: %rax, %rcx, %rdx, %r8, flags
 *
 * One iteration: the form's n instructions, dec, jnz: n + 2, 1 branch. No call, no
 * return.
 *
 * rs_k_clockday_FORM: a gettimeofday() around that read: loop -> gettimeofday, which
 * finds its data page by an address relative to the PC, as the x86 vDSO does.
 *
 * In:       %rdi argument words: CALLS, ARG0 (struct timeval *, may be 0)
 *           the kernel's data word, as in datapage.S
 * Out:      %rax and RESULT: 0; *ARG0: the time of day
 * Clobbers: %rax, %rcx, %rdx, %rsi, %rdi, %r8, %r9, flags
 *
 * One iteration executes, while nobody writes the page and ARG0 is not 0,
 *   loop           mov, call, dec, jnz
 *   gettimeofday   lea, movslq, add; 27 instructions and the form's n, three of them
 *                  jumps not taken; ret
 * in all 35 + n instructions, 6 branches, 1 call, 1 return.
 */

#include "arch/datapage.h"
#include "arch/x86/kernel.inc"
#include "arch/x86/clockread.inc"
#include "arch/x86/datapage_read.inc"

	.macro	rs_clockread form
	rs_entry rs_k_clockread_\form
1:	rs_clockread_\form
	dec	%rbx
	jnz	1b
	rs_entry_end rs_k_clockread_\form
	rs_kernel_end rs_k_clockread_\form
	.endm

	.macro	rs_clockday form
	rs_datapage_loop rs_k_clockday_\form
	rs_datapage_relative rs_k_clockday_\form, \form
	rs_kernel_end rs_k_clockday_\form
	.endm

	.irp	form, rdtsc, lfence_rdtsc, rdtsc_lfence, lfence_rdtsc_lfence, \
		mfence_rdtsc, mfence_lfence_rdtsc, rdtscp, rdtscp_lfence, cpuid_rdtsc
	rs_clockread \form
	rs_clockday \form
	.endr
