#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/lookup.h"
#include "report/number.h"
#include "report/sink.h"
#include "report/utf8.h"
#include "report/writers.h"

/* A line being written: RFC 4180 quoting, ended by a newline alone. */
struct line {
	struct rs_sink *sink;
	bool has_field;
};

static void next_field(struct line *line)
{
	if (line->has_field)
		rs_sink_text(line->sink, ",");
	line->has_field = true;
}

static void put_quoted(struct line *line, const char *text)
{
	if (!text[strcspn(text, ",\"\r\n")]) {
		rs_sink_text(line->sink, text);
		return;
	}
	rs_sink_text(line->sink, "\"");
	for (const char *c = text; *c; c++)
		rs_sink_write(line->sink, *c == '"' ? "\"\"" : c, *c == '"' ? 2 : 1);
	rs_sink_text(line->sink, "\"");
}

/* NULL: an empty field. */
static void put_text(struct line *line, const char *text)
{
	next_field(line);
	if (!text)
		return;
	if (rs_utf8_is_valid(text)) {
		put_quoted(line, text);
		return;
	}
	char *const repaired = rs_utf8_repair(text);
	if (repaired)
		put_quoted(line, repaired);
	else
		rs_sink_fail(line->sink, -ENOMEM);
	free(repaired);
}

static void put_joined(struct line *line, const char *first, const char *second)
{
	char *text = NULL;
	if (asprintf(&text, "%s%s", first, second) < 0) {
		rs_sink_fail(line->sink, -ENOMEM);
		return;
	}
	put_text(line, text);
	free(text);
}

static void put_empty(struct line *line, size_t n)
{
	while (n-- > 0)
		put_text(line, NULL);
}

static void put_count(struct line *line, uint64_t value)
{
	next_field(line);
	rs_sink_printf(line->sink, "%" PRIu64, value);
}

static void put_maybe(struct line *line, const struct rs_maybe *maybe)
{
	char number[RS_NUMBER_BYTES];
	next_field(line);
	if (rs_maybe_is_number(maybe))
		rs_sink_text(line->sink, rs_number_exact(number, maybe->value));
}

static void end_line(struct line *line)
{
	rs_sink_text(line->sink, "\n");
	line->has_field = false;
}

static const char dump_header[] =
    "schema,run_id,workload,variant,placement,depth,block,order,calls,event,source,"
    "config,value,time_enabled_ns,time_running_ns,status,block_bytes,clock_reads,"
    "threads\n";

/* A counter that was never enabled has no times either. */
static void put_times(struct line *line, const struct rs_reading *reading)
{
	if (reading->status == RS_STATUS_NOT_SUPPORTED ||
	    reading->status == RS_STATUS_NOT_PERMITTED ||
	    reading->status == RS_STATUS_FAILED) {
		put_empty(line, 2);
		return;
	}
	put_count(line, reading->time_enabled_ns);
	put_count(line, reading->time_running_ns);
}

static void put_reading_status(struct line *line, const struct rs_reading *reading,
			       const char *rejected)
{
	if (!rejected || !rs_reading_is_valid(reading)) {
		put_text(line, rs_status_name(reading->status));
		return;
	}
	put_joined(line, "rejected:", rejected);
}

/* A control that bears its baseline's name must not be taken for its samples. */
static void put_variant(struct line *line, const struct rs_row *row)
{
	const bool is_again =
	    row->role == RS_ROLE_CONTROL && rs_text_same(row->variant, row->baseline);
	if (is_again)
		put_joined(line, row->variant, " again");
	else
		put_text(line, row->variant);
}

static void put_row_key(struct line *line, const struct rs_results *results,
			const struct rs_row *row)
{
	put_count(line, RS_SCHEMA);
	put_text(line, results->run_id);
	put_text(line, row->workload);
	put_variant(line, row);
}

/* 0: an empty field. */
static void put_known_count(struct line *line, uint64_t value)
{
	if (value)
		put_count(line, value);
	else
		put_empty(line, 1);
}

/* What one call does, where that can be chosen; each line ends so. */
static void end_row(struct line *line, const struct rs_row *row)
{
	put_known_count(line, row->block_bytes);
	put_known_count(line, row->clock_reads);
	put_known_count(line, row->threads);
	end_line(line);
}

static void dump_reading(struct line *line, const struct rs_results *results,
			 const struct rs_repetition *repetition, size_t metric)
{
	const struct rs_row *const row = &results->rows[repetition->row];
	const struct rs_reading *const reading = &repetition->readings[metric];
	put_row_key(line, results, row);
	put_count(line, repetition->placement);
	put_count(line, row->depth);
	put_count(line, repetition->block);
	put_count(line, repetition->order);
	put_count(line, repetition->calls);
	put_text(line, results->metrics[metric].name);
	put_text(line, results->metrics[metric].source);
	put_text(line, results->metrics[metric].config);
	if (rs_reading_is_valid(reading))
		put_count(line, reading->value);
	else
		put_empty(line, 1);
	put_times(line, reading);
	put_reading_status(line, reading, repetition->rejected);
	end_row(line, row);
}

/* Without it, a variant that never ran would be missing from the file unexplained. */
static void dump_row_state(struct line *line, const struct rs_results *results,
			   const struct rs_row *row)
{
	put_row_key(line, results, row);
	put_empty(line, 1);
	put_count(line, row->depth);
	put_empty(line, 9);
	put_text(line, rs_row_status_name(row, RS_STATUS_NOT_COUNTED));
	end_row(line, row);
}

int rs_csv_results(const struct rs_results *results, const struct rs_style *style,
		   FILE *out)
{
	(void)style;
	struct rs_sink sink;
	rs_sink_begin(&sink, out);
	struct line line = {.sink = &sink};
	rs_sink_text(&sink, dump_header);
	for (size_t i = 0; i < results->n_repetitions; i++) {
		for (size_t m = 0; m < results->n_metrics; m++)
			dump_reading(&line, results, &results->repetitions[i], m);
	}
	for (size_t i = 0; i < results->n_rows; i++) {
		const struct rs_row *const row = &results->rows[i];
		if (!rs_row_is_timed(row) || !rs_row_has_repetition(results, i))
			dump_row_state(&line, results, row);
	}
	return rs_sink_end(&sink);
}

static const char summary_header[] =
    "schema,run_id,workload,variant,depth,metric,unit,median,ci_low,ci_high,min,mad,"
    "kept,rejected,placement_spread,model,baseline,delta_pct,delta_low_pct,"
    "delta_high_pct,verdict,status,preset,model_verdict,block_bytes,clock_reads,"
    "threads\n";

static void put_summary_row(struct line *line, const struct rs_results *results,
			    const struct rs_summary *summary)
{
	static const struct rs_summary hidden;
	const struct rs_row *const row = &results->rows[summary->row];
	const bool is_shown = rs_row_is_timed(row) && summary->status == RS_STATUS_OK;
	const struct rs_summary *const shown = is_shown ? summary : &hidden;
	put_row_key(line, results, row);
	put_count(line, row->depth);
	put_text(line, summary->metric);
	put_text(line, summary->unit);
	put_maybe(line, &shown->median);
	put_maybe(line, &shown->ci_low);
	put_maybe(line, &shown->ci_high);
	put_maybe(line, &shown->min);
	put_maybe(line, &shown->mad);
	put_count(line, summary->kept);
	put_count(line, summary->rejected);
	put_maybe(line, &shown->placement_spread_pct);
	put_maybe(line, &summary->model);
	put_text(line, row->baseline);
	put_maybe(line, &shown->delta_pct);
	put_maybe(line, &shown->delta_low_pct);
	put_maybe(line, &shown->delta_high_pct);
	put_text(line, shown->verdict);
	put_text(line, rs_row_status_name(row, summary->status));
	put_text(line, summary->model.known ? results->preset.name : NULL);
	put_text(line, is_shown && strcmp(summary->metric, "return-misses") == 0
			   ? row->model_verdict
			   : NULL);
	end_row(line, row);
}

static void put_unsummarised_row(struct line *line, const struct rs_results *results,
				 const struct rs_row *row)
{
	put_row_key(line, results, row);
	put_count(line, row->depth);
	put_empty(line, 11);
	put_text(line, row->baseline);
	put_empty(line, 4);
	put_text(line, rs_row_status_name(row, RS_STATUS_NOT_COUNTED));
	put_empty(line, 2);
	end_row(line, row);
}

/* Returns how many lines there were. */
static size_t put_summaries_of(struct line *line, const struct rs_results *results,
			       size_t row)
{
	size_t n = 0;
	for (size_t i = 0; i < results->n_summaries; i++) {
		if (results->summaries[i].row != row)
			continue;
		put_summary_row(line, results, &results->summaries[i]);
		n++;
	}
	return n;
}

int rs_summary_csv_results(const struct rs_results *results,
			   const struct rs_style *style, FILE *out)
{
	(void)style;
	struct rs_sink sink;
	rs_sink_begin(&sink, out);
	struct line line = {.sink = &sink};
	rs_sink_text(&sink, summary_header);
	for (size_t i = 0; i < results->n_rows; i++) {
		if (put_summaries_of(&line, results, i) == 0)
			put_unsummarised_row(&line, results, &results->rows[i]);
	}
	return rs_sink_end(&sink);
}

/* An empty line would be no record at all, so a lone empty cell is quoted. */
static void put_cells(struct line *line, const char *const *cells, size_t n)
{
	if (n == 1 && !(cells[0] && *cells[0])) {
		rs_sink_text(line->sink, "\"\"");
		return;
	}
	for (size_t i = 0; i < n; i++)
		put_text(line, cells[i]);
}

int rs_csv_sheet(const struct rs_sheet *sheet, const struct rs_style *style, FILE *out)
{
	(void)style;
	struct rs_sink sink;
	rs_sink_begin(&sink, out);
	struct line line = {.sink = &sink};
	for (size_t i = 0; i < sheet->n_columns; i++)
		put_text(&line, sheet->columns[i].name);
	end_line(&line);
	for (size_t row = 0; row < sheet->n_rows; row++) {
		put_cells(&line, &sheet->cells[row * sheet->n_columns],
			  sheet->n_columns);
		end_line(&line);
	}
	return rs_sink_end(&sink);
}

int rs_csv_checkup(const struct rs_checkup *checkup, const struct rs_style *style,
		   FILE *out)
{
	(void)style;
	struct rs_sink sink;
	rs_sink_begin(&sink, out);
	struct line line = {.sink = &sink};
	rs_sink_text(&sink, "name,state,value,cause,remedy\n");
	for (size_t i = 0; i < checkup->n_checks; i++) {
		const struct rs_check *const check = &checkup->checks[i];
		put_text(&line, check->name);
		put_text(&line, rs_check_state_name(check->state));
		put_text(&line, check->value);
		put_text(&line, check->cause);
		put_text(&line, check->remedy);
		end_line(&line);
	}
	return rs_sink_end(&sink);
}
