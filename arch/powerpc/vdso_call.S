/*
 * long rs_vdso_call(const void *function, const unsigned long args[5])
 *
 * In assembly because the vDSO's error is in CR0.SO and, on ELFv1, its symbols are
 * addresses of code, where C expects a descriptor.
 */

#include "arch/powerpc/kernel.inc"

	rs_c_func rs_vdso_call
	rs_frame_open
	STORE	%r2, FRAME_BYTES - WORD_BYTES(%r1)
	mr	%r12, %r3
	mtctr	%r12
	mr	%r11, %r4
	LOAD	%r3, 0 * WORD_BYTES(%r11)
	LOAD	%r4, 1 * WORD_BYTES(%r11)
	LOAD	%r5, 2 * WORD_BYTES(%r11)
	LOAD	%r6, 3 * WORD_BYTES(%r11)
	LOAD	%r7, 4 * WORD_BYTES(%r11)
	bctrl
	rs_negate_error
	LOAD	%r2, FRAME_BYTES - WORD_BYTES(%r1)
	rs_frame_close
