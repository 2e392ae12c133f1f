#include <errno.h>
#include <stdlib.h>

#include "src/metrics.h"
#include "src/probe.h"

/* The metrics, which are what is freed, and their strings. */
struct held {
	struct rs_metric metrics[RS_MAX_EVENTS];
	char configs[RS_MAX_EVENTS][RS_CONFIG_BYTES];
};

static void fill_rows(struct rs_results *out, const struct rs_probe *probe)
{
	for (size_t i = 0; i < out->n_rows; i++) {
		const struct rs_probe_cell *const cell = &probe->cells[i];
		out->rows[i] = (struct rs_row){
		    .workload = cell->workload,
		    .variant = cell->variant,
		    .depth = cell->depth,
		    .state = cell->is_dead ? RS_ROW_CRASHED : RS_ROW_OK,
		    .reason = cell->is_dead ? cell->reason : NULL,
		};
	}
}

static void fill_repetitions(struct rs_results *out, const struct rs_probe *probe)
{
	for (size_t i = 0; i < probe->n_processes * probe->n_cells; i++) {
		struct rs_probe_point *const point = &probe->points[i];
		if (!point->calls)
			continue;
		out->repetitions[out->n_repetitions++] = (struct rs_repetition){
		    .row = (unsigned int)(i % probe->n_cells),
		    .block = (unsigned int)(i / probe->n_cells),
		    .calls = point->calls,
		    .readings = point->readings,
		};
	}
}

int rs_probe_results_make(struct rs_results *out, const struct rs_probe *probe,
			  struct rs_err *err)
{
	const size_t n = probe->n_cells * probe->n_processes;
	struct held *const held = calloc(1, sizeof(*held));
	*out = (struct rs_results){
	    .metrics = held ? held->metrics : NULL,
	    .n_metrics = probe->events->n_events,
	    .rows = calloc(probe->n_cells + 1, sizeof(*out->rows)),
	    .n_rows = probe->n_cells,
	    .repetitions = calloc(n + 1, sizeof(*out->repetitions)),
	    .is_partial = probe->stopped != NULL,
	    .partial_reason = probe->stopped,
	};
	if (!held || !out->rows || !out->repetitions) {
		rs_probe_results_free(out);
		return rs_err_set(err, -ENOMEM, "not enough memory for the results");
	}
	rs_metrics_describe(probe->events, held->metrics, held->configs);
	fill_rows(out, probe);
	fill_repetitions(out, probe);
	return 0;
}

void rs_probe_results_free(struct rs_results *results)
{
	free(results->metrics);
	free(results->repetitions);
	free(results->rows);
	*results = (struct rs_results){0};
}
