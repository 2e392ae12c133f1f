#ifndef ARCH_RISCV_CLOCKREAD_H
#define ARCH_RISCV_CLOCKREAD_H

/* The forms of clockread.inc as rows, for the families that are made of them. */

/* clang-format off */

/* Symbol, name, instructions of the form (clockread.inc), what it is. */
#define RS_CLOCKREAD_FORMS(X)                                                          \
	X(rdtime, "rdtime", 1, "rdtime alone, as in the vDSO")                         \
	X(fence_rdtime, "fence+rdtime", 2,                                             \
	  "fence; rdtime: the read waits for earlier accesses to memory")              \
	X(rdtime_fence, "rdtime+fence", 2,                                             \
	  "rdtime; fence: later accesses to memory wait for the read")                 \
	X(fence_rdtime_fence, "fence+rdtime+fence", 3, "fence; rdtime; fence: both")

/* clang-format on */

#endif
