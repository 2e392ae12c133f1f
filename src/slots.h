#ifndef SRC_SLOTS_H
#define SRC_SLOTS_H

#include <stddef.h>

#include "src/base/err.h"
#include "src/model.h"

/*
 * The repetitions of results by row and slot; one slot is one placement in one block,
 * so that what was measured side by side is found side by side.
 */
struct rs_slots {
	const struct rs_results *results;
	size_t n_slots;
	size_t *kept;           /* [row * n_slots + slot]: index of the repetition */
	unsigned int *rejected; /* by row: repetitions that were not used */
};

/*
 * results outlive slots, and every placement is below settings.placements. Returns 0 or
 * -ENOMEM; free in either case.
 */
int rs_slots_make(struct rs_slots *slots, const struct rs_results *results,
		  struct rs_err *err);
void rs_slots_free(struct rs_slots *slots);

/* The repetition of a row in a slot; NULL where there is none. */
const struct rs_repetition *rs_slots_at(const struct rs_slots *slots, size_t row,
					size_t slot);

/* A metric per call; NAN where nothing valid was read. */
double rs_slots_gross(const struct rs_slots *slots, size_t row, size_t slot,
		      size_t metric);

/* The same less what the row empty costs in the same slot; empty may be SIZE_MAX. */
double rs_slots_net(const struct rs_slots *slots, size_t row, size_t empty, size_t slot,
		    size_t metric);

#endif
