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
	X(fentry, "fentry", 3, 2, 1, 1, RS_EFFECT_BALANCED,                            \
	  "jalr with the link register t0 to a tracer that goes back by jr t0, as "    \
	  "the riscv kernel's does")                                                   \
	X(inline, "inline", 4, 2, 1, 0, RS_EFFECT_CORRUPTING,                          \
	  "the same, but back by jr t2, the counterpart of powerpc's bctr: a push "    \
	  "without a return")                                                          \
	X(outline, "outline", 6, 4, 1, 1, RS_EFFECT_BALANCED,                          \
	  "j to a stub, which calls a tracer that returns, and back")                  \
	X(graph, "graph", 11, 5, 1, 2, RS_EFFECT_CORRUPTING,                           \
	  "the tracer replaces the return address: two returns for one call, "         \
	  "which shift every enclosing one")

#define KERNEL(...) RS_PROFILE_KERNEL(5, 6, __VA_ARGS__)

#pragma GCC visibility push(hidden)
ENTRIES(RS_PROFILE_DECLARED)
#pragma GCC visibility pop

ENTRIES(KERNEL)

const struct rs_variant rs_profile_rows[] = {
    ENTRIES(RS_PROFILE_ROW)
    {.name = NULL},
};
