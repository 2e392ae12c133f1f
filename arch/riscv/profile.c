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

#define DECLARED(id, name, n, n_branches, n_pushes, n_pops, effect, text)              \
	RS_K_FRAMED(profile_##id);

#define KERNEL(id, name, n, n_branches, n_pushes, n_pops, effect, text)                \
	static const struct rs_kernel profile_##id = {                                 \
	    RS_K_FRAMED_CODE(profile_##id),                                            \
	    .result = RS_RESULT_CALLS,                                                 \
	    .counts = {                                                                \
		.instructions = {5 + (n), 6},                                          \
		.branches = {1 + (n_branches), 2},                                     \
		.pushes = {(n_pushes), 1},                                             \
		.pops = {(n_pops), 1},                                                 \
	    },                                                                         \
	    .counts_are_exact = true,                                                  \
	};

#define ROW(id, row_name, n, n_branches, n_pushes, n_pops, row_effect, row_text)       \
	{.name = row_name, .text = row_text, .effect = row_effect,                     \
	 .kernel = &profile_##id},

#pragma GCC visibility push(hidden)
ENTRIES(DECLARED)
#pragma GCC visibility pop

ENTRIES(KERNEL)

const struct rs_variant rs_profile_rows[] = {
    ENTRIES(ROW)
    {.name = NULL},
};
