#include "src/pc_read.h"

#define MAX_SKIPPED_BYTES 64 /* data words that follow such a call */
#define MAX_LOOK_AHEAD    16 /* instructions */

static bool decode_at(const struct rs_piece *piece, uint64_t address,
		      struct rs_insn *insn)
{
	const uint64_t at = address - piece->address;
	return at < piece->n_bytes &&
	       rs_decode(piece->decoder, piece->bytes + at, piece->n_bytes - at,
			 address, insn) == 0;
}

static bool is_function(const struct rs_piece *piece, uint64_t address)
{
	uint64_t offset = 0;
	return piece->symbols && rs_symbols_find(piece->symbols, address, &offset) &&
	       offset == 0;
}

/* x86: the first change of the stack pointer frees the return address. */
static bool is_discarded(const struct rs_piece *piece, uint64_t address)
{
	int64_t height = 0;
	for (unsigned int i = 0; i < MAX_LOOK_AHEAD; i++) {
		struct rs_insn insn;
		if (!decode_at(piece, address, &insn) || insn.flow != RS_FLOW_OTHER ||
		    insn.stack_bytes == RS_STACK_LOST || insn.is_from_frame)
			return false;
		if (insn.stack_bytes > 0 && height == 0)
			return true;
		height += insn.stack_bytes;
		address += insn.n_bytes;
	}
	return false;
}

/* Whether a return to address would do something else than run into target. */
static bool is_returned_to(const struct rs_piece *piece, uint64_t address,
			   uint64_t target)
{
	while (address < target) {
		struct rs_insn insn;
		if (!decode_at(piece, address, &insn) || insn.flow == RS_FLOW_TRAP)
			return false;
		if (insn.flow != RS_FLOW_OTHER && !insn.is_conditional)
			return true;
		address += insn.n_bytes;
	}
	return false;
}

static bool returns_at_once(const struct rs_piece *piece, uint64_t address,
			    uint8_t link)
{
	for (unsigned int i = 0; i < MAX_LOOK_AHEAD; i++) {
		struct rs_insn insn;
		if (!decode_at(piece, address, &insn))
			return false;
		if (insn.flow == RS_FLOW_POP)
			return insn.through == link;
		const bool overwrites =
		    insn.move_to == link ||
		    (link <= RS_REG(63) && insn.sets >> (link - 1) & 1);
		if (insn.flow != RS_FLOW_OTHER || overwrites)
			return false;
		address += insn.n_bytes;
	}
	return false;
}

bool rs_is_pc_read(const struct rs_piece *piece, const struct rs_step *step)
{
	const struct rs_insn *const insn = &step->insn;
	const uint64_t next = piece->address + step->at + insn->n_bytes;
	if (insn->link == RS_REG_STACK)
		return insn->target == next || (!is_function(piece, insn->target) &&
						is_discarded(piece, insn->target));
	if (insn->target - next > MAX_SKIPPED_BYTES ||
	    is_function(piece, insn->target) ||
	    is_returned_to(piece, next, insn->target))
		return false;
	return insn->flow == RS_FLOW_EXEMPT ||
	       !returns_at_once(piece, insn->target, insn->link);
}
