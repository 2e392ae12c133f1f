#ifndef SRC_SUMMARY_H
#define SRC_SUMMARY_H

#include <stdbool.h>

#include "events/events.h"
#include "src/base/err.h"
#include "src/model.h"

/* What is known beforehand of one row's iteration, empty loop included; per call. */
struct rs_expected {
	bool known;    /* false: nothing is known, as where a kernel is missing */
	bool is_exact; /* false: the numbers are lower bounds */
	double instructions;
	double branches;
	double returns;
};

/* The strings of one metric's summaries; they live as long as the results. */
struct rs_metric_text {
	char gross[160];  /* "cycles.gross" */
	char unit[32];    /* "cycles/call" */
	char reason[320]; /* why it is not trusted */
};

/*
 * Turns the repetitions of results into its summaries: for each row and metric the
 * net and gross values, and the difference from the row's baseline. The arrays of
 * rows, metrics and repetitions are complete. baselines and empties are indices of
 * rows, SIZE_MAX for none; expected has one element a row; meanings and texts one a
 * metric. Metrics that contradict what is expected become untrusted, with the reason.
 * Fills results->summaries (malloc'd). Returns 0 or -ENOMEM.
 */
struct rs_summing {
	struct rs_results *results;
	const struct rs_expected *expected;
	const enum rs_meaning *meanings;
	const size_t *baselines;
	const size_t *empties;
	struct rs_metric_text *texts;
};

int rs_summaries_make(const struct rs_summing *summing, struct rs_err *err);

/* "faster", "slower", "same" or "unclear" by docs/method.md; all in per cent. */
const char *rs_verdict_of(double low_pct, double high_pct, double threshold_pct,
			  double spread_pct);

#endif
