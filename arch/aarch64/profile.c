#include "arch/rows.h"

/* clang-format off */

/*
 * Symbol, name, instructions, branches, pushes and pops of the entry (profile.S), what
 * it is expected to do, what it is.
 */
#define ENTRIES(X)                                                                     \
	X(none, "none", 0, 0, 0, 0, RS_EFFECT_NONE,                                    \
	  "a function without an entry sequence")                                      \
	X(nop, "nop", 2, 0, 0, 0, RS_EFFECT_NONE,                                      \
	  "two nops at the entry: a tracer that is off")                               \
	X(mov_nop, "mov+nop", 2, 0, 0, 0, RS_EFFECT_NONE,                              \
	  "mov x9, x30; nop: a tracer that is off and can be switched on")             \
	X(fentry, "fentry", 5, 2, 1, 1, RS_EFFECT_BALANCED,                            \
	  "mov x9, x30; bl to a tracer that goes back by ret x10, as the arm64 "       \
	  "kernel's does")                                                             \
	X(inline, "inline", 5, 2, 1, 0, RS_EFFECT_CORRUPTING,                          \
	  "the same, but back by br x10, the counterpart of powerpc's bctr: a push "   \
	  "without a return")                                                          \
	X(outline, "outline", 6, 4, 1, 1, RS_EFFECT_BALANCED,                          \
	  "b to a stub, which calls a tracer that returns, and back")                  \
	X(graph, "graph", 10, 5, 1, 2, RS_EFFECT_CORRUPTING,                           \
	  "the tracer replaces the return address: two returns for one call, "         \
	  "which shift every enclosing one")

#define KERNEL(...) RS_PROFILE_KERNEL(5, 5, __VA_ARGS__)

#pragma GCC visibility push(hidden)
ENTRIES(RS_PROFILE_DECLARED)
#pragma GCC visibility pop

ENTRIES(KERNEL)

const struct rs_variant rs_profile_rows[] = {
    ENTRIES(RS_PROFILE_ROW)
    {.name = NULL},
};
