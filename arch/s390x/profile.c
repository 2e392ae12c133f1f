#include "arch/rows.h"

/* clang-format off */

/*
 * Symbol, name, instructions, branches, pushes and pops of the entry (profile.S), what
 * it is expected to do, what it is.
 */
#define ENTRIES(X)                                                                     \
	X(none, "none", 0, 0, 0, 0, RS_EFFECT_NONE,                                    \
	  "a function without an entry sequence")                                      \
	X(nop, "nop", 1, 0, 0, 0, RS_EFFECT_NONE,                                      \
	  "a brcl at the entry that never branches: a tracer that is off")             \
	X(inline, "inline", 3, 2, 1, 0, RS_EFFECT_CORRUPTING,                          \
	  "brasl r0 to a tracer that goes back by br r1: a push without a "            \
	  "return")                                                                    \
	X(outline, "outline", 6, 4, 1, 1, RS_EFFECT_BALANCED,                          \
	  "jg to a stub, which calls a tracer that returns by br r14, and back")       \
	X(graph, "graph", 10, 5, 1, 2, RS_EFFECT_CORRUPTING,                           \
	  "the tracer replaces the return address: two returns for one call, "         \
	  "which shift every enclosing one")

#define KERNEL(...) RS_PROFILE_KERNEL(4, 5, __VA_ARGS__)

#pragma GCC visibility push(hidden)
ENTRIES(RS_PROFILE_DECLARED)
#pragma GCC visibility pop

ENTRIES(KERNEL)

const struct rs_variant rs_profile_rows[] = {
    ENTRIES(RS_PROFILE_ROW)
    {.name = NULL},
};
