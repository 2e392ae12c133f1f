#include "src/run_parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/base/text.h"
#include "src/cell.h"

/* To the partner and back. */
#define SWITCHES_PER_CALL 2

static const char *or_null(const char *text)
{
	return text[0] ? text : NULL;
}

static const char *effect_of(const struct rs_cell *cell)
{
	return cell->form ? rs_effect_name(cell->form->effect) : NULL;
}

static void collect_rows(struct rs_run *run)
{
	struct rs_results *const results = &run->results;
	results->n_rows = run->plan.n_cells;
	for (size_t i = 0; i < results->n_rows; i++) {
		const struct rs_cell *const cell = &run->plan.cells[i];
		const size_t baseline = cell->baseline;
		results->rows[i] = (struct rs_row){
		    .workload = cell->workload,
		    .variant = cell->variant,
		    .depth = cell->depth,
		    .role = cell->role,
		    .is_baseline = cell->is_baseline,
		    .effect = effect_of(cell),
		    .state = cell->state,
		    .reason = or_null(cell->reason),
		    .note = or_null(cell->note),
		    .baseline = baseline == RS_NO_CELL
				    ? NULL
				    : run->plan.cells[baseline].variant,
		    .block_bytes =
			rs_cell_reads_block(cell) ? run->plan.block_bytes : 0,
		    .clock_reads =
			rs_cell_reads_block(cell) ? run->plan.clock_reads : 0,
		    .threads = run->plan.n_threads,
		    .switches = cell->partner ? SWITCHES_PER_CALL : 0,
		};
	}
}

static void collect_repetitions(struct rs_run *run)
{
	struct rs_results *const results = &run->results;
	const struct rs_session *const session = &run->session;
	const size_t n_events = run->events.n_events;
	for (size_t i = 0; i < results->n_repetitions; i++) {
		const struct rs_record *const record = &session->records[i];
		results->repetitions[i] = (struct rs_repetition){
		    .row = record->cell,
		    .placement = record->placement,
		    .block = record->block,
		    .order = record->order,
		    .calls = record->calls,
		    .rejected = or_null(rs_disturbance_name(record->disturbance)),
		    .readings = &session->readings[i * n_events],
		};
	}
}

/* A row with fewer repetitions than a run that ended early owed it says so. */
static void mark_partial_row(const struct rs_results *results, struct rs_row *row,
			     size_t kept, size_t rejected, size_t wanted)
{
	if (row->state != RS_ROW_OK || kept >= wanted)
		return;
	if (results->is_partial)
		row->reason = kept ? "ended before all repetitions were made"
				   : "ended before it was measured";
	else if (!kept && rejected)
		row->reason = "every repetition was disturbed";
	else
		return;
	row->state = RS_ROW_PARTIAL;
}

static int mark_partial_rows(struct rs_run *run, struct rs_err *err)
{
	struct rs_results *const results = &run->results;
	size_t *const counts = calloc(results->n_rows + 1, 2 * sizeof(*counts));
	if (!counts)
		return rs_err_set(err, -ENOMEM, "not enough memory for the results");
	for (size_t i = 0; i < results->n_repetitions; i++) {
		const struct rs_repetition *const repetition = &results->repetitions[i];
		counts[2 * repetition->row + (repetition->rejected != NULL)]++;
	}
	const size_t wanted =
	    (size_t)rs_session_n_blocks(&run->session) * results->settings.placements;
	for (size_t i = 0; i < results->n_rows; i++)
		mark_partial_row(results, &results->rows[i], counts[2 * i],
				 counts[2 * i + 1], wanted);
	free(counts);
	return 0;
}

/* The closed form of a row's kernel, for the plausibility of counters. */
static struct rs_expected expected_of(const struct rs_cell *cell)
{
	if (!cell->kernel)
		return (struct rs_expected){.known = false};
	const struct rs_counts *const counts = &cell->kernel->counts;
	return (struct rs_expected){
	    .known = true,
	    .is_exact = cell->kernel->counts_are_exact,
	    .instructions = rs_linear_at(&counts->instructions, cell->depth),
	    .branches = rs_linear_at(&counts->branches, cell->depth),
	    .returns = rs_linear_at(&counts->pops, cell->depth),
	};
}

static int summarise(struct rs_run *run, struct rs_err *err)
{
	struct rs_results *const results = &run->results;
	struct rs_expected *const expected =
	    calloc(results->n_rows + 1, sizeof(*expected));
	size_t *const baselines = calloc(results->n_rows + 1, sizeof(*baselines));
	size_t *const empties = calloc(results->n_rows + 1, sizeof(*empties));
	enum rs_meaning meanings[RS_MAX_EVENTS];
	int ret = -ENOMEM;
	if (!expected || !baselines || !empties) {
		rs_err_set(err, ret, "not enough memory to summarise the run");
		goto out;
	}
	for (size_t i = 0; i < results->n_rows; i++) {
		const struct rs_cell *const cell = &run->plan.cells[i];
		expected[i] = expected_of(cell);
		baselines[i] = cell->baseline;
		empties[i] = cell->role == RS_ROLE_EMPTY ? SIZE_MAX : cell->empty;
	}
	for (size_t i = 0; i < results->n_metrics; i++)
		meanings[i] = run->events.events[i].meaning;
	const struct rs_summing summing = {
	    .results = results,
	    .expected = expected,
	    .meanings = meanings,
	    .baselines = baselines,
	    .empties = empties,
	    .texts = run->texts,
	};
	ret = rs_summaries_make(&summing, err);
out:
	free(empties);
	free(baselines);
	free(expected);
	return ret;
}

static void collect_facts(struct rs_run *run)
{
	struct rs_results *const results = &run->results;
	size_t n = 0;
	const struct rs_fact *const facts =
	    run->host ? rs_host_facts(run->host, &n) : NULL;
	for (size_t i = 0; i < n; i++)
		results->facts[i] = facts[i];
	const char *const build_id =
	    run->plan.has_vdso ? run->plan.vdso.build_id : NULL;
	if (!run->replay) {
		results->facts[n++] = (struct rs_fact){
		    .name = "vdso_build_id",
		    .value = build_id,
		    .note = build_id ? NULL : "no vDSO, or it has no build-id",
		};
		results->facts[n++] = (struct rs_fact){
		    .name = "libpfm_version",
		    .value = rs_pfm_version(),
		};
		results->facts[n++] = (struct rs_fact){
		    .name = "disturbances_seen_by",
		    .value = run->session.progress->watch_source,
		};
	}
	results->n_facts = n;
}

#define N_OWN_FACTS 3

static int allocate(struct rs_run *run, struct rs_err *err)
{
	struct rs_results *const results = &run->results;
	size_t n_facts = 0;
	if (run->host)
		rs_host_facts(run->host, &n_facts);
	results->n_repetitions = atomic_load(&run->session.progress->n_records);
	results->facts = calloc(n_facts + N_OWN_FACTS, sizeof(*results->facts));
	results->metrics = calloc(run->events.n_events + 1, sizeof(*results->metrics));
	results->rows = calloc(run->plan.n_cells + 1, sizeof(*results->rows));
	results->repetitions =
	    calloc(results->n_repetitions + 1, sizeof(*results->repetitions));
	run->texts = calloc(run->events.n_events + 1, sizeof(*run->texts));
	if (results->facts && results->metrics && results->rows &&
	    results->repetitions && run->texts)
		return 0;
	return rs_err_set(err, -ENOMEM, "not enough memory for the results");
}

int rs_run_collect(struct rs_run *run, struct rs_err *err)
{
	struct rs_results *const results = &run->results;
	int ret = allocate(run, err);
	if (ret)
		return ret;
	results->run_id = run->run_id;
	results->is_partial = run->session.stopped != NULL;
	results->partial_reason = run->session.stopped;
	collect_facts(run);
	results->n_metrics = run->events.n_events;
	rs_metrics_describe(&run->events, results->metrics, run->configs);
	collect_rows(run);
	collect_repetitions(run);
	results->notes = run->notes;
	results->n_notes = run->n_notes;
	ret = mark_partial_rows(run, err);
	if (!ret)
		ret = summarise(run, err);
	if (!ret)
		rs_run_add_forecast(run);
	return ret;
}

void rs_run_free_results(struct rs_run *run)
{
	struct rs_results *const results = &run->results;
	free(results->summaries);
	free(results->repetitions);
	free(results->rows);
	free(results->metrics);
	free(results->facts);
	free(run->texts);
}
