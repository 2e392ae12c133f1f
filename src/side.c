#include "src/side.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/text.h"
#include "src/stats.h"

/* What a file does not tell does not differ. */
static bool may_be_equal(uint64_t a, uint64_t b)
{
	return a == 0 || b == 0 || a == b;
}

/* Calls that do the same; the empty loop reads no block, whatever the others read. */
static bool does_the_same(const struct rs_row *a, const struct rs_row *b)
{
	return may_be_equal(a->block_bytes, b->block_bytes) &&
	       may_be_equal(a->clock_reads, b->clock_reads) &&
	       may_be_equal(a->threads, b->threads);
}

size_t rs_row_find(const struct rs_results *results, const struct rs_row *like)
{
	for (size_t i = 0; i < results->n_rows; i++) {
		const struct rs_row *const row = &results->rows[i];
		if (row->depth == like->depth &&
		    strcmp(row->variant, like->variant) == 0 &&
		    strcmp(row->workload, like->workload) == 0 &&
		    does_the_same(row, like))
			return i;
	}
	return SIZE_MAX;
}

int rs_side_open(struct rs_side *side, const struct rs_loaded *file, struct rs_err *err)
{
	side->file = file;
	const int ret = rs_slots_make(&side->slots, &file->results, err);
	if (ret)
		return ret;
	side->values = calloc(side->slots.n_slots + 1, sizeof(*side->values));
	return side->values ? 0
			    : rs_err_set(err, -ENOMEM, "not enough memory to compare");
}

void rs_side_close(struct rs_side *side)
{
	rs_slots_free(&side->slots);
	free(side->values);
}

/* What a row costs in a slot: net where the file has an empty loop. */
static double value_at(const struct rs_side *side, size_t row, size_t slot,
		       size_t metric)
{
	const size_t empty = side->file->empties[row];
	if (empty == SIZE_MAX)
		return rs_slots_gross(&side->slots, row, slot, metric);
	return rs_slots_net(&side->slots, row, empty, slot, metric);
}

/* Of every step-th slot from first on. */
static size_t gather_every(const struct rs_side *side, size_t row, size_t metric,
			   size_t first, size_t step)
{
	size_t n = 0;
	for (size_t slot = first; slot < side->slots.n_slots; slot += step) {
		const double value = value_at(side, row, slot, metric);
		if (!isnan(value))
			side->values[n++] = value;
	}
	return n;
}

size_t rs_side_gather(const struct rs_side *side, size_t row, size_t metric)
{
	return gather_every(side, row, metric, 0, 1);
}

double rs_side_median(const struct rs_side *side, size_t row, size_t metric)
{
	const size_t n = gather_every(side, row, metric, 0, 1);
	return n ? rs_stats_median(side->values, n) : NAN;
}

double rs_share_pct(double difference, double base)
{
	return base > 0 ? 100 * fabs(difference) / base : 0;
}

/* The range of the medians of the placements. */
double rs_side_spread_pct(const struct rs_side *side, size_t row, size_t metric)
{
	const size_t n_placements = side->file->results.settings.placements;
	double low = INFINITY;
	double high = -INFINITY;
	for (size_t p = 0; p < n_placements; p++) {
		const size_t n = gather_every(side, row, metric, p, n_placements);
		if (n == 0)
			continue;
		const double median = rs_stats_median(side->values, n);
		low = fmin(low, median);
		high = fmax(high, median);
	}
	return low <= high ? rs_share_pct(high - low, rs_side_median(side, row, metric))
			   : 0;
}

size_t rs_row_repeated(const struct rs_results *results, size_t control)
{
	const struct rs_row *const row = &results->rows[control];
	struct rs_row key = *row;
	char name[256];
	if (row->role != RS_ROLE_CONTROL)
		return SIZE_MAX;
	rs_text_copy(name, sizeof(name), row->variant);
	char *const again = strstr(name, " again");
	if (again)
		*again = '\0';
	key.variant = name;
	return rs_row_find(results, &key);
}

/* How far the baseline is from itself: the greatest of the workload's controls. */
double rs_side_floor_pct(const struct rs_side *side, size_t row, size_t metric)
{
	const struct rs_results *const results = &side->file->results;
	double floor_pct = 0;
	for (size_t i = 0; i < results->n_rows; i++) {
		const size_t repeated = rs_row_repeated(results, i);
		if (repeated == SIZE_MAX ||
		    strcmp(results->rows[i].workload, results->rows[row].workload) != 0)
			continue;
		const double first = rs_side_median(side, repeated, metric);
		const double again = rs_side_median(side, i, metric);
		if (!isnan(first) && !isnan(again))
			floor_pct = fmax(floor_pct, rs_share_pct(again - first, first));
	}
	return floor_pct;
}

double rs_side_gross_median(const struct rs_side *side, size_t row, size_t metric)
{
	size_t n = 0;
	for (size_t slot = 0; slot < side->slots.n_slots; slot++) {
		const double value = rs_slots_gross(&side->slots, row, slot, metric);
		if (!isnan(value))
			side->values[n++] = value;
	}
	return n ? rs_stats_median(side->values, n) : NAN;
}
