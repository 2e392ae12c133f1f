#include "src/returns.h"

#include <elf.h>
#include <string.h>

#define MAX_DEPTH 1000 /* beyond it a loop that pushes is not followed */

static void fill(struct rs_returns *returns, enum rs_value value)
{
	memset(returns->values, value, sizeof(returns->values));
}

static void set_callers(struct rs_returns *returns, const struct rs_decoder *decoder)
{
	returns->values[decoder->link] = RS_VALUE_CALLER;
	if (decoder->other_link)
		returns->values[decoder->other_link] = RS_VALUE_CALLER;
}

void rs_returns_begin(struct rs_returns *out, const struct rs_decoder *decoder,
		      unsigned int line, uint8_t called)
{
	const bool is_entry = line & (RS_LINE_ENTRY | RS_LINE_LOCAL);
	*out = (struct rs_returns){.is_reached = true, .is_kept = true};
	fill(out, RS_VALUE_UNKNOWN);
	if (line & RS_LINE_GUESS && decoder->link != RS_REG_STACK)
		set_callers(out, decoder);
	if (!is_entry)
		return;
	out->has_depth = true;
	out->has_height = true;
	out->is_local = line & RS_LINE_LOCAL;
	out->is_kept = false;
	if (line & RS_LINE_ENTRY)
		fill(out, RS_VALUE_ENTRY);
	set_callers(out, decoder);
	if (line & RS_LINE_LOCAL && out->values[called] != RS_VALUE_CALLER)
		out->values[called] = RS_VALUE_CALLED;
	out->values[RS_REG_NONE] = RS_VALUE_UNKNOWN;
}

static void move_stack(struct rs_returns *returns, int32_t bytes)
{
	int32_t height = 0;
	if (bytes == 0)
		return;
	returns->is_pushed = false;
	returns->has_height = returns->has_height && bytes != RS_STACK_LOST &&
			      !__builtin_add_overflow(returns->height, bytes, &height);
	returns->height = returns->has_height ? height : 0;
	returns->values[RS_REG_STACK] =
	    returns->has_height && height == 0 ? RS_VALUE_CALLER : RS_VALUE_UNKNOWN;
}

/* Epilogues count from the frame, whatever has become of the stack since. */
static void return_to_frame(struct rs_returns *returns)
{
	returns->has_height = returns->has_frame;
	returns->height = returns->frame;
	returns->is_pushed = false;
	returns->values[RS_REG_STACK] = returns->has_frame && returns->frame == 0
					    ? RS_VALUE_CALLER
					    : RS_VALUE_UNKNOWN;
}

static bool sets(const struct rs_insn *insn, uint8_t reg)
{
	return reg && reg <= RS_REG(63) && insn->sets >> (reg - 1) & 1;
}

/* Where the frame's register points once an instruction has run. */
static void set_frame(struct rs_returns *returns, const struct rs_decoder *decoder,
		      const struct rs_insn *insn)
{
	if (insn->move_to != decoder->frame && !sets(insn, decoder->frame))
		return;
	returns->has_frame = insn->move_from == decoder->stack && returns->has_height;
	returns->frame = returns->has_frame ? returns->height : 0;
}

static bool is_frame(const struct rs_decoder *decoder, uint8_t reg)
{
	return reg == decoder->stack || reg == decoder->frame;
}

static void note_switch(struct rs_returns *returns, const struct rs_decoder *decoder,
			const struct rs_insn *insn)
{
	if (insn->move_to == decoder->stack && !is_frame(decoder, insn->move_from))
		returns->is_switched = true;
	if (sets(insn, decoder->stack) && (insn->is_load || insn->base) &&
	    !is_frame(decoder, insn->base))
		returns->is_switched = true;
}

static void set_values(struct rs_returns *returns, const struct rs_decoder *decoder,
		       const struct rs_insn *insn)
{
	const enum rs_value value = !insn->is_load                  ? RS_VALUE_COMPUTED
				    : is_frame(decoder, insn->base) ? RS_VALUE_SAVED
								    : RS_VALUE_FAR;
	for (uint64_t left = insn->sets; left; left &= left - 1)
		returns->values[RS_REG(__builtin_ctzll(left))] = (uint8_t)value;
}

/* What is popped from where nobody knows may well be a return address. */
static uint8_t value_moved(const struct rs_returns *returns, const struct rs_insn *insn)
{
	const uint8_t value = returns->values[insn->move_from];
	if (value == RS_VALUE_CALLED)
		return RS_VALUE_CALLER;
	return insn->move_from == RS_REG_STACK && value == RS_VALUE_UNKNOWN
		   ? RS_VALUE_SAVED
		   : value;
}

static void take_other(struct rs_returns *returns, const struct rs_decoder *decoder,
		       const struct rs_insn *insn)
{
	const uint8_t moved = value_moved(returns, insn);
	note_switch(returns, decoder, insn);
	if (insn->is_from_frame)
		return_to_frame(returns);
	set_frame(returns, decoder, insn);
	move_stack(returns, insn->stack_bytes);
	if (insn->move_to) {
		returns->values[insn->move_to] = moved;
		returns->is_kept |= moved == RS_VALUE_CALLER;
		returns->is_pushed |= insn->move_to == RS_REG_STACK;
	}
	set_values(returns, decoder, insn);
	if (insn->is_load && insn->stack_bytes < 0 &&
	    insn->stack_bytes != RS_STACK_LOST) {
		returns->values[RS_REG_STACK] = RS_VALUE_FAR;
		returns->is_pushed = true;
	}
	if (insn->link) /* s390x's basr r,0 */
		returns->values[insn->link] = RS_VALUE_PC;
}

/* On i386 a callee may free some of what it was passed. */
static void take_call(struct rs_returns *returns, const struct rs_decoder *decoder)
{
	fill(returns, RS_VALUE_UNKNOWN);
	returns->is_pushed = false;
	returns->is_kept = true;
	if (decoder->machine == EM_386)
		returns->has_height = false;
	if (decoder->link == RS_REG_STACK && returns->has_height &&
	    returns->height == 0)
		returns->values[RS_REG_STACK] = RS_VALUE_CALLER;
}

static void take_pc_read(struct rs_returns *returns, const struct rs_decoder *decoder,
			 const struct rs_insn *insn)
{
	const int32_t word = decoder->elf_class == ELFCLASS64 ? 8 : 4;
	if (insn->flow == RS_FLOW_PUSH && returns->depth < MAX_DEPTH)
		returns->depth++;
	if (insn->link == RS_REG_STACK)
		move_stack(returns, -word);
	returns->values[insn->link] = RS_VALUE_PC;
}

void rs_returns_take(struct rs_returns *returns, const struct rs_decoder *decoder,
		     const struct rs_step *step)
{
	if (step->role == RS_ROLE_CALL)
		take_call(returns, decoder);
	else if (step->role == RS_ROLE_READ_PC)
		take_pc_read(returns, decoder, &step->insn);
	else if (step->insn.flow == RS_FLOW_OTHER)
		take_other(returns, decoder, &step->insn);
}

static bool lower(bool *flag, bool other)
{
	const bool changes = *flag && !other;
	*flag = *flag && other;
	return changes;
}

static bool raise(bool *flag, bool other)
{
	const bool changes = !*flag && other;
	*flag = *flag || other;
	return changes;
}

static bool join_depth(struct rs_returns *into, const struct rs_returns *other)
{
	if (!other->has_depth)
		return false;
	if (into->has_depth)
		return raise(&into->is_split, into->depth != other->depth);
	into->has_depth = true;
	into->depth = other->depth;
	return true;
}

bool rs_returns_join(struct rs_returns *into, const struct rs_returns *other)
{
	if (!into->is_reached) {
		*into = *other;
		into->is_split = false;
		return true;
	}
	bool changes = join_depth(into, other);
	changes |= lower(&into->has_height,
			 other->has_height && into->height == other->height);
	changes |=
	    lower(&into->has_frame, other->has_frame && into->frame == other->frame);
	changes |= lower(&into->is_pushed, other->is_pushed);
	changes |= lower(&into->is_local, other->is_local);
	changes |= raise(&into->is_kept, other->is_kept);
	changes |= raise(&into->is_switched, other->is_switched);
	if (memcmp(into->values, other->values, sizeof(into->values)) == 0)
		return changes;
	for (size_t i = 0; i < RS_N_PLACES; i++) {
		if (into->values[i] == other->values[i] ||
		    into->values[i] == RS_VALUE_UNKNOWN)
			continue;
		into->values[i] = RS_VALUE_UNKNOWN;
		changes = true;
	}
	return changes;
}
