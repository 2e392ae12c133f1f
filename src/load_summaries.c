#include "src/load.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/text.h"
#include "src/side.h"
#include "src/summary.h"

/* What rs_summaries_make wants to know beside the results; one element a row. */
struct plan {
	size_t *baselines;
	struct rs_expected *expected; /* nothing is known: a dump does not tell it */
	enum rs_meaning *meanings;
};

/* The control of row's table names the baseline; SIZE_MAX without one. */
static size_t baseline_of(const struct rs_results *results, size_t row)
{
	for (size_t i = 0; i < results->n_rows; i++) {
		const struct rs_row *const control = &results->rows[i];
		if (control->role == RS_ROLE_CONTROL &&
		    control->depth == results->rows[row].depth &&
		    strcmp(control->workload, results->rows[row].workload) == 0)
			return rs_row_repeated(results, i);
	}
	return SIZE_MAX;
}

static void find_baselines(struct rs_results *results, size_t *baselines)
{
	for (size_t i = 0; i < results->n_rows; i++) {
		struct rs_row *const row = &results->rows[i];
		const size_t baseline =
		    row->role == RS_ROLE_EMPTY ? SIZE_MAX : baseline_of(results, i);
		row->is_baseline = i == baseline;
		baselines[i] = row->is_baseline ? SIZE_MAX : baseline;
		if (baselines[i] != SIZE_MAX)
			row->baseline = results->rows[baseline].variant;
	}
}

/* Without an empty loop nothing is subtracted, and the gross value is the value. */
static void name_by_metric(struct rs_loaded *loaded)
{
	struct rs_results *const results = &loaded->results;
	for (size_t i = 0; i < results->n_summaries; i++) {
		struct rs_summary *const summary = &results->summaries[i];
		for (size_t m = 0; m < results->n_metrics; m++) {
			if (loaded->empties[summary->row] == SIZE_MAX &&
			    strcmp(summary->metric, loaded->metric_texts[m].gross) == 0)
				summary->metric = results->metrics[m].name;
		}
	}
}

static int summarise(struct rs_loaded *loaded, const struct plan *plan,
		     struct rs_err *err)
{
	struct rs_results *const results = &loaded->results;
	const struct rs_summing summing = {
	    .results = results,
	    .expected = plan->expected,
	    .meanings = plan->meanings,
	    .baselines = plan->baselines,
	    .empties = loaded->empties,
	    .texts = loaded->metric_texts,
	};
	results->settings.threshold_pct = 1;
	find_baselines(results, plan->baselines);
	free(results->summaries);
	results->summaries = NULL;
	const int ret = rs_summaries_make(&summing, err);
	if (!ret)
		name_by_metric(loaded);
	return ret;
}

int rs_loaded_summarise(struct rs_loaded *loaded, struct rs_err *err)
{
	const struct rs_results *const results = &loaded->results;
	if (results->n_summaries > 0)
		return 0;
	const struct plan plan = {
	    .baselines = calloc(results->n_rows + 1, sizeof(*plan.baselines)),
	    .expected = calloc(results->n_rows + 1, sizeof(*plan.expected)),
	    .meanings = calloc(results->n_metrics + 1, sizeof(*plan.meanings)),
	};
	loaded->metric_texts =
	    calloc(results->n_metrics + 1, sizeof(*loaded->metric_texts));
	const int ret =
	    plan.baselines && plan.expected && plan.meanings && loaded->metric_texts
		? summarise(loaded, &plan, err)
		: rs_err_set(err, -ENOMEM, "not enough memory to summarise %s",
			     loaded->path);
	free(plan.baselines);
	free(plan.expected);
	free(plan.meanings);
	return ret;
}
