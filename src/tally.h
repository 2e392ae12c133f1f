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

/*
 * Whether an instruction at address that next followed is not done yet: a string
 * instruction of x86 stays where it is until all repetitions are done, and some
 * kernels stop once more on the way out of exec or clone.
 */
bool rs_insn_is_unfinished(const struct rs_insn *insn, uint64_t address, uint64_t next);

#endif
