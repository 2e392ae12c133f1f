#include "src/walk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool has_lines(const struct rs_walk *walk)
{
	return walk->states && walk->steps && walk->queue && walk->is_queued &&
	       walk->is_settled;
}

static int make_room(struct rs_walk *walk, size_t n_steps, size_t n_lines)
{
	if (n_steps > walk->max_steps) {
		free(walk->line_of);
		walk->line_of = malloc(n_steps * sizeof(*walk->line_of));
		walk->max_steps = walk->line_of ? n_steps : 0;
	}
	if (n_lines > walk->max_lines) {
		free(walk->states);
		free(walk->steps);
		free(walk->queue);
		free(walk->is_queued);
		free(walk->is_settled);
		walk->is_settled = malloc(n_lines * sizeof(*walk->is_settled));
		walk->states = malloc(n_lines * sizeof(*walk->states));
		walk->steps = malloc(n_lines * sizeof(*walk->steps));
		walk->queue = malloc(n_lines * sizeof(*walk->queue));
		walk->is_queued = malloc(n_lines * sizeof(*walk->is_queued));
		walk->max_lines = n_lines;
	}
	if ((n_steps && !walk->line_of) || (n_lines && !has_lines(walk))) {
		walk->max_lines = 0;
		return -ENOMEM;
	}
	return 0;
}

static void enqueue(struct rs_walk *walk, uint32_t line)
{
	if (walk->is_queued[line])
		return;
	walk->is_queued[line] = true;
	walk->queue[walk->n_queued++] = line;
}

static int prepare(struct rs_walk *walk, const struct rs_graph *graph)
{
	size_t n_lines = 0;
	for (size_t i = 0; i < graph->n_steps; i++)
		n_lines += graph->steps[i].line != 0;
	const int ret = make_room(walk, graph->n_steps, n_lines);
	walk->graph = graph;
	walk->n_lines = 0;
	walk->n_queued = 0;
	if (ret)
		return ret;
	for (size_t i = 0; i < graph->n_steps; i++) {
		walk->line_of[i] = 0;
		if (!graph->steps[i].line)
			continue;
		const size_t line = walk->n_lines++;
		walk->line_of[i] = (uint32_t)line + 1;
		walk->steps[line] = (uint32_t)i;
		walk->states[line].is_reached = false;
		walk->is_queued[line] = false;
		walk->is_settled[line] = false;
	}
	return 0;
}

static void reach(struct rs_walk *walk, const struct rs_step *step,
		  const struct rs_returns *state)
{
	const uint32_t line = step ? walk->line_of[step - walk->graph->steps] : 0;
	if (line && !walk->is_settled[line - 1] &&
	    rs_returns_join(&walk->states[line - 1], state))
		enqueue(walk, line - 1);
}

/* Begins the lines that are reached in one of these ways. */
static void begin(struct rs_walk *walk, unsigned int ways)
{
	struct rs_returns state;
	for (size_t i = 0; i < walk->n_lines; i++) {
		const struct rs_step *const step = &walk->graph->steps[walk->steps[i]];
		const unsigned int line = step->line & ways;
		if (!line)
			continue;
		rs_returns_begin(&state, walk->graph->piece->decoder, line,
				 step->called);
		reach(walk, step, &state);
	}
}

/* The state stays as it is for where a condition does not hold. */
static void read_pc(struct rs_walk *walk, const struct rs_step *step,
		    const struct rs_returns *state)
{
	struct rs_returns behind = *state;
	rs_returns_take(&behind, walk->graph->piece->decoder, step);
	reach(walk, rs_graph_target(walk->graph, step), &behind);
}

static void run_line(struct rs_walk *walk, uint32_t line)
{
	const struct rs_graph *const graph = walk->graph;
	const struct rs_decoder *const decoder = graph->piece->decoder;
	struct rs_returns state = walk->states[line];
	state.is_split = false;
	const struct rs_step *step = &graph->steps[walk->steps[line]];
	for (;;) {
		const struct rs_step *const target = rs_graph_target(graph, step);
		if (step->role == RS_ROLE_READ_PC)
			read_pc(walk, step, &state);
		else
			rs_returns_take(&state, decoder, step);
		if (target && step->role == RS_ROLE_GO)
			reach(walk, target, &state);
		if (!rs_graph_continues(step))
			return;
		step = rs_graph_at(graph, (uint64_t)step->at + step->insn.n_bytes);
		if (!step)
			return;
		if (step->line) {
			reach(walk, step, &state);
			return;
		}
	}
}

static void drain(struct rs_walk *walk)
{
	while (walk->n_queued) {
		const uint32_t line = walk->queue[--walk->n_queued];
		walk->is_queued[line] = false;
		run_line(walk, line);
	}
}

/* What was swept up comes last: it knows nothing, and must not make others forget. */
int rs_walk_settle(struct rs_walk *walk, const struct rs_graph *graph)
{
	const int ret = prepare(walk, graph);
	if (ret)
		return ret;
	begin(walk, RS_LINE_ENTRY | RS_LINE_LOCAL);
	drain(walk);
	for (size_t i = 0; i < walk->n_lines; i++)
		walk->is_settled[i] = walk->states[i].is_reached;
	begin(walk, RS_LINE_SWEPT | RS_LINE_GUESS);
	drain(walk);
	return 0;
}

void rs_walk_close(struct rs_walk *walk)
{
	free(walk->line_of);
	free(walk->states);
	free(walk->steps);
	free(walk->queue);
	free(walk->is_queued);
	free(walk->is_settled);
	*walk = (struct rs_walk){.graph = NULL};
}
