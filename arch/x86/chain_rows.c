#include "arch/rows.h"

#pragma GCC visibility push(hidden)
RS_K_PLAIN(chain);
RS_K_PLAIN(recursion);
#pragma GCC visibility pop

/* A frame of these counts is one of the n calls (chain.S). */
static const struct rs_kernel chain = {
    RS_K_PLAIN_CODE(chain),
    .counts =
	{
	    .instructions = {5, 6},
	    .branches = {0, 3},
	    .pushes = {0, 1},
	    .pops = {0, 1},
	},
    .counts_are_exact = true,
};

static const struct rs_kernel recursion = {
    RS_K_PLAIN_CODE(recursion),
    .counts =
	{
	    .instructions = {4, 5},
	    .branches = {1, 3},
	    .pushes = {0, 1},
	    .pops = {0, 1},
	},
    .counts_are_exact = true,
};

const struct rs_chain rs_chain_rows[] = {
    {
	.name = "random",
	.text = "each level is called from one of two sites, by a fresh random bit",
	.kernel = &chain,
	.has_bits = true,
	.is_random = true,
    },
    {
	.name = "fixed",
	.text = "each level has one call site of its own",
	.kernel = &chain,
	.has_bits = true,
    },
    {
	.name = "recursion",
	.text = "one call site serves all levels",
	.kernel = &recursion,
    },
    {.name = NULL},
};
