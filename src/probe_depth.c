#include <math.h>

#include "src/probes.h"

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
	COL_CYCLES_BELOW,
	COL_CYCLES_ABOVE,
	COL_MISSES_BELOW,
	COL_MISSES_ABOVE,
	COL_PRESET,
	COL_PRESET_ENTRIES,
	COL_MATCH,
	N_COLUMNS
};

/* clang-format off */
static const struct rs_sheet_column columns[N_COLUMNS] = {
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
    [COL_CYCLES_BELOW] = {.name = "cycles_below", .title = "cycles/call",
			  .is_right = true, .is_number = true},
    [COL_CYCLES_ABOVE] = {.name = "cycles_above", .title = "beyond", .is_right = true,
			  .is_number = true},
    [COL_MISSES_BELOW] = {.name = "mispredicts_below", .title = "misp./call",
			  .is_right = true, .is_number = true},
    [COL_MISSES_ABOVE] = {.name = "mispredicts_above", .title = "beyond",
			  .is_right = true, .is_number = true},
    [COL_PRESET] = {.name = "preset", .title = "preset", .is_detail = true},
    [COL_PRESET_ENTRIES] = {.name = "preset_entries", .title = "preset's",
			    .is_detail = true, .is_number = true},
    [COL_MATCH] = {.name = "match", .title = "match", .is_detail = true},
};
/* clang-format on */

/* What one row says: the chain and what its knees agree on. */
struct filling {
	const struct rs_probe *probe;
	const struct rs_probe_context *context;
	struct rs_cells *cells;
	size_t row;
	struct rs_agreement answer;
};

/* The first chain gives the answer; a control may bend where other predictors end. */
static bool is_answer(const struct filling *filling)
{
	return filling->row == 0;
}

/* The sentence; an unclear answer has its reason. */
static void put_verdict(const struct filling *filling)
{
	const struct rs_agreement *const answer = &filling->answer;
	const size_t n = filling->probe->n_processes;
	if (answer->is_clear)
		rs_cells_put(filling->cells, filling->row, COL_VERDICT,
			     "%s%u%s (95 %%: %u..%u, %zu of %zu processes)",
			     is_answer(filling) ? "" : "bends at ", answer->at,
			     is_answer(filling) ? " entries" : "", answer->low,
			     answer->high, answer->n_agreeing, n);
	else if (answer->n_found == 0)
		rs_cells_put(filling->cells, filling->row, COL_VERDICT,
			     "unclear: no bend up to %u calls in %zu processes",
			     RS_MAX_CHAIN, n);
	else if (n < RS_MIN_PROCESSES)
		rs_cells_put(filling->cells, filling->row, COL_VERDICT,
			     "unclear: %zu of the %u processes that are needed", n,
			     RS_MIN_PROCESSES);
	else
		rs_cells_put(filling->cells, filling->row, COL_VERDICT,
			     "unclear: %zu of %zu processes agree on %u (95 %%: "
			     "%u..%u)",
			     answer->n_agreeing, n, answer->at, answer->low,
			     answer->high);
}

/* One call more up to the knee, or beyond it within three times the knee. */
static bool slope_beside(const struct filling *filling, size_t process,
			 enum rs_probe_metric metric, bool is_above, double *out)
{
	const struct rs_probe_series *const series =
	    &filling->probe->series[filling->row];
	const unsigned int at = filling->answer.at;
	unsigned int depths[RS_PROBE_MAX_DEPTHS];
	double costs[RS_PROBE_MAX_DEPTHS];
	size_t first = 0;
	if (!rs_probe_costs(filling->probe, series, process, metric, depths, costs))
		return false;
	while (is_above && first < series->n && depths[first] < at)
		first++;
	const unsigned int last = is_above ? 3 * at : at;
	size_t end = first;
	while (end < series->n && depths[end] <= last)
		end++;
	if (end - first < 2)
		return false;
	*out = rs_probe_slope(depths + first, costs + first, end - first);
	return true;
}

static void put_slope(const struct filling *filling, enum column column,
		      enum rs_probe_metric metric, bool is_above)
{
	double slopes[RS_MAX_PROCESSES];
	const size_t n = filling->probe->n_processes;
	for (size_t p = 0; p < n; p++) {
		if (!slope_beside(filling, p, metric, is_above, &slopes[p]))
			return;
	}
	rs_cells_put(filling->cells, filling->row, column, "%.*f",
		     metric == RS_PROBE_MISSES ? 2 : 1, rs_stats_median(slopes, n));
}

static void put_slopes(const struct filling *filling)
{
	rs_cells_put(filling->cells, filling->row, COL_BELOW, "%.1f",
		     filling->answer.below);
	rs_cells_put(filling->cells, filling->row, COL_ABOVE, "%.1f",
		     filling->answer.above);
	put_slope(filling, COL_CYCLES_BELOW, RS_PROBE_CYCLES, false);
	put_slope(filling, COL_CYCLES_ABOVE, RS_PROBE_CYCLES, true);
	put_slope(filling, COL_MISSES_BELOW, RS_PROBE_MISSES, false);
	put_slope(filling, COL_MISSES_ABOVE, RS_PROBE_MISSES, true);
}

/* Beside the preset, within the one entry that invocations may differ by. */
static void put_match(const struct filling *filling)
{
	const struct rs_predictor *const preset = filling->context->preset;
	const unsigned int entries = preset->rules.entries;
	const unsigned int at = filling->answer.at;
	rs_cells_put(filling->cells, filling->row, COL_PRESET, "%s", preset->name);
	rs_cells_put(filling->cells, filling->row, COL_PRESET_ENTRIES, "%u", entries);
	if (!filling->answer.is_clear)
		return;
	const bool is_match = at + 1 >= entries && at <= entries + 1;
	const char *const word = is_match ? "matches" : "differs from";
	rs_cells_put(filling->cells, filling->row, COL_MATCH, "%s",
		     is_match ? "matches" : "differs");
	if (rs_predictor_is_default(preset))
		rs_cells_note(filling->cells,
			      "%s preset %s (%u entries), which stands for "
			      "processors that no preset names",
			      word, preset->name, entries);
	else
		rs_cells_note(filling->cells, "%s preset %s: %s, %u entries", word,
			      preset->name, preset->text, entries);
}

static void put_chain(const struct filling *filling)
{
	const struct rs_agreement *const answer = &filling->answer;
	struct rs_cells *const cells = filling->cells;
	const size_t row = filling->row;
	rs_cells_put(cells, row, COL_PROBE, "depth");
	rs_cells_put(cells, row, COL_SITES, "%s", filling->probe->series[row].variant);
	rs_cells_put(cells, row, COL_PROCESSES, "%zu", filling->probe->n_processes);
	rs_cells_put(cells, row, COL_AGREEING, "%zu", answer->n_agreeing);
	put_verdict(filling);
	if (answer->n_found > 0)
		put_slopes(filling);
	if (is_answer(filling))
		put_match(filling);
	if (!answer->is_clear)
		return;
	if (is_answer(filling))
		rs_cells_put(cells, row, COL_ENTRIES, "%u", answer->at);
	rs_cells_put(cells, row, COL_LOW, "%u", answer->low);
	rs_cells_put(cells, row, COL_HIGH, "%u", answer->high);
}

/* A control that hides the end of the link stack says that something else predicts. */
static void note_control(struct rs_cells *cells, const char *name,
			 const struct rs_agreement *first,
			 const struct rs_agreement *control)
{
	const double penalty = first->above - first->below;
	const double more = control->n_found > 0 ? control->above - control->below : 0;
	if (first->is_clear && more <= 0.75 * penalty)
		rs_cells_note(
		    cells,
		    "%s: beyond its end a call costs %.1f ticks more, not "
		    "%.1f: there something else predicts many of the returns, "
		    "such as the predictor of indirect branches, or what was "
		    "left in the link stack",
		    name, more, penalty);
}

int rs_probe_depth_list(struct rs_probe *probe, struct rs_err *err)
{
	return rs_probe_list_chains(
	    probe, "probe.depth",
	    1U << RS_SITES_RANDOM | 1U << RS_SITES_FIXED | 1U << RS_SITES_ONE, err);
}

int rs_probe_depth_judge(const struct rs_probe *probe,
			 const struct rs_probe_context *context,
			 struct rs_probe_report *out, struct rs_err *err)
{
	struct rs_agreement first = {.is_clear = false};
	rs_cells_open(&out->cells, "calls in flight that the link stack holds", columns,
		      N_COLUMNS, probe->n_series);
	for (size_t row = 0; row < probe->n_series; row++) {
		const struct filling filling = {
		    .probe = probe,
		    .context = context,
		    .cells = &out->cells,
		    .row = row,
		    .answer = rs_probe_knee(probe, &probe->series[row], context->seed),
		};
		put_chain(&filling);
		if (row == 0)
			first = filling.answer;
		else
			note_control(&out->cells, probe->series[row].variant, &first,
				     &filling.answer);
	}
	rs_probe_note_limits(probe, &out->cells);
	rs_probe_plot(probe, &probe->series[0], NULL, out);
	out->curve.mark = (struct rs_maybe){.value = first.at, .known = first.is_clear};
	return rs_cells_finish(&out->cells, err);
}
