#include <stdlib.h>
#include <string.h>

#include "report/rowset.h"
#include "report/lookup.h"
#include "report/number.h"
#include "report/writers.h"
#include "src/base/text.h"

static const char *plural(unsigned int n)
{
	return n == 1 ? "" : "s";
}

static void put_heading(const struct rs_rowset *group, struct rs_sink *sink)
{
	const struct rs_settings *const settings = &group->results->settings;
	char depth[48] = "";
	char calls[64] = "";
	char block[64] = "";
	char threads[32] = "";
	if (group->results->rows[group->rows[0]].block_bytes > 0)
		rs_text_append(block, sizeof(block),
			       "  %llu bytes, then %u clock read%s",
			       (unsigned long long)settings->block_bytes,
			       settings->clock_reads, plural(settings->clock_reads));
	if (settings->threads > 1)
		rs_text_append(threads, sizeof(threads), " and %u more",
			       settings->threads - 1);
	if (group->depth > 0)
		rs_text_append(depth, sizeof(depth), "  below %u frame%s", group->depth,
			       plural(group->depth));
	if (settings->calls > 0)
		rs_text_append(calls, sizeof(calls), "%llu call%s",
			       (unsigned long long)settings->calls,
			       settings->calls == 1 ? "" : "s");
	else
		rs_text_append(calls, sizeof(calls), "about %g ms a repetition",
			       (double)settings->repetition_ns / 1e6);
	rs_sink_wrapf(sink, group->width,
		      "%s%s%s  cpu %u%s  %s x %u placement%s x %u block%s",
		      group->workload, block, depth, settings->cpu, threads, calls,
		      settings->placements, plural(settings->placements),
		      settings->repetitions, plural(settings->repetitions));
}

static void put_control(const struct rs_rowset *group, struct rs_sink *sink)
{
	if (group->control == RS_NO_ROW)
		return;
	char delta[RS_DELTA_BYTES];
	const struct rs_row *const row = &group->results->rows[group->control];
	const struct rs_summary *const summary = rs_rowset_delta(group, group->control);
	const char *const name = row->baseline ? row->baseline : row->variant;
	if (summary && rs_maybe_is_number(&summary->delta_pct))
		rs_sink_wrapf(sink, group->width,
			      "%s again: %s: the noise floor of this run", name,
			      rs_delta_text(delta, summary, true));
	else
		rs_sink_wrapf(sink, group->width,
			      "%s again: %s: the noise floor of this run is unknown",
			      name, row->reason ? row->reason : "not measured");
}

static const struct rs_summary *gross(const struct rs_rowset *group, const char *metric)
{
	char name[32] = "";
	rs_text_append(name, sizeof(name), "%s.gross", metric);
	const struct rs_summary *const summary =
	    rs_summary_valid(group->results, group->empty, name);
	return summary && rs_maybe_is_number(&summary->median) ? summary : NULL;
}

static void put_empty(const struct rs_rowset *group, struct rs_sink *sink)
{
	if (group->empty == RS_NO_ROW)
		return;
	static const char *const clocks[] = {"ns", "ticks"};
	char text[2 * RS_NUMBER_BYTES] = "";
	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++) {
		char number[RS_NUMBER_BYTES];
		const struct rs_summary *const summary = gross(group, clocks[i]);
		if (summary)
			rs_text_append(text, sizeof(text), "%s%s %s", *text ? ", " : "",
				       rs_number_brief(number, summary->median.value),
				       clocks[i]);
	}
	if (*text)
		rs_sink_wrapf(sink, group->width,
			      "empty loop: %s an iteration, subtracted above", text);
}

static const struct rs_row *row_at(const struct rs_rowset *group, size_t at)
{
	return &group->results->rows[group->rows[at]];
}

/* What the lines below a table say about single rows. */
typedef const char *row_text(const struct rs_row *row);

static const char *note_of(const struct rs_row *row)
{
	return row->note;
}

static const char *model_reason_of(const struct rs_row *row)
{
	return row->model_reason;
}

static void put_disagreements(const struct rs_rowset *group, struct rs_sink *sink)
{
	for (size_t i = 0; i < group->n_rows; i++) {
		const struct rs_row *const row = row_at(group, i);
		const size_t index = group->rows[i];
		const struct rs_summary *const counted =
		    rs_summary_valid(group->results, index, "return-misses");
		if (!counted || !rs_text_same(row->model_verdict, "disagrees"))
			continue;
		const struct rs_maybe model = rs_row_model(group->results, index);
		char by_model[RS_NUMBER_BYTES];
		char by_counter[RS_NUMBER_BYTES];
		rs_sink_wrapf(sink, group->width,
			      "disagree: %s: the model says %s mispredicted returns "
			      "per call, %s were counted",
			      row->variant, rs_number_brief(by_model, model.value),
			      rs_number_brief(by_counter, counted->median.value));
	}
}

static const char *partial_reason_of(const struct rs_row *row)
{
	if (row->state != RS_ROW_PARTIAL)
		return NULL;
	return row->reason ? row->reason : "not all repetitions were made";
}

static bool is_told(const struct rs_rowset *group, row_text *text, size_t at)
{
	for (size_t i = 0; i < at; i++) {
		if (rs_text_same(text(row_at(group, i)), text(row_at(group, at))))
			return true;
	}
	return false;
}

/* Rows that share a text are named together. */
static void put_row_texts(const struct rs_rowset *group, struct rs_sink *sink,
			  const char *label, row_text *text)
{
	for (size_t i = 0; i < group->n_rows; i++) {
		const char *const said = text(row_at(group, i));
		if (!said || is_told(group, text, i))
			continue;
		char names[1024] = "";
		for (size_t j = i; j < group->n_rows; j++) {
			if (rs_text_same(text(row_at(group, j)), said))
				rs_text_append(names, sizeof(names), "%s%s",
					       *names ? ", " : "",
					       row_at(group, j)->variant);
		}
		rs_sink_wrapf(sink, group->width, "%s%s: %s", label, names, said);
	}
}

void rs_rowset_put_notes(const struct rs_rowset *group, struct rs_sink *sink)
{
	put_control(group, sink);
	put_empty(group, sink);
	put_row_texts(group, sink, "", note_of);
	put_disagreements(group, sink);
	put_row_texts(group, sink, "no model: ", model_reason_of);
	put_row_texts(group, sink, "partial: ", partial_reason_of);
}

static void put_group(const struct rs_rowset *group, struct rs_sink *sink)
{
	put_heading(group, sink);
	rs_rowset_put_tables(group, sink);
	rs_rowset_put_notes(group, sink);
	rs_sink_text(sink, "\n");
}

int rs_text_results(const struct rs_results *results, const struct rs_style *style,
		    FILE *out)
{
	const size_t width = rs_style_width(style);
	struct rs_sink sink;
	rs_sink_begin(&sink, out);
	if (results->n_rows == 0)
		rs_sink_text(&sink, "nothing was measured\n\n");
	for (size_t i = 0; i < results->n_rows && !sink.code; i++) {
		if (!rs_rowset_is_first(results, i))
			continue;
		struct rs_rowset group;
		const int ret = rs_rowset_make(&group, results, i, width);
		if (ret)
			rs_sink_fail(&sink, ret);
		else
			put_group(&group, &sink);
		rs_rowset_end(&group);
	}
	rs_put_footnotes(results, &sink, width);
	return rs_sink_end(&sink);
}
