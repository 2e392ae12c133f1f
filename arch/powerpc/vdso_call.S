/*
 * long rs_vdso_call(const void *function, unsigned long arg0, arg1, arg2)
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
	mr	%r3, %r4
	mr	%r4, %r5
	mr	%r5, %r6
	bctrl
	rs_negate_error
	LOAD	%r2, FRAME_BYTES - WORD_BYTES(%r1)
	rs_frame_close
