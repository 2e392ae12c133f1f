#include "src/judge.h"

#include <errno.h>
#include <string.h>

/* What returns of one function have shown; functions are told apart by their entry. */
struct judge {
	struct rs_findings *findings;
	const struct rs_graph *graph;
	const struct rs_decoder *decoder;
	const struct rs_function *function;
	int depth_of_returns; /* of those of function; meaningful if has_returned */
	bool has_returned;
	const struct rs_function *unbalanced; /* reported, once for each function */
	bool is_unbalanced;
	int ret;
};

static void report(struct judge *judge, enum rs_finding_kind kind,
		   const struct rs_step *step)
{
	const struct rs_piece *const piece = judge->graph->piece;
	struct rs_finding finding = {
	    .kind = kind,
	    .address = piece->address + step->at,
	    .n_bytes = step->insn.n_bytes,
	};
	memcpy(finding.bytes, piece->bytes + step->at, step->insn.n_bytes);
	if (!judge->ret)
		judge->ret = rs_findings_add(judge->findings, &finding);
}

/* The top of the stack was written last: not what the caller left there. */
static bool is_pushed_elsewhere(const struct rs_returns *state)
{
	const enum rs_value value = state->values[RS_REG_STACK];
	return state->is_pushed && value != RS_VALUE_CALLER && value != RS_VALUE_SAVED;
}

static void judge_stack_return(struct judge *judge, const struct rs_returns *state,
			       const struct rs_step *step)
{
	if (!is_pushed_elsewhere(state))
		return;
	if (state->is_local && state->has_height && state->height == 0)
		report(judge, RS_NOTE_RETPOLINE, step);
	else if (state->is_switched)
		report(judge, RS_NOTE_SWITCH, step);
	else
		report(judge, RS_POP_WITHOUT_PUSH, step);
}

/*
 * A return address may come from anywhere in memory where it was put before: what was
 * loaded is doubted only while the function has kept its own nowhere, or where the
 * register is one that calls leave their address in only sometimes.
 */
static bool goes_elsewhere(const struct rs_decoder *decoder,
			   const struct rs_returns *state, uint8_t through)
{
	switch (state->values[through]) {
	case RS_VALUE_ENTRY:
	case RS_VALUE_COMPUTED:
		return true;
	case RS_VALUE_FAR:
		return !state->is_kept || through == decoder->other_link;
	default:
		return false;
	}
}

static void judge_register_return(struct judge *judge, const struct rs_returns *state,
				  const struct rs_step *step)
{
	if (!goes_elsewhere(judge->decoder, state, step->insn.through))
		return;
	report(judge, state->is_switched ? RS_NOTE_SWITCH : RS_POP_WITHOUT_PUSH, step);
}

static const struct rs_function *function_at(const struct judge *judge,
					     const struct rs_step *step)
{
	const struct rs_piece *const piece = judge->graph->piece;
	uint64_t offset = 0;
	return piece->symbols
		   ? rs_symbols_find(piece->symbols, piece->address + step->at, &offset)
		   : NULL;
}

/* One unpopped push can make several paths differ: the first says it. */
static void report_paths(struct judge *judge, const struct rs_step *step)
{
	const struct rs_function *const function = function_at(judge, step);
	if (judge->is_unbalanced && judge->unbalanced == function)
		return;
	judge->is_unbalanced = true;
	judge->unbalanced = function;
	report(judge, RS_UNBALANCED_PATH, step);
}

/* Of a function's returns, the first that differs from one before. */
static void judge_depth(struct judge *judge, const struct rs_returns *state,
			const struct rs_step *step)
{
	if (!state->has_depth || state->is_local)
		return;
	const struct rs_function *const function = function_at(judge, step);
	if (function != judge->function || !judge->has_returned) {
		judge->function = function;
		judge->depth_of_returns = state->depth;
		judge->has_returned = true;
	} else if (judge->depth_of_returns != state->depth) {
		report_paths(judge, step);
	}
}

static void judge_return(struct judge *judge, const struct rs_returns *state,
			 const struct rs_step *step)
{
	if (step->insn.through == RS_REG_STACK)
		judge_stack_return(judge, state, step);
	else
		judge_register_return(judge, state, step);
	judge_depth(judge, state, step);
}

static void judge_jump(struct judge *judge, const struct rs_returns *state,
		       const struct rs_step *step)
{
	const uint8_t through = step->insn.through;
	const enum rs_value value = state->values[through];
	const bool is_link = through == judge->decoder->link && through != RS_REG_STACK;
	if (!through ||
	    !(value == RS_VALUE_CALLER || (is_link && value == RS_VALUE_SAVED)))
		return;
	report(judge, state->is_switched ? RS_NOTE_SWITCH : RS_RETURN_BY_JUMP, step);
}

/* A function that is nothing but blrl gives its caller an address: old PowerPC GOTs. */
static void judge_call(struct judge *judge, const struct rs_returns *state,
		       const struct rs_step *step)
{
	if (step->insn.flow == RS_FLOW_POP_PUSH &&
	    state->values[step->insn.through] != RS_VALUE_CALLER)
		report(judge, RS_CALL_POPS, step);
}

static bool is_thunk(const struct judge *judge, const struct rs_step *step)
{
	const struct rs_step *const next =
	    rs_graph_at(judge->graph, (uint64_t)step->at + step->insn.n_bytes);
	return (step->line & (RS_LINE_ENTRY | RS_LINE_LOCAL)) &&
	       step->insn.move_from == judge->decoder->link &&
	       step->insn.stack_bytes == 0 && next && next->insn.flow == RS_FLOW_POP &&
	       next->insn.through == judge->decoder->link;
}

static void judge_other(struct judge *judge, const struct rs_step *step)
{
	if (step->insn.link)
		report(judge, RS_NOTE_EXEMPT, step);
	else if (is_thunk(judge, step))
		report(judge, RS_NOTE_THUNK, step);
}

static void judge_step(struct judge *judge, const struct rs_returns *state,
		       const struct rs_step *step)
{
	if (step->role == RS_ROLE_READ_PC) {
		report(judge,
		       step->insn.flow == RS_FLOW_PUSH ? RS_PUSH_WITHOUT_POP
						       : RS_NOTE_EXEMPT,
		       step);
		return;
	}
	switch (step->insn.flow) {
	case RS_FLOW_POP:
		judge_return(judge, state, step);
		break;
	case RS_FLOW_INDIRECT:
		judge_jump(judge, state, step);
		break;
	case RS_FLOW_POP_PUSH:
		judge_call(judge, state, step);
		break;
	case RS_FLOW_OTHER:
		judge_other(judge, step);
		break;
	default:
		break;
	}
}

static void judge_line(struct judge *judge, const struct rs_walk *walk, size_t line)
{
	struct rs_returns state = walk->states[line];
	const struct rs_step *step = &judge->graph->steps[walk->steps[line]];
	if (state.is_split)
		report_paths(judge, step);
	do {
		judge_step(judge, &state, step);
		if (step->role != RS_ROLE_READ_PC)
			rs_returns_take(&state, judge->decoder, step);
		if (!rs_graph_continues(step))
			return;
		step =
		    rs_graph_at(judge->graph, (uint64_t)step->at + step->insn.n_bytes);
	} while (step && !step->line);
}

/* Runs of bytes that are part of no instruction. */
static void report_gaps(struct judge *judge)
{
	const struct rs_piece *const piece = judge->graph->piece;
	const uint32_t each = judge->decoder->min_bytes;
	uint32_t begin = 0;
	for (uint32_t at = 0; at < piece->n_bytes; at = begin + each) {
		for (begin = at;
		     begin < piece->n_bytes && !rs_graph_covers(judge->graph, begin);)
			begin += each;
		if (begin == at)
			continue;
		const uint32_t end = begin < piece->n_bytes ? begin : piece->n_bytes;
		struct rs_finding gap = {
		    .kind = RS_UNDECODED,
		    .address = piece->address + at,
		    .n_bytes = end - at,
		};
		memcpy(gap.bytes, piece->bytes + at,
		       gap.n_bytes < sizeof(gap.bytes) ? gap.n_bytes
						       : sizeof(gap.bytes));
		if (!judge->ret)
			judge->ret = rs_findings_add(judge->findings, &gap);
	}
}

int rs_judge(struct rs_findings *findings, const struct rs_walk *walk)
{
	struct judge judge = {
	    .findings = findings,
	    .graph = walk->graph,
	    .decoder = walk->graph->piece->decoder,
	};
	for (size_t i = 0; i < walk->n_lines && !judge.ret; i++)
		judge_line(&judge, walk, i);
	report_gaps(&judge);
	return judge.ret;
}
