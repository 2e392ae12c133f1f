/*
 * void rs_checked_enter(const void *entry, unsigned long *kargs, struct machine *m)
 *
 * Calls the code at entry with kargs on the stack that m names, with the registers that
 * m says and rubbish in all others, and writes into m what came back. struct machine
 * is in tests/kernels/checked_powerpc.c. After the call nothing is trusted, neither
 * registers nor stack: m is found through .bss. A kernel that returns up to 3
 * instructions past its return address falls into the sled of nops and is counted as
 * astray.
 */

#include "arch/powerpc/kernel.inc"

#define OWN      0
#define BANK     512
#define STACK    1024(%r8)
#define RESULT   1024 + WORD_BYTES(%r8)
#define ASTRAY   1024 + 2 * WORD_BYTES(%r8)
#define OWN_SP   1024 + 3 * WORD_BYTES(%r8)
#define OWN_LINK 1024 + 4 * WORD_BYTES(%r8)
#define UNITS    1024 + 5 * WORD_BYTES(%r8)

#define BANK_R2     18 * WORD_BYTES
#define BANK_R13    19 * WORD_BYTES
#define BANK_CR     20 * WORD_BYTES
#define BANK_VRSAVE 21 * WORD_BYTES
#define BANK_F      22 * WORD_BYTES
#define BANK_V      (22 * WORD_BYTES + 18 * 8 + 15) / 16 * 16

/* Of UNITS, as bits of CR0 after mtcrf: which registers this processor has. */
#define CR_HAS_FPU    3
#define CR_HAS_VECTOR 2

	.bss
	.p2align 3
machine:
	.skip	8
	.text

	.machine power8

/*
 * Moves r14 to r31, r2 and r13, and f14 to f31, v20 to v31 and VRSAVE where they are.
 * Uses r7 and CR0.
 */
	.macro	bank_move word, float, vector, special, at
	.irp	n, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	\word	%r\n, \at + (\n - 14) * WORD_BYTES(%r8)
	.endr
	\word	%r2, \at + BANK_R2(%r8)
	\word	%r13, \at + BANK_R13(%r8)
	LOAD	%r7, UNITS
	rotlwi	%r7, %r7, 28
	mtcrf	0x80, %r7
	bf	CR_HAS_FPU, 1f
	.irp	n, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	\float	%f\n, \at + BANK_F + (\n - 14) * 8(%r8)
	.endr
1:	bf	CR_HAS_VECTOR, 2f
	.irp	n, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	li	%r7, \at + BANK_V + (\n - 20) * 16
	\vector	%v\n, %r8, %r7
	.endr
	vrsave_\special \at + BANK_VRSAVE(%r8)
2:
	.endm

	.macro	vrsave_store place:vararg
	mfvrsave %r7
	STORE	%r7, \place
	.endm

	.macro	vrsave_load place:vararg
	LOAD	%r7, \place
	mtvrsave %r7
	.endm

/* r11 = the address of machine; uses r12 and LR. */
	.macro	machine_address
	bcl	20, 31, 2f
1:	.long	machine - 1b
2:	mflr	%r12
	lwz	%r11, 0(%r12)
#ifdef __powerpc64__
	extsw	%r11, %r11
#endif
	add	%r11, %r11, %r12
	.endm

	rs_c_func rs_checked_enter
	mr	%r8, %r5
	mflr	%r0
	STORE	%r0, OWN_LINK
	STORE	%r1, OWN_SP
	mfcr	%r0
	STORE	%r0, OWN + BANK_CR(%r8)
	bank_move STORE, stfd, stvx, store, OWN
	machine_address
	STORE	%r8, 0(%r11)

	mtctr	%r3
	mr	%r3, %r4
	bank_move LOAD, lfd, lvx, load, BANK
	LOAD	%r0, BANK + BANK_CR(%r8)
	mtcr	%r0
	LOAD	%r1, STACK
	lis	%r0, 0xe000
	mtxer	%r0			/* SO, OV and CA are set */
	.irp	n, 4, 5, 6, 7, 8, 9, 10, 11, 12
	lis	%r\n, 0xdead - 0x10000
	.endr
	bctrl
	b	.Lstraight
	nop
	nop
	nop
	li	%r10, 1
	b	.Lback
.Lstraight:
	li	%r10, 0
.Lback:
	mfcr	%r9
	machine_address
	LOAD	%r8, 0(%r11)
	STORE	%r1, STACK
	STORE	%r3, RESULT
	STORE	%r10, ASTRAY
	STORE	%r9, BANK + BANK_CR(%r8)
	bank_move STORE, stfd, stvx, store, BANK

	bank_move LOAD, lfd, lvx, load, OWN
	LOAD	%r0, OWN + BANK_CR(%r8)
	mtcr	%r0
	li	%r0, 0
	mtxer	%r0
	LOAD	%r1, OWN_SP
	LOAD	%r0, OWN_LINK
	mtlr	%r0
	blr
