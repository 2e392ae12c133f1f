#include "src/probe_sheet.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/base/text.h"
#include "src/stats.h"

enum column {
	COL_PROBE,
	COL_SITES,
	COL_ENTRIES,
	COL_LOW,
	COL_HIGH,
	COL_PROCESSES,
	COL_AGREEING,
	COL_BELOW,
	COL_ABOVE,
	COL_VERDICT,
};

/* clang-format off */
static const struct rs_sheet_column columns[RS_PROBE_COLUMNS] = {
    [COL_PROBE] = {.name = "probe", .title = "probe", .is_detail = true},
    [COL_SITES] = {.name = "sites", .title = "call sites"},
    [COL_ENTRIES] = {.name = "entries", .title = "entries", .is_right = true,
		     .is_number = true},
    [COL_LOW] = {.name = "low", .title = "from", .is_right = true, .is_number = true},
    [COL_HIGH] = {.name = "high", .title = "to", .is_right = true, .is_number = true},
    [COL_PROCESSES] = {.name = "processes", .title = "processes", .is_detail = true,
		       .is_number = true},
    [COL_AGREEING] = {.name = "agreeing", .title = "agreeing", .is_detail = true,
		      .is_number = true},
    [COL_BELOW] = {.name = "ticks_below", .title = "ticks/call", .is_right = true,
		   .is_number = true},
    [COL_ABOVE] = {.name = "ticks_above", .title = "beyond", .is_right = true,
		   .is_number = true},
    [COL_VERDICT] = {.name = "verdict", .title = "verdict", .wraps = true},
};
/* clang-format on */

struct filling {
	struct rs_probe_sheet *out;
	size_t row;
};

static void put(const struct filling *filling, enum column column, const char *text)
{
	char *const cell = filling->out->texts[filling->row][column];
	rs_text_copy(cell, RS_PROBE_TEXT_BYTES, text);
	filling->out->cells[filling->row * RS_PROBE_COLUMNS + column] = cell;
}

static void put_count(const struct filling *filling, enum column column, size_t count)
{
	char text[24];
	snprintf(text, sizeof(text), "%zu", count);
	put(filling, column, text);
}

static void put_real(const struct filling *filling, enum column column, double value)
{
	char text[32];
	snprintf(text, sizeof(text), "%.1f", value);
	put(filling, column, text);
}

/* The first chain gives the answer; a control may bend where other predictors end. */
static bool is_answer(const struct filling *filling)
{
	return filling->row == 0;
}

/* The sentence; an unclear answer has its reason. */
static void put_verdict(const struct filling *filling, const struct rs_probe *probe,
			const struct rs_agreement *answer)
{
	char text[RS_PROBE_TEXT_BYTES];
	if (answer->is_clear)
		snprintf(text, sizeof(text),
			 "%s%u%s (95 %%: %u..%u, %zu of %zu processes)",
			 is_answer(filling) ? "" : "bends at ", answer->at,
			 is_answer(filling) ? " entries" : "", answer->low,
			 answer->high, answer->n_agreeing, probe->n_processes);
	else if (answer->n_found == 0)
		snprintf(text, sizeof(text),
			 "unclear: no bend up to %u calls in %zu processes",
			 RS_MAX_CHAIN, probe->n_processes);
	else if (probe->n_processes < 3)
		snprintf(text, sizeof(text),
			 "unclear: %zu of the 3 processes that are needed",
			 probe->n_processes);
	else
		snprintf(text, sizeof(text),
			 "unclear: %zu of %zu processes agree on %u (95 %%: %u..%u)",
			 answer->n_agreeing, probe->n_processes, answer->at,
			 answer->low, answer->high);
	put(filling, COL_VERDICT, text);
}

static void put_chain(const struct filling *filling, const struct rs_probe *probe)
{
	const struct rs_agreement *const answer = &probe->answers[filling->row];
	put(filling, COL_PROBE, "depth");
	put(filling, COL_SITES, probe->chains[filling->row].name);
	put_count(filling, COL_PROCESSES, probe->n_processes);
	put_count(filling, COL_AGREEING, answer->n_agreeing);
	put_verdict(filling, probe, answer);
	if (answer->n_found > 0) {
		put_real(filling, COL_BELOW, answer->below);
		put_real(filling, COL_ABOVE, answer->above);
	}
	if (!answer->is_clear)
		return;
	if (is_answer(filling))
		put_count(filling, COL_ENTRIES, answer->at);
	put_count(filling, COL_LOW, answer->low);
	put_count(filling, COL_HIGH, answer->high);
}

static char *new_note(struct rs_probe_sheet *out)
{
	char *const text = out->note_texts[out->sheet.n_notes];
	out->notes[out->sheet.n_notes++] = text;
	return text;
}

/* A control that hides the end of the link stack says that something else predicts. */
static void add_control_note(struct rs_probe_sheet *out, const struct rs_probe *probe,
			     size_t chain)
{
	const struct rs_agreement *const first = &probe->answers[0];
	const struct rs_agreement *const control = &probe->answers[chain];
	const double penalty = first->above - first->below;
	if (!first->is_clear ||
	    (control->n_found > 0 && control->above - control->below > 0.75 * penalty))
		return;
	snprintf(new_note(out), sizeof(out->note_texts[0]),
		 "%s: beyond its end a call costs %.1f ticks more, not %.1f: there "
		 "something else predicts many of the returns, such as the predictor "
		 "of indirect branches, or what was left in the link stack",
		 probe->chains[chain].name,
		 control->n_found > 0 ? control->above - control->below : 0, penalty);
}

void rs_probe_sheet_make(struct rs_probe_sheet *out, const struct rs_probe *probe)
{
	*out = (struct rs_probe_sheet){
	    .sheet =
		{
		    .title = "calls in flight that the link stack holds",
		    .columns = columns,
		    .n_columns = RS_PROBE_COLUMNS,
		    .n_rows = probe->n_chains,
		},
	};
	out->sheet.cells = out->cells;
	out->sheet.notes = out->notes;
	for (size_t i = 0; i < probe->n_chains; i++)
		put_chain(&(const struct filling){out, i}, probe);
	for (size_t i = 1; i < probe->n_chains && i < RS_PROBE_MAX_NOTES; i++)
		add_control_note(out, probe, i);
	if (probe->stopped)
		snprintf(new_note(out), sizeof(out->note_texts[0]),
			 "partial: %s; what was measured until then is above",
			 probe->stopped);
}

static double median_ticks(const struct rs_probe *probe, size_t level)
{
	double ticks[RS_MAX_PROCESSES];
	for (size_t p = 0; p < probe->n_processes; p++) {
		const struct rs_probe_point *const point = &probe->points[p][0][level];
		ticks[p] = (double)point->ticks / (double)point->calls;
	}
	return rs_stats_median(ticks, probe->n_processes);
}

void rs_probe_curve_make(struct rs_probe_curve *out, const struct rs_probe *probe)
{
	*out = (struct rs_probe_curve){.curve.n = 0};
	if (probe->n_processes == 0 || probe->n_chains == 0)
		return;
	for (size_t i = 0; i < probe->n_levels; i++) {
		out->levels[i] = probe->levels[i];
		out->ticks[i] = median_ticks(probe, i);
	}
	out->curve = (struct rs_curve){
	    .title = "ticks per iteration, call sites chosen at random",
	    .x_title = "calls in flight",
	    .x = out->levels,
	    .y = out->ticks,
	    .n = probe->n_levels,
	    .mark = {.value = probe->answers[0].at,
		     .known = probe->answers[0].is_clear},
	};
}

static void fill_rows(struct rs_results *out, const struct rs_probe *probe)
{
	for (size_t i = 0; i < out->n_rows; i++)
		out->rows[i] = (struct rs_row){
		    .workload = "probe.depth",
		    .variant = probe->chains[i / probe->n_levels].name,
		    .depth = probe->levels[i % probe->n_levels],
		};
}

static void fill_repetitions(struct rs_results *out, const struct rs_probe *probe)
{
	for (size_t p = 0; p < probe->n_processes; p++) {
		for (size_t row = 0; row < out->n_rows; row++) {
			const struct rs_probe_point *const point =
			    &probe->points[p][row / probe->n_levels]
					  [row % probe->n_levels];
			const size_t at = out->n_repetitions++;
			struct rs_reading *const reading =
			    &out->repetitions[0].readings[at];
			*reading = (struct rs_reading){.value = point->ticks,
						       .status = RS_STATUS_OK};
			out->repetitions[at] = (struct rs_repetition){
			    .row = (unsigned int)row,
			    .block = (unsigned int)p,
			    .calls = point->calls,
			    .readings = reading,
			};
		}
	}
}

int rs_probe_results_make(struct rs_results *out, const struct rs_probe *probe,
			  struct rs_err *err)
{
	const size_t n_rows = probe->n_chains * probe->n_levels;
	const size_t n = n_rows * probe->n_processes;
	*out = (struct rs_results){
	    .metrics = calloc(1, sizeof(*out->metrics)),
	    .rows = calloc(n_rows + 1, sizeof(*out->rows)),
	    .repetitions = calloc(n + 1, sizeof(*out->repetitions)),
	    .is_partial = probe->stopped != NULL,
	    .partial_reason = probe->stopped,
	};
	struct rs_reading *const readings = calloc(n + 1, sizeof(*readings));
	if (!out->metrics || !out->rows || !out->repetitions || !readings) {
		free(readings);
		rs_probe_results_free(out);
		return rs_err_set(err, -ENOMEM, "not enough memory for the results");
	}
	out->n_metrics = 1;
	out->metrics[0] = (struct rs_metric){.name = "ticks",
					     .chosen = rs_ticks_name(),
					     .source = "clock",
					     .unit = "ticks"};
	out->n_rows = n_rows;
	out->repetitions[0].readings = readings;
	fill_rows(out, probe);
	fill_repetitions(out, probe);
	return 0;
}

void rs_probe_results_free(struct rs_results *results)
{
	if (results->repetitions)
		free(results->repetitions[0].readings);
	free(results->repetitions);
	free(results->rows);
	free(results->metrics);
	*results = (struct rs_results){0};
}
