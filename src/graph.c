#include "src/graph.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/pc_read.h"

static size_t unit_of(const struct rs_graph *graph, uint64_t at)
{
	return (size_t)(at / graph->piece->decoder->min_bytes);
}

struct rs_step *rs_graph_at(const struct rs_graph *graph, uint64_t at)
{
	if (at >= graph->piece->n_bytes || at % graph->piece->decoder->min_bytes)
		return NULL;
	const uint32_t step = graph->at_unit[unit_of(graph, at)];
	return step ? &graph->steps[step - 1] : NULL;
}

struct rs_step *rs_graph_target(const struct rs_graph *graph,
				const struct rs_step *step)
{
	if (step->role != RS_ROLE_GO && step->role != RS_ROLE_READ_PC)
		return NULL;
	return rs_graph_at(graph, step->insn.target - graph->piece->address);
}

bool rs_graph_continues(const struct rs_step *step)
{
	switch (step->insn.flow) {
	case RS_FLOW_OTHER:
		return true;
	case RS_FLOW_PUSH:
	case RS_FLOW_EXEMPT:
	case RS_FLOW_POP_PUSH:
		return step->role == RS_ROLE_CALL || step->insn.is_conditional;
	default:
		return step->insn.is_conditional;
	}
}

bool rs_graph_covers(const struct rs_graph *graph, uint32_t at)
{
	return graph->covered[unit_of(graph, at)];
}

static int prepare(struct rs_graph *graph, const struct rs_piece *piece)
{
	const size_t n = piece->n_bytes / piece->decoder->min_bytes + 1;
	graph->piece = piece;
	graph->n_steps = 0;
	graph->n_decoded = 0;
	graph->n_queued = 0;
	if (n > graph->max_units) {
		free(graph->at_unit);
		free(graph->covered);
		graph->max_units = 0;
		graph->at_unit = malloc(n * sizeof(*graph->at_unit));
		graph->covered = malloc(n);
		if (!graph->at_unit || !graph->covered)
			return -ENOMEM;
		graph->max_units = n;
	}
	memset(graph->at_unit, 0, n * sizeof(*graph->at_unit));
	memset(graph->covered, 0, n);
	return 0;
}

/*
 * line is one of RS_LINE_*, with the register that tells of the caller, if one does,
 * CALLED bits higher.
 */
#define CALLED 8

static void mark(struct rs_step *step, unsigned int line)
{
	step->line |= (uint8_t)line;
	if (line >> CALLED)
		step->called = (uint8_t)(line >> CALLED);
}

static int enqueue(struct rs_graph *graph, uint64_t at, unsigned int line)
{
	if (at >= graph->piece->n_bytes || at % graph->piece->decoder->min_bytes)
		return 0;
	struct rs_step *const known = rs_graph_at(graph, at);
	if (known) {
		mark(known, line);
		return 0;
	}
	if (graph->n_queued + 2 > graph->max_queued) {
		const size_t max = graph->max_queued ? 2 * graph->max_queued : 64;
		uint32_t *const grown =
		    reallocarray(graph->queue, max, sizeof(*graph->queue));
		if (!grown)
			return -ENOMEM;
		graph->queue = grown;
		graph->max_queued = max;
	}
	graph->queue[graph->n_queued++] = (uint32_t)at;
	graph->queue[graph->n_queued++] = line;
	return 0;
}

static struct rs_step *add_step(struct rs_graph *graph, uint32_t at)
{
	if (graph->n_steps == graph->max_steps) {
		const size_t max = graph->max_steps ? 2 * graph->max_steps : 256;
		struct rs_step *const grown =
		    reallocarray(graph->steps, max, sizeof(*graph->steps));
		if (!grown)
			return NULL;
		graph->steps = grown;
		graph->max_steps = max;
	}
	graph->at_unit[unit_of(graph, at)] = (uint32_t)graph->n_steps + 1;
	return &graph->steps[graph->n_steps++];
}

static void cover(struct rs_graph *graph, uint32_t at, uint32_t n_bytes)
{
	const uint32_t each = graph->piece->decoder->min_bytes;
	for (size_t unit = unit_of(graph, at); unit < unit_of(graph, at + n_bytes);
	     unit++) {
		graph->n_decoded += graph->covered[unit] ? 0 : each;
		graph->covered[unit] = 1;
	}
}

/*
 * A field that is left to the linker: S + A, and A counts from the field where the
 * instruction counts from its own address or, on x86, its end. Where the field itself
 * holds the addend, the target that was decoded is made of it.
 */
static void relocate(const struct rs_piece *piece, struct rs_insn *insn, uint64_t here)
{
	const struct rs_reloc *const reloc =
	    piece->relocs && insn->has_target
		? rs_relocs_find(piece->relocs, here, insn->n_bytes)
		: NULL;
	const bool is_x86 = piece->decoder->link == RS_REG_STACK;
	if (!reloc)
		return;
	const uint64_t base = is_x86 ? here + insn->n_bytes : here;
	const uint64_t addend =
	    reloc->has_addend ? (uint64_t)reloc->addend : insn->target - base;
	insn->has_target = reloc->is_defined;
	insn->target = 0;
	if (reloc->is_defined)
		insn->target = reloc->symbol + addend + (base - reloc->place);
	if (is_x86 && insn->link)
		insn->flow = insn->has_target && insn->target == base ? RS_FLOW_EXEMPT
								      : RS_FLOW_PUSH;
}

static bool is_inside(const struct rs_piece *piece, const struct rs_insn *insn)
{
	return insn->has_target && insn->target - piece->address < piece->n_bytes;
}

static enum rs_role role_of(const struct rs_piece *piece, const struct rs_step *step)
{
	switch (step->insn.flow) {
	case RS_FLOW_PUSH:
	case RS_FLOW_EXEMPT:
		return is_inside(piece, &step->insn) && rs_is_pc_read(piece, step)
			   ? RS_ROLE_READ_PC
			   : RS_ROLE_CALL;
	case RS_FLOW_POP_PUSH:
		return RS_ROLE_CALL;
	case RS_FLOW_JUMP:
		return is_inside(piece, &step->insn) ? RS_ROLE_GO : RS_ROLE_LEAVE;
	default:
		return RS_ROLE_PLAIN;
	}
}

/* Returns 1 with a step, 0 where there is no instruction, or -ENOMEM. */
static int decode(struct rs_graph *graph, uint32_t at, unsigned int line,
		  struct rs_step **out)
{
	const struct rs_piece *const piece = graph->piece;
	struct rs_step step = {.at = at};
	mark(&step, line);
	if (rs_decode(piece->decoder, piece->bytes + at, piece->n_bytes - at,
		      piece->address + at, &step.insn))
		return 0;
	relocate(piece, &step.insn, piece->address + at);
	step.role = (uint8_t)role_of(piece, &step);
	*out = add_step(graph, at);
	if (!*out)
		return -ENOMEM;
	**out = step;
	cover(graph, at, step.insn.n_bytes);
	return 1;
}

static unsigned int pushed_link(const struct rs_step *step)
{
	return step->insn.flow == RS_FLOW_PUSH ? step->insn.link : RS_REG_NONE;
}

/* Where a step leads besides the instruction behind it. */
static int follow_target(struct rs_graph *graph, const struct rs_step *step)
{
	const struct rs_piece *const piece = graph->piece;
	const uint64_t at = step->insn.target - piece->address;
	switch (step->role) {
	case RS_ROLE_GO:
	case RS_ROLE_READ_PC:
		return enqueue(graph, at, RS_LINE_INNER);
	case RS_ROLE_CALL:
		return is_inside(piece, &step->insn) && at != 0
			   ? enqueue(graph, at,
				     RS_LINE_LOCAL | pushed_link(step) << CALLED)
			   : 0;
	default:
		return 0;
	}
}

/* Decodes from at until the flow ends or meets what is known. */
static int follow_line(struct rs_graph *graph, uint32_t at, unsigned int line)
{
	struct rs_step *step = rs_graph_at(graph, at);
	if (step) {
		mark(step, line);
		return 0;
	}
	for (;;) {
		int ret = decode(graph, at, line, &step);
		if (ret <= 0)
			return ret;
		at += step->insn.n_bytes;
		const bool continues = rs_graph_continues(step);
		const bool ends_line =
		    step->insn.flow != RS_FLOW_OTHER && step->role != RS_ROLE_CALL;
		ret = follow_target(graph, step);
		if (ret || !continues || at >= graph->piece->n_bytes)
			return ret;
		if (ends_line || rs_graph_at(graph, at))
			return enqueue(graph, at, RS_LINE_INNER);
		line = 0;
	}
}

static int drain(struct rs_graph *graph)
{
	int ret = 0;
	while (graph->n_queued && !ret) {
		graph->n_queued -= 2;
		ret = follow_line(graph, graph->queue[graph->n_queued],
				  graph->queue[graph->n_queued + 1]);
	}
	return ret;
}

/* What was not reached. Bytes that are no instruction are passed over. */
static int sweep(struct rs_graph *graph)
{
	const struct rs_piece *const piece = graph->piece;
	const uint32_t each = piece->decoder->min_bytes;
	const bool knows = piece->symbols && piece->symbols->n_functions;
	int ret = 0;
	for (uint32_t at = 0; at < piece->n_bytes && !ret; at += each) {
		if (graph->covered[unit_of(graph, at)])
			continue;
		ret = enqueue(graph, at, knows ? RS_LINE_SWEPT : RS_LINE_GUESS);
		if (!ret)
			ret = drain(graph);
	}
	return ret;
}

int rs_graph_follow(struct rs_graph *graph, const struct rs_piece *piece,
		    const uint32_t *entries, size_t n_entries)
{
	int ret = prepare(graph, piece);
	for (size_t i = n_entries; i-- > 0 && !ret;)
		ret = enqueue(graph, entries[i], RS_LINE_ENTRY);
	if (!ret)
		ret = drain(graph);
	if (!ret)
		ret = sweep(graph);
	return ret;
}

void rs_graph_close(struct rs_graph *graph)
{
	free(graph->steps);
	free(graph->at_unit);
	free(graph->covered);
	free(graph->queue);
	*graph = (struct rs_graph){.piece = NULL};
}
