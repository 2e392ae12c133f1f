#include "src/slots.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#define NO_REPETITION SIZE_MAX

static size_t count_blocks(const struct rs_results *results)
{
	size_t n = 0;
	for (size_t i = 0; i < results->n_repetitions; i++) {
		if (results->repetitions[i].block >= n)
			n = (size_t)results->repetitions[i].block + 1;
	}
	return n;
}

/* The one pass over the repetitions: there may be millions. */
static void index_repetitions(struct rs_slots *slots)
{
	const struct rs_results *const results = slots->results;
	for (size_t i = 0; i < results->n_rows * slots->n_slots; i++)
		slots->kept[i] = NO_REPETITION;
	for (size_t i = 0; i < results->n_repetitions; i++) {
		const struct rs_repetition *const repetition = &results->repetitions[i];
		const size_t slot =
		    (size_t)repetition->block * results->settings.placements +
		    repetition->placement;
		if (repetition->rejected)
			slots->rejected[repetition->row]++;
		else
			slots->kept[repetition->row * slots->n_slots + slot] = i;
	}
}

int rs_slots_make(struct rs_slots *slots, const struct rs_results *results,
		  struct rs_err *err)
{
	*slots = (struct rs_slots){
	    .results = results,
	    .n_slots = count_blocks(results) * results->settings.placements,
	};
	slots->kept =
	    calloc(results->n_rows * slots->n_slots + 1, sizeof(*slots->kept));
	slots->rejected = calloc(results->n_rows + 1, sizeof(*slots->rejected));
	if (!slots->kept || !slots->rejected)
		return rs_err_set(err, -ENOMEM, "not enough memory for the results");
	index_repetitions(slots);
	return 0;
}

void rs_slots_free(struct rs_slots *slots)
{
	free(slots->kept);
	free(slots->rejected);
	*slots = (struct rs_slots){0};
}

const struct rs_repetition *rs_slots_at(const struct rs_slots *slots, size_t row,
					size_t slot)
{
	const size_t index = slots->kept[row * slots->n_slots + slot];
	return index == NO_REPETITION ? NULL : &slots->results->repetitions[index];
}

double rs_slots_gross(const struct rs_slots *slots, size_t row, size_t slot,
		      size_t metric)
{
	const struct rs_repetition *const repetition = rs_slots_at(slots, row, slot);
	if (!repetition || !rs_reading_is_valid(&repetition->readings[metric]))
		return NAN;
	return (double)repetition->readings[metric].value / (double)repetition->calls;
}

double rs_slots_net(const struct rs_slots *slots, size_t row, size_t empty, size_t slot,
		    size_t metric)
{
	if (empty == SIZE_MAX)
		return NAN;
	return rs_slots_gross(slots, row, slot, metric) -
	       rs_slots_gross(slots, empty, slot, metric);
}
