#ifndef TESTS_KERNELS_TARGET_H
#define TESTS_KERNELS_TARGET_H

/* What the vdso family's kernels call in tests. */

#include <stdint.h>

/* Remembers how it was called; returns 1000 times how often. */
unsigned long rs_remember(unsigned long a, unsigned long b, unsigned long c,
			  unsigned long d, unsigned long e);

/* Code that calls it under the vDSO's convention. */
extern const unsigned char rs_k_remember[];

/* Code that fails with EINVAL under the vDSO's convention. */
extern const unsigned char rs_k_fail[];

/* The vDSO's function of that name without prefix; 0 where this process has none. */
uintptr_t rs_target_vdso(const char *function);

#endif
