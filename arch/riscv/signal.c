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
	X(call, 7, 3, 1, 1, RS_EFFECT_BALANCED,                                        \
	  "the handler calls the function that counts and leaves by a jump: "          \
	  "one call, one return of its own")

#define DECLARED(way, n, n_branches, n_pushes, n_pops, effect, text)                   \
	RS_K_FRAMED(signal_##way);

#define KERNEL(way, n, n_branches, n_pushes, n_pops, effect, text)                     \
	static const struct rs_kernel signal_##way = {                                 \
	    RS_K_FRAMED_CODE(signal_##way),                                            \
	    .result = RS_RESULT_CALLS,                                                 \
	    .takes_signals = true,                                                     \
	    .counts = {                                                                \
		.instructions = {7 + (n), 6},                                          \
		.branches = {1 + (n_branches), 2},                                     \
		.pushes = {(n_pushes), 1},                                             \
		.pops = {(n_pops), 1},                                                 \
	    },                                                                         \
	};

#define ROW(way, n, n_branches, n_pushes, n_pops, row_effect, row_text)                \
	{.name = #way, .text = row_text, .effect = row_effect, .kernel = &signal_##way},

#pragma GCC visibility push(hidden)
WAYS(DECLARED)
#pragma GCC visibility pop

WAYS(KERNEL)

const struct rs_variant rs_signal_rows[] = {
    WAYS(ROW)
    {.name = NULL},
};
