#ifndef TESTS_UNIT_SUMMED_H
#define TESTS_UNIT_SUMMED_H

/*
 * A finished run with known numbers, and its summaries. Included by a test; every
 * function of it is used by each test that includes it.
 */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/summary.h"

#define N(array) (sizeof(array) / sizeof((array)[0]))

enum {
	EMPTY,
	BASE,
	OTHER,
	N_ROWS
};

enum {
	NS,
	COUNT,
	N_METRICS
};

#define N_PLACEMENTS  4
#define N_BLOCKS      9
#define N_REPETITIONS (N_ROWS * N_PLACEMENTS * N_BLOCKS)
#define CALLS         1000000

/* Both metrics alike. */
struct world {
	struct rs_results results;
	struct rs_metric metrics[N_METRICS];
	struct rs_row rows[N_ROWS];
	struct rs_repetition repetitions[N_REPETITIONS];
	struct rs_reading readings[N_REPETITIONS][N_METRICS];
	struct rs_expected expected[N_ROWS];
	enum rs_meaning meanings[N_METRICS];
	size_t baselines[N_ROWS];
	size_t empties[N_ROWS];
	struct rs_metric_text texts[N_METRICS];
};

static struct world world;

/* Of a call of this row, beyond the empty loop's cost. */
typedef double net_cost(int row, unsigned int block, unsigned int placement);

static double ten_and_twelve(int row, unsigned int block, unsigned int placement)
{
	(void)block;
	(void)placement;
	return row == EMPTY ? 0 : row == BASE ? 10 : 12;
}

/* The empty loop's own cost drifts by far more than what is to be seen. */
static double drift(unsigned int block, unsigned int placement)
{
	return 2 + 100 * (double)block + (double)placement;
}

static void fill(net_cost *cost)
{
	size_t n = 0;
	for (unsigned int block = 0; block < N_BLOCKS; block++) {
		for (unsigned int i = 0; i < N_ROWS * N_PLACEMENTS; i++, n++) {
			const int row = (int)(i / N_PLACEMENTS);
			const unsigned int p = i % N_PLACEMENTS;
			const double per_call = drift(block, p) + cost(row, block, p);
			world.repetitions[n] = (struct rs_repetition){
			    .row = (unsigned int)row,
			    .placement = p,
			    .block = block,
			    .order = i,
			    .calls = CALLS,
			    .readings = world.readings[n],
			};
			for (size_t m = 0; m < N_METRICS; m++)
				world.readings[n][m] = (struct rs_reading){
				    .value = (uint64_t)llround(per_call * CALLS),
				    .time_enabled_ns = 1,
				    .time_running_ns = 1,
				};
		}
	}
}

static void begin(net_cost *cost)
{
	memset(&world, 0, sizeof(world));
	world.metrics[NS] = (struct rs_metric){.name = "ns", .unit = "ns"};
	world.metrics[COUNT] = (struct rs_metric){.name = "count", .unit = "events"};
	const char *const names[] = {"empty", "base", "other"};
	for (size_t row = 0; row < N_ROWS; row++) {
		world.rows[row] =
		    (struct rs_row){.workload = "work", .variant = names[row]};
		world.baselines[row] = row == OTHER ? BASE : SIZE_MAX;
		world.empties[row] = row == EMPTY ? SIZE_MAX : EMPTY;
	}
	world.rows[EMPTY].role = RS_ROLE_EMPTY;
	world.rows[BASE].is_baseline = true;
	world.meanings[NS] = RS_MEANING_NS;
	world.results = (struct rs_results){
	    .settings = {.placements = N_PLACEMENTS, .threshold_pct = 1, .seed = 7},
	    .metrics = world.metrics,
	    .n_metrics = N_METRICS,
	    .rows = world.rows,
	    .n_rows = N_ROWS,
	    .repetitions = world.repetitions,
	    .n_repetitions = N_REPETITIONS,
	};
	fill(cost);
}

static void summarise(void)
{
	const struct rs_summing summing = {
	    .results = &world.results,
	    .expected = world.expected,
	    .meanings = world.meanings,
	    .baselines = world.baselines,
	    .empties = world.empties,
	    .texts = world.texts,
	};
	struct rs_err err = {""};
	assert_int_equal(rs_summaries_make(&summing, &err), 0);
}

static void end(void)
{
	free(world.results.summaries);
	world.results.summaries = NULL;
}

static const struct rs_summary *find(unsigned int row, const char *metric)
{
	for (size_t i = 0; i < world.results.n_summaries; i++) {
		const struct rs_summary *const found = &world.results.summaries[i];
		if (found->row == row && strcmp(found->metric, metric) == 0)
			return found;
	}
	return NULL;
}

static const struct rs_summary *get(unsigned int row, const char *metric)
{
	const struct rs_summary *const found = find(row, metric);
	if (!found)
		fail_msg("no summary of row %u, %s", row, metric);
	return found;
}

/* NAN: must be absent. Readings are whole counts of a million calls. */
static void check(const char *what, struct rs_maybe found, double want)
{
	print_message("%s: %s %g, wanted %g\n", what, found.known ? "" : "absent",
		      found.value, want);
	assert_int_equal(found.known, !isnan(want));
	if (found.known)
		assert_true(fabs(found.value - want) < 1e-5);
}

#endif
