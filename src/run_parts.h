#ifndef SRC_RUN_PARTS_H
#define SRC_RUN_PARTS_H

/* Private to run.c, run_results.c and run_model.c. */

#include "events/events.h"
#include "src/affinity.h"
#include "src/forecast.h"
#include "src/host.h"
#include "src/metrics.h"
#include "src/plan.h"
#include "src/predictor.h"
#include "src/run.h"
#include "src/session.h"
#include "src/summary.h"

#define RS_MAX_NOTES 32

struct rs_run {
	const struct rs_run_request *request; /* borrowed during rs_run_do only */
	struct rs_cpus allowed;               /* where this process may run */
	unsigned int companion_cpus[RS_MAX_THREADS];
	const struct rs_backend *backend;
	struct rs_backend *replay; /* NULL for the real counters */
	struct rs_alias_table *aliases;
	struct rs_event_list events;
	struct rs_host *host; /* NULL in replay */
	struct rs_plan plan;
	struct rs_predictors predictors;
	const struct rs_linkstack_rules *rules; /* of the preset */
	struct rs_forecast *forecasts;          /* by cell */
	struct rs_session session;
	struct rs_results results;
	struct rs_metric_text *texts;
	char run_id[64];
	char configs[RS_MAX_EVENTS][RS_CONFIG_BYTES];
	char note_texts[RS_MAX_NOTES][512];
	const char *notes[RS_MAX_NOTES];
	size_t n_notes;
};

/* Appends a sentence for the reader; one too many is dropped. */
void rs_run_note(struct rs_run *run, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Turns the session's records into results, summaries included. */
int rs_run_collect(struct rs_run *run, struct rs_err *err);
void rs_run_free_results(struct rs_run *run);

/* The link stack to model: the one that was asked for, or that of the CPU. */
int rs_run_choose_preset(struct rs_run *run, unsigned int cpu, struct rs_err *err);
/* Before anything is measured: stepping needs a process without children. */
int rs_run_forecast(struct rs_run *run, struct rs_err *err);
/* Puts what the model says, or why it says nothing, into the results. */
void rs_run_add_forecast(struct rs_run *run);
void rs_run_free_forecast(struct rs_run *run);

#endif
