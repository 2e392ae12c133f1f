#ifndef SRC_TALLY_H
#define SRC_TALLY_H

/* How many executed instructions did what to the link stack. */

#include <stdbool.h>
#include <stdint.h>

#include "arch/arch.h"

/* As struct rs_counts has them: what pops and pushes at once is in both. */
struct rs_tally {
	uint64_t instructions;
	uint64_t branches; /* all that may transfer control, taken or not */
	uint64_t pushes;
	uint64_t pops;
	uint64_t exempt;
};

/*
 * Adds one executed instruction. is_taken: whether it transferred control, which
 * matters for conditional calls and returns.
 */
void rs_tally_add(struct rs_tally *tally, const struct rs_insn *insn, bool is_taken);

#endif
