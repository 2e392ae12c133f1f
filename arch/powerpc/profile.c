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
	  "a nop at the entry: a tracer that is off")                                  \
	X(mflr_nop, "mflr+nop", 2, 0, 0, 0, RS_EFFECT_NONE,                            \
	  "mflr r0; nop: a tracer in line that is off")                                \
	X(inline, "inline", 6, 2, 1, 0, RS_EFFECT_CORRUPTING,                          \
	  "mflr r0; bl to a tracer that goes back by bctr: a push without a "          \
	  "return")                                                                    \
	X(outline, "outline", 6, 4, 1, 1, RS_EFFECT_BALANCED,                          \
	  "b to a stub, which calls a tracer that returns by blr, and back")           \
	X(graph, "graph", 10, 5, 1, 2, RS_EFFECT_CORRUPTING,                           \
	  "the tracer replaces the return address: two returns for one call, "         \
	  "which shift every enclosing one")

#define KERNEL(...) RS_PROFILE_KERNEL(6, 8, __VA_ARGS__)

#pragma GCC visibility push(hidden)
ENTRIES(RS_PROFILE_DECLARED)
#pragma GCC visibility pop

ENTRIES(KERNEL)

const struct rs_variant rs_profile_rows[] = {
    ENTRIES(RS_PROFILE_ROW)
    {.name = NULL},
};
