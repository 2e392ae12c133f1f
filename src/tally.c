#include "src/tally.h"

/* What each flow adds. A trap is made not to come back: no branch. */
static const struct rs_tally added[] = {
    [RS_FLOW_OTHER] = {.instructions = 1},
    [RS_FLOW_PUSH] = {.instructions = 1, .branches = 1, .pushes = 1},
    [RS_FLOW_EXEMPT] = {.instructions = 1, .branches = 1, .exempt = 1},
    [RS_FLOW_POP] = {.instructions = 1, .branches = 1, .pops = 1},
    [RS_FLOW_POP_PUSH] = {.instructions = 1, .branches = 1, .pushes = 1, .pops = 1},
    [RS_FLOW_JUMP] = {.instructions = 1, .branches = 1},
    [RS_FLOW_INDIRECT] = {.instructions = 1, .branches = 1},
    [RS_FLOW_TRAP] = {.instructions = 1},
};

void rs_tally_add(struct rs_tally *tally, const struct rs_insn *insn, bool is_taken)
{
	const struct rs_tally *const row = &added[insn->flow];
	tally->instructions += row->instructions;
	tally->branches += row->branches;
	if (insn->is_conditional && !is_taken)
		return;
	tally->pushes += row->pushes;
	tally->pops += row->pops;
	tally->exempt += row->exempt;
}

bool rs_insn_is_unfinished(const struct rs_insn *insn, uint64_t address, uint64_t next)
{
	const bool may_stay = insn->flow == RS_FLOW_INDIRECT ||
			      (insn->has_target && insn->target == next);
	return next == address && !may_stay;
}
