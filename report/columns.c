#include "report/columns.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/lookup.h"
#include "report/utf8.h"
#include "src/base/text.h"

static void value_text(char out[RS_CELL_BYTES], const struct rs_rowset *group,
		       const struct rs_layout *layout,
		       const struct rs_column_spec *spec, size_t row)
{
	(void)layout;
	char number[RS_NUMBER_BYTES];
	const struct rs_summary *const summary =
	    rs_summary_valid(group->results, row, spec->metric);
	const bool is_known = summary && rs_maybe_is_number(&summary->median);
	rs_text_copy(out, RS_CELL_BYTES,
		     is_known ? rs_number_brief(number, summary->median.value) : "-");
}

static void number_text(char out[RS_CELL_BYTES], const struct rs_rowset *group,
			const struct rs_layout *layout,
			const struct rs_column_spec *spec, size_t row)
{
	(void)layout;
	char number[RS_NUMBER_BYTES];
	const struct rs_maybe value = spec->number(group->results, row);
	rs_text_copy(out, RS_CELL_BYTES,
		     value.known ? rs_number_brief(number, value.value) : "-");
}

static void delta_text(char out[RS_CELL_BYTES], const struct rs_rowset *group,
		       const struct rs_layout *layout,
		       const struct rs_column_spec *spec, size_t row)
{
	(void)spec;
	char delta[RS_DELTA_BYTES];
	const struct rs_summary *const summary = rs_rowset_delta(group, row);
	const bool is_baseline = group->results->rows[row].is_baseline;
	rs_delta_text(delta, summary, layout->has_interval);
	rs_text_copy(out, RS_CELL_BYTES, is_baseline ? "" : delta);
}

bool rs_has_spread(const struct rs_summary *summary)
{
	return summary && rs_maybe_is_number(&summary->placement_spread_pct) &&
	       (rs_text_same(summary->verdict, "same") ||
		rs_text_same(summary->verdict, "unclear"));
}

const char *rs_spread_text(char out[RS_NUMBER_BYTES], const struct rs_summary *summary)
{
	const double spread = fabs(summary->placement_spread_pct.value);
	snprintf(out, RS_NUMBER_BYTES, "%.*f %%", spread < 0.95 ? 1 : 0, spread);
	return out;
}

static void verdict_text(char out[RS_CELL_BYTES], const struct rs_rowset *group,
			 const struct rs_layout *layout,
			 const struct rs_column_spec *spec, size_t row)
{
	(void)spec;
	char spread[RS_NUMBER_BYTES];
	const struct rs_row *const about = &group->results->rows[row];
	const struct rs_summary *const summary = rs_rowset_delta(group, row);
	const char *verdict = summary ? summary->verdict : NULL;
	if (!verdict && about->is_baseline)
		verdict = "baseline";
	rs_text_copy(out, RS_CELL_BYTES, verdict ? verdict : "-");
	if (layout->verdict == RS_VERDICT_WORD || !rs_has_spread(summary))
		return;
	rs_text_append(out, RS_CELL_BYTES, " (%sspread %s)",
		       layout->verdict == RS_VERDICT_LONG ? "placement " : "",
		       rs_spread_text(spread, summary));
}

/* Some cell of the column has something to show. */
static bool is_measured(const struct rs_rowset *group,
			const struct rs_column_spec *spec)
{
	static const struct rs_layout roomy = {.last = RS_PART_EVENT};
	for (size_t i = 0; i < group->n_rows; i++) {
		char text[RS_CELL_BYTES];
		const size_t row = group->rows[i];
		if (!rs_row_is_timed(&group->results->rows[row]))
			continue;
		spec->text(text, group, &roomy, spec, row);
		if (strcmp(text, "-") != 0 && strcmp(text, "") != 0)
			return true;
	}
	return false;
}

#define TITLE_WIDTH    24 /* of an event's name; the footnotes have it whole */
#define BASELINE_WIDTH 12

/* Copies text cut to width columns. Returns 0 or -ENOMEM. */
static int cut_into(char out[RS_CELL_BYTES], const char *text, size_t width)
{
	char *const cut = rs_utf8_cut(text, width);
	if (!cut)
		return -ENOMEM;
	rs_text_copy(out, RS_CELL_BYTES, cut);
	free(cut);
	return 0;
}

static int metric_spec(struct rs_column_spec *spec, const struct rs_metric *metric)
{
	const bool is_ns = strcmp(metric->name, "ns") == 0;
	const bool is_ticks = strcmp(metric->name, "ticks") == 0;
	*spec = (struct rs_column_spec){
	    .metric = metric->name,
	    .part = is_ns      ? RS_PART_MAIN
		    : is_ticks ? RS_PART_TICKS
			       : RS_PART_EVENT,
	    .is_right = true,
	    .text = value_text,
	};
	const int ret = cut_into(spec->title, metric->name, TITLE_WIDTH);
	if (is_ns || is_ticks)
		rs_text_append(spec->title, RS_CELL_BYTES, "/call");
	return ret;
}

static int delta_spec(struct rs_column_spec *spec, const struct rs_rowset *group)
{
	char baseline[RS_CELL_BYTES] = "";
	*spec = (struct rs_column_spec){.part = RS_PART_MAIN, .text = delta_text};
	const int ret = cut_into(
	    baseline, group->baseline ? group->baseline : "baseline", BASELINE_WIDTH);
	rs_text_append(spec->narrow_title, RS_CELL_BYTES, "vs %s", baseline);
	rs_text_append(spec->title, RS_CELL_BYTES, "vs %s (%s)", baseline,
		       group->delta_metric);
	return ret;
}

/* What is said of a row as a whole. */
static const struct rs_column_spec numbers[] = {
    {.title = "MiB/s",
     .part = RS_PART_MAIN,
     .is_right = true,
     .text = number_text,
     .number = rs_row_mib_per_s},
    {.title = "switches/s",
     .part = RS_PART_MAIN,
     .is_right = true,
     .text = number_text,
     .number = rs_row_switches_per_s},
    {.title = "model",
     .part = RS_PART_MODEL,
     .is_right = true,
     .text = number_text,
     .number = rs_row_model},
};

int rs_rowset_columns(const struct rs_rowset *group, struct rs_column_spec *specs,
		      size_t *n_specs)
{
	const struct rs_results *const results = group->results;
	size_t n = 0;
	*n_specs = 0;
	for (size_t i = 0; i < results->n_metrics; i++) {
		const int ret = metric_spec(&specs[n], &results->metrics[i]);
		if (ret)
			return ret;
		n += is_measured(group, &specs[n]);
	}
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		specs[n] = numbers[i];
		n += is_measured(group, &specs[n]);
	}
	const int ret = delta_spec(&specs[n], group);
	if (ret)
		return ret;
	n += is_measured(group, &specs[n]);
	specs[n++] = (struct rs_column_spec){
	    .title = "verdict",
	    .part = RS_PART_MAIN,
	    .text = verdict_text,
	};
	*n_specs = n;
	return 0;
}
