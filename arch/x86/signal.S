/*
 * rs_k_signal_WAY_k: sends itself a signal below k = 1..8 enclosing frames: loop ->
 * f_k -> ... -> f_1, which makes the system call. The handler, which the loop's prologue
 * installs and its epilogue takes back, counts and goes back to code that
 * makes the system call rt_sigreturn.
 *
 * In:       %rdi argument words: CALLS
 * Out:      %rax and RESULT: how often the handler ran, CALLS
 * Clobbers: %rax, %rcx, %rdx, %rsi, %rdi, %r8 to %r11, flags; the handler of SIGURG
 *           while it runs
 *
 * One iteration executes
 *   loop       call, dec, jnz                       3 instructions, 2 branches, 1 call
 *   f_k..f_2   sub, call, add, ret          (k - 1) x 4 instructions, 2 branches
 *   f_1        sub, 4 mov, syscall, add, ret        8 instructions, 1 branch
 * in all 7 + 4k instructions, 1 + 2k branches, k calls, k returns and in the handler,
 * with mov, syscall of rt_sigreturn,
 *   way     instructions  branches  calls  returns
 *   return  4             1         0      1        inc, ret
 *   jump    5             1         0      0        inc, pop, jmp
 *   call    7             3         1      1        call, pop, jmp around inc, ret
 *
 * The system enters the handler without a call: the ret of `return' finds the entry of
 * an enclosing one. The handler finds the argument words in %r14: Linux sets registers
 * for a handler's arguments and leaves the others (arch/x86/kernel/signal_64.c).
 *
 * SIGURG, because a process that does not handle it ignores it.
 */

#include "arch/x86/kernel.inc"

#define SIGURG           23
#define SA_RESTORER      0x04000000
#define SYS_rt_sigaction 13
#define SYS_rt_sigreturn 15
#define SYS_getpid       39
#define SYS_gettid       186
#define SYS_tgkill       234

/* The kernel's struct sigaction, twice: what is set, what was. */
#define ACTION_BYTES 32
#define NEW_ACTION   0
#define OLD_ACTION   ACTION_BYTES

/* %rsi: what is set, %rdx: where what was goes, or 0. */
	.macro	rs_signal_act
	mov	$SYS_rt_sigaction, %eax
	mov	$SIGURG, %edi
	mov	$8, %r10d		/* bytes of a set of signals */
	syscall
	.endm

	.macro	rs_signal_install kernel
	push	%r12
	push	%r13
	sub	$2 * ACTION_BYTES, %rsp
	mov	$SYS_getpid, %eax
	syscall
	mov	%rax, %r12
	mov	$SYS_gettid, %eax
	syscall
	mov	%rax, %r13
	lea	\kernel\()_handler(%rip), %rax
	mov	%rax, NEW_ACTION(%rsp)
	movq	$SA_RESTORER, NEW_ACTION + 8(%rsp)
	lea	\kernel\()_restorer(%rip), %rax
	mov	%rax, NEW_ACTION + 16(%rsp)
	movq	$0, NEW_ACTION + 24(%rsp)
	movq	$0, KARG(RS_KARG_RESULT)
	lea	NEW_ACTION(%rsp), %rsi
	lea	OLD_ACTION(%rsp), %rdx
	rs_signal_act
	.p2align 6
	.endm

	.macro	rs_signal_remove
	lea	OLD_ACTION(%rsp), %rsi
	xor	%edx, %edx
	rs_signal_act
	add	$2 * ACTION_BYTES, %rsp
	pop	%r13
	pop	%r12
	mov	KARG(RS_KARG_RESULT), %rax
	.endm

	.macro	rs_signal_return kernel
	rs_func	\kernel\()_handler
	incq	KARG(RS_KARG_RESULT)
	ret
	rs_func_end \kernel\()_handler
	.endm

	.macro	rs_signal_jump kernel
	rs_func	\kernel\()_handler
	incq	KARG(RS_KARG_RESULT)
	pop	%rcx
	jmp	*%rcx
	rs_func_end \kernel\()_handler
	.endm

	.macro	rs_signal_call kernel
	rs_func	\kernel\()_handler
	call	\kernel\()_count
	pop	%rcx
	jmp	*%rcx
	rs_func_end \kernel\()_handler
	rs_func	\kernel\()_count
	incq	KARG(RS_KARG_RESULT)
	ret
	rs_func_end \kernel\()_count
	.endm

	.macro	rs_signal kernel, way
	.irp	k, 1, 2, 3, 4, 5, 6, 7, 8
	rs_entry \kernel\()_\k
	rs_signal_install \kernel
1:	call	\kernel\()_f\k
	dec	%rbx
	jnz	1b
	rs_signal_remove
	rs_entry_end \kernel\()_\k
	.endr
	rs_frames \kernel
	rs_func	\kernel\()_f1
	sub	$8, %rsp
	mov	%r12, %rdi
	mov	%r13, %rsi
	mov	$SIGURG, %edx
	mov	$SYS_tgkill, %eax
	syscall
	add	$8, %rsp
	ret
	rs_func_end \kernel\()_f1
	rs_signal_\way \kernel
	rs_func	\kernel\()_restorer
	mov	$SYS_rt_sigreturn, %eax
	syscall
	rs_func_end \kernel\()_restorer
	rs_kernel_end \kernel
	.endm

	rs_signal rs_k_signal_return, return
	rs_signal rs_k_signal_jump, jump
	rs_signal rs_k_signal_call, call
