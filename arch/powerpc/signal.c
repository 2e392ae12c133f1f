#include "arch/rows.h"

/* The vDSO of Linux 5.8 and later calls the handlers of 64-bit programs (signal.S). */
#ifdef __powerpc64__
#define RETURN_EFFECT RS_EFFECT_BALANCED
#define JUMP_EFFECT   RS_EFFECT_CORRUPTING
#else
#define RETURN_EFFECT RS_EFFECT_CORRUPTING
#define JUMP_EFFECT   RS_EFFECT_BALANCED
#endif

/* clang-format off */

/*
 * Name, instructions, branches, pushes and pops of the handler (signal.S), what it is
 * expected to do, what it is. Not exact: the system does some of it.
 */
#define WAYS(X)                                                                        \
	X(return, 4, 1, 0, 1, RETURN_EFFECT,                                           \
	  "the handler returns, as C does; the vDSO calls it in 64-bit "               \
	  "programs since Linux 5.8, before nobody did")                               \
	X(jump, 6, 1, 0, 0, JUMP_EFFECT,                                               \
	  "the handler leaves by a jump, balanced where nobody calls it")              \
	X(call, 8, 3, 1, 1, JUMP_EFFECT,                                               \
	  "the handler calls the function that counts and leaves by a jump: "          \
	  "as unbalanced as jump")

#define KERNEL(...) RS_SIGNAL_KERNEL(8, 8, __VA_ARGS__)

#pragma GCC visibility push(hidden)
WAYS(RS_SIGNAL_DECLARED)
#pragma GCC visibility pop

WAYS(KERNEL)

const struct rs_variant rs_signal_rows[] = {
    WAYS(RS_SIGNAL_ROW)
    {.name = NULL},
};
