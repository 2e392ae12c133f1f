#ifndef SRC_WALK_H
#define SRC_WALK_H

/* Every path of a piece of code at once: the state at each line, once it is settled. */

#include <stddef.h>
#include <stdint.h>

#include "src/graph.h"
#include "src/returns.h"

struct rs_walk {
	const struct rs_graph *graph;
	uint32_t *line_of;         /* by step: index of its line, + 1; 0: begins none */
	struct rs_returns *states; /* by line */
	uint32_t *steps;           /* by line: its first */
	size_t n_lines;
	/* Room that is used again for each piece. */
	size_t max_steps;
	size_t max_lines;
	uint32_t *queue;
	bool *is_queued;
	bool *is_settled; /* reached from entries: what was swept up adds nothing */
	size_t n_queued;
};

/*
 * Settles the states of all lines. walk is empty or was used before; flow is borrowed
 * until the next call. Returns 0 or -ENOMEM.
 */
int rs_walk_settle(struct rs_walk *walk, const struct rs_graph *graph);

/* Accepts an empty object and leaves it empty. */
void rs_walk_close(struct rs_walk *walk);

#endif
