#include "arch/rows.h"

/* clang-format off */

/*
 * Name, instructions, branches, pushes and pops of the handler (signal.S), what it is
 * expected to do, what it is. Not exact: the system does some of it.
 */
#define WAYS(X)                                                                        \
	X(return, 4, 1, 0, 1, RS_EFFECT_CORRUPTING,                                    \
	  "the handler returns, as C does, without having been called")                \
	X(jump, 5, 1, 0, 0, RS_EFFECT_NONE,                                            \
	  "the handler leaves by a jump, without call or return")                      \
	X(call, 8, 3, 1, 1, RS_EFFECT_BALANCED,                                        \
	  "the handler calls the function that counts and leaves by a jump: "          \
	  "one call, one return of its own")

#define KERNEL(...) RS_SIGNAL_KERNEL(6, 5, __VA_ARGS__)

#pragma GCC visibility push(hidden)
WAYS(RS_SIGNAL_DECLARED)
#pragma GCC visibility pop

WAYS(KERNEL)

const struct rs_variant rs_signal_rows[] = {
    WAYS(RS_SIGNAL_ROW)
    {.name = NULL},
};
