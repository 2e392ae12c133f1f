/*
 * rs_k_datapage_SHAPE: a gettimeofday() in the manner of the vDSO, which finds its data
 * page from its own address:
 *   called4   loop -> gettimeofday -> get_datapage, which calls over its data word: the
 *             sequence of the powerpc vDSO from 2005 to 2015
 *   called0   the same, but the data word lies in front of the function and the call
 *             goes to the next instruction: the fix of 2015
 *   inlined0  that sequence inside gettimeofday: the form of 2020
 *
 * In:       %rdi argument words: CALLS, ARG0 (struct timeval *, may be 0)
 *           the kernel's data word: signed distance from the word to the
 *           struct rs_datapage, written by whoever places the copy
 * Out:      %rax and RESULT: 0; *ARG0: the time of day
 * Clobbers: %rax, %rcx, %rdx, %rsi, %rdi, %r8, %r9, flags
 *
 * One iteration executes, while nobody writes the page and ARG0 is not 0,
 *   loop           mov, call, dec, jnz
 *   gettimeofday   31 instructions that read and store, three of them jumps not taken;
 *                  the return; and
 *     called4      sub, call, mov, add; in get_datapage call, pop, movslq, add, ret
 *     called0      sub, call, mov, add; in get_datapage call, pop, movslq, lea, ret
 *     inlined0     call, pop, movslq, lea, mov
 * in all
 *              instructions  branches  pushed calls  exempt calls  returns
 *   called4    45            9         3             0             2
 *   called0    45            9         2             1             2
 *   inlined0   41            7         1             1             1
 * The seconds are split off by multiplication, so that no count depends on the time.
 */

#include "arch/datapage.h"
#include "arch/x86/kernel.inc"
#include "arch/x86/clockread.inc"
#include "arch/x86/datapage_read.inc"

	.macro	rs_datapage_called kernel
	rs_datapage_loop \kernel
	rs_func	\kernel\()_gettimeofday
	sub	$8, %rsp
	call	\kernel\()_get_datapage
	mov	%rax, %rsi
	rs_datapage_read lfence_rdtsc
	add	$8, %rsp
	ret
	rs_datapage_wait
	rs_func_end \kernel\()_gettimeofday
	.endm

	rs_datapage_called rs_k_datapage_called4
	rs_func	rs_k_datapage_called4_get_datapage
	call	1f			/* over the word: pushed, never popped */
	rs_label rs_k_datapage_called4_data_word
	.long	0
1:	pop	%rax
	movslq	(%rax), %rcx
	add	%rcx, %rax
	ret
	rs_func_end rs_k_datapage_called4_get_datapage
	rs_kernel_end rs_k_datapage_called4

/* Reads the word in front of the function and adds it to the word's address. */
	.macro	rs_datapage_address kernel
	call	1f			/* to the next instruction: exempt */
1:	pop	%rax
	movslq	\kernel\()_data_word - 1b(%rax), %rcx
	lea	\kernel\()_data_word - 1b(%rax, %rcx), %rax
	.endm

	rs_datapage_called rs_k_datapage_called0
	rs_data_word_in_front rs_k_datapage_called0
	rs_func	rs_k_datapage_called0_get_datapage
	rs_datapage_address rs_k_datapage_called0
	ret
	rs_func_end rs_k_datapage_called0_get_datapage
	rs_kernel_end rs_k_datapage_called0

	rs_datapage_loop rs_k_datapage_inlined0
	rs_data_word_in_front rs_k_datapage_inlined0
	rs_func	rs_k_datapage_inlined0_gettimeofday
	rs_datapage_address rs_k_datapage_inlined0
	mov	%rax, %rsi
	rs_datapage_read lfence_rdtsc
	ret
	rs_datapage_wait
	rs_func_end rs_k_datapage_inlined0_gettimeofday
	rs_kernel_end rs_k_datapage_inlined0
