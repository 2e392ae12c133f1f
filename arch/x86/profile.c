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
	  "a 5-byte nop at the entry: a tracer that is off")                           \
	X(fentry, "fentry", 2, 2, 1, 1, RS_EFFECT_BALANCED,                            \
	  "a call of a tracer that returns, as the x86 kernel's __fentry__ does")      \
	X(inline, "inline", 3, 2, 1, 0, RS_EFFECT_CORRUPTING,                          \
	  "a call of a tracer that goes back by a jump, the counterpart of "           \
	  "powerpc's bctr: a push without a return")                                   \
	X(outline, "outline", 4, 4, 1, 1, RS_EFFECT_BALANCED,                          \
	  "a jump to a stub, which calls a tracer and jumps back")                     \
	X(graph, "graph", 7, 3, 1, 2, RS_EFFECT_CORRUPTING,                            \
	  "the tracer replaces the return address: two returns for one call, "         \
	  "which shift every enclosing one")                                           \
	X(graph_jmp, "graph+jmp", 6, 3, 1, 1, RS_EFFECT_CORRUPTING,                    \
	  "the tracer replaces the return address, and a jump goes home: "             \
	  "one return goes elsewhere than its call says")

#define KERNEL(...) RS_PROFILE_KERNEL(5, 4, __VA_ARGS__)

#pragma GCC visibility push(hidden)
ENTRIES(RS_PROFILE_DECLARED)
#pragma GCC visibility pop

ENTRIES(KERNEL)

const struct rs_variant rs_profile_rows[] = {
    ENTRIES(RS_PROFILE_ROW)
    {.name = NULL},
};
