#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "report/lookup.h"
#include "report/sink.h"
#include "report/utf8.h"
#include "report/writers.h"
#include "src/base/text.h"

/*
 * The outer document is written piece by piece and each row of the results as one
 * line, so that memory is bounded by one row's repetitions, not by the run's.
 */

/* Every json_* that makes a value gives NULL without memory; set() notices. */
static void set(struct rs_sink *sink, json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, value))
		rs_sink_fail(sink, -ENOMEM);
}

static void append(struct rs_sink *sink, json_t *array, json_t *value)
{
	if (json_array_append_new(array, value))
		rs_sink_fail(sink, -ENOMEM);
}

/* jansson refuses what is not UTF-8. */
static json_t *text_value(const char *text)
{
	if (!text)
		return json_null();
	if (rs_utf8_is_valid(text))
		return json_string_nocheck(text);
	char *const repaired = rs_utf8_repair(text);
	json_t *const value = repaired ? json_string_nocheck(repaired) : NULL;
	free(repaired);
	return value;
}

/* jansson's integers end at 2^63 - 1; what is above travels as a string of digits. */
static json_t *count_value(uint64_t value)
{
	if (value <= INT64_MAX)
		return json_integer((json_int_t)value);
	char digits[24];
	snprintf(digits, sizeof(digits), "%" PRIu64, value);
	return json_string(digits);
}

static json_t *maybe_value(const struct rs_maybe *maybe)
{
	return rs_maybe_is_number(maybe) ? json_real(maybe->value) : json_null();
}

static int dump_to_sink(const char *bytes, size_t n_bytes, void *user)
{
	struct rs_sink *const sink = user;
	rs_sink_write(sink, bytes, n_bytes);
	return sink->code ? -1 : 0;
}

/* Writes value and gives it up. */
static void put_value(struct rs_sink *sink, json_t *value, size_t flags)
{
	if (!value)
		rs_sink_fail(sink, -ENOMEM);
	if (!sink->code &&
	    json_dump_callback(value, dump_to_sink, sink, flags | JSON_ENCODE_ANY))
		rs_sink_fail(sink, -ENOMEM);
	json_decref(value);
}

/* A member of the outer document. */
static void put_member(struct rs_sink *sink, const char *key, json_t *value)
{
	rs_sink_printf(sink, ",\n\"%s\": ", key);
	put_value(sink, value, JSON_INDENT(1));
}

static void begin_document(struct rs_sink *sink)
{
	rs_sink_printf(sink, "{\n\"schema\": %d", RS_SCHEMA);
}

static void end_document(struct rs_sink *sink)
{
	rs_sink_text(sink, "\n}\n");
}

static json_t *tool_value(struct rs_sink *sink)
{
	json_t *const tool = json_object();
	set(sink, tool, "name", json_string("retstack"));
	set(sink, tool, "version", json_string(RS_VERSION));
	return tool;
}

static json_t *host_value(struct rs_sink *sink, const struct rs_results *results,
			  bool notes)
{
	json_t *const host = json_object();
	for (size_t i = 0; i < results->n_facts; i++) {
		const struct rs_fact *const fact = &results->facts[i];
		if (notes && !fact->note)
			continue;
		set(sink, host, fact->name,
		    text_value(notes ? fact->note : fact->value));
	}
	return host;
}

static json_t *positive_or_null(uint64_t count)
{
	return count ? count_value(count) : json_null();
}

static json_t *settings_value(struct rs_sink *sink, const struct rs_settings *settings)
{
	const bool has_calls = settings->calls > 0;
	const bool has_limit = settings->max_time_s > 0;
	json_t *const out = json_object();
	set(sink, out, "command_line", text_value(settings->command_line));
	set(sink, out, "selection", text_value(settings->selection));
	set(sink, out, "events", text_value(settings->events));
	set(sink, out, "baseline", text_value(settings->baseline));
	set(sink, out, "replay", text_value(settings->replay));
	set(sink, out, "calls", has_calls ? count_value(settings->calls) : json_null());
	set(sink, out, "repetition_ns",
	    has_calls ? json_null() : count_value(settings->repetition_ns));
	set(sink, out, "repetitions", json_integer(settings->repetitions));
	set(sink, out, "placements", json_integer(settings->placements));
	set(sink, out, "cpu", json_integer(settings->cpu));
	set(sink, out, "seed", count_value(settings->seed));
	set(sink, out, "max_time_s",
	    maybe_value(&(const struct rs_maybe){settings->max_time_s, has_limit}));
	set(sink, out, "threshold_pct",
	    maybe_value(&(const struct rs_maybe){settings->threshold_pct, true}));
	set(sink, out, "strict", json_boolean(settings->strict));
	set(sink, out, "block_bytes", positive_or_null(settings->block_bytes));
	set(sink, out, "clock_reads", positive_or_null(settings->clock_reads));
	set(sink, out, "threads", positive_or_null(settings->threads));
	return out;
}

/* null where nothing was modelled. */
static json_t *preset_value(struct rs_sink *sink, const struct rs_preset *preset)
{
	if (!preset->name)
		return json_null();
	json_t *const out = json_object();
	set(sink, out, "preset", text_value(preset->name));
	set(sink, out, "chosen_by", text_value(preset->chosen_by));
	set(sink, out, "processor", text_value(preset->text));
	set(sink, out, "entries", json_integer(preset->entries));
	set(sink, out, "overflow", text_value(preset->overflow));
	set(sink, out, "underflow", text_value(preset->underflow));
	set(sink, out, "source", text_value(preset->source));
	set(sink, out, "note", text_value(preset->note));
	return out;
}

static json_t *event_value(struct rs_sink *sink, const struct rs_metric *metric)
{
	json_t *const event = json_object();
	set(sink, event, "name", text_value(metric->name));
	set(sink, event, "chosen", text_value(metric->chosen));
	set(sink, event, "source", text_value(metric->source));
	set(sink, event, "config", text_value(metric->config));
	set(sink, event, "unit", text_value(metric->unit));
	set(sink, event, "status", json_string(rs_status_name(metric->status)));
	set(sink, event, "reason", text_value(metric->reason));
	set(sink, event, "note", text_value(metric->note));
	return event;
}

static json_t *events_value(struct rs_sink *sink, const struct rs_results *results)
{
	json_t *const events = json_array();
	for (size_t i = 0; i < results->n_metrics; i++)
		append(sink, events, event_value(sink, &results->metrics[i]));
	return events;
}

static json_t *texts_value(struct rs_sink *sink, const char *const *texts, size_t n)
{
	json_t *const array = json_array();
	for (size_t i = 0; i < n; i++)
		append(sink, array, text_value(texts[i]));
	return array;
}

static json_t *summary_value(struct rs_sink *sink, const struct rs_row *row,
			     const struct rs_summary *summary)
{
	static const struct rs_summary hidden;
	const bool is_shown = rs_row_is_timed(row) && summary->status == RS_STATUS_OK;
	const struct rs_summary *const shown = is_shown ? summary : &hidden;
	const struct {
		const char *key;
		const struct rs_maybe *maybe;
	} numbers[] = {
	    {"median", &shown->median},
	    {"ci_low", &shown->ci_low},
	    {"ci_high", &shown->ci_high},
	    {"min", &shown->min},
	    {"mad", &shown->mad},
	    {"placement_spread_pct", &shown->placement_spread_pct},
	    {"model", &summary->model},
	    {"delta_pct", &shown->delta_pct},
	    {"delta_low_pct", &shown->delta_low_pct},
	    {"delta_high_pct", &shown->delta_high_pct},
	};
	json_t *const out = json_object();
	set(sink, out, "metric", text_value(summary->metric));
	set(sink, out, "unit", text_value(summary->unit));
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		set(sink, out, numbers[i].key, maybe_value(numbers[i].maybe));
	set(sink, out, "kept", json_integer(summary->kept));
	set(sink, out, "rejected", json_integer(summary->rejected));
	set(sink, out, "verdict", text_value(shown->verdict));
	set(sink, out, "status", json_string(rs_row_status_name(row, summary->status)));
	return out;
}

static json_t *summaries_value(struct rs_sink *sink, const struct rs_results *results,
			       size_t row)
{
	json_t *const array = json_array();
	for (size_t i = 0; i < results->n_summaries; i++) {
		if (results->summaries[i].row == row)
			append(sink, array,
			       summary_value(sink, &results->rows[row],
					     &results->summaries[i]));
	}
	return array;
}

static json_t *reading_value(struct rs_sink *sink, const struct rs_reading *reading)
{
	const bool is_valid = rs_reading_is_valid(reading);
	json_t *const out = json_object();
	set(sink, out, "value", is_valid ? count_value(reading->value) : json_null());
	set(sink, out, "time_enabled_ns", count_value(reading->time_enabled_ns));
	set(sink, out, "time_running_ns", count_value(reading->time_running_ns));
	set(sink, out, "status", json_string(rs_status_name(reading->status)));
	return out;
}

static json_t *repetition_value(struct rs_sink *sink,
				const struct rs_repetition *repetition,
				size_t n_metrics)
{
	json_t *const out = json_object();
	set(sink, out, "placement", json_integer(repetition->placement));
	set(sink, out, "block", json_integer(repetition->block));
	set(sink, out, "order", json_integer(repetition->order));
	set(sink, out, "calls", count_value(repetition->calls));
	set(sink, out, "rejected", text_value(repetition->rejected));
	json_t *const readings = json_array();
	for (size_t i = 0; i < n_metrics; i++)
		append(sink, readings, reading_value(sink, &repetition->readings[i]));
	set(sink, out, "readings", readings);
	return out;
}

static json_t *repetitions_value(struct rs_sink *sink, const struct rs_results *results,
				 size_t row)
{
	json_t *const array = json_array();
	for (size_t i = 0; i < results->n_repetitions; i++) {
		if (results->repetitions[i].row == row)
			append(sink, array,
			       repetition_value(sink, &results->repetitions[i],
						results->n_metrics));
	}
	return array;
}

static json_t *row_value(struct rs_sink *sink, const struct rs_results *results,
			 size_t index)
{
	const struct rs_row *const row = &results->rows[index];
	json_t *const out = json_object();
	set(sink, out, "workload", text_value(row->workload));
	set(sink, out, "variant", text_value(row->variant));
	set(sink, out, "depth", json_integer(row->depth));
	set(sink, out, "role", json_string(rs_row_role_name(row->role)));
	set(sink, out, "is_baseline", json_boolean(row->is_baseline));
	set(sink, out, "baseline", text_value(row->baseline));
	set(sink, out, "effect", text_value(row->effect));
	set(sink, out, "state", json_string(rs_row_state_name(row->state)));
	set(sink, out, "reason", text_value(row->reason));
	set(sink, out, "note", text_value(row->note));
	const struct rs_maybe mib_per_s = rs_row_mib_per_s(results, index);
	const struct rs_maybe switches_per_s = rs_row_switches_per_s(results, index);
	const struct rs_maybe model = rs_row_model(results, index);
	set(sink, out, "model", maybe_value(&model));
	set(sink, out, "model_reason", text_value(row->model_reason));
	set(sink, out, "model_verdict", text_value(row->model_verdict));
	set(sink, out, "block_bytes", positive_or_null(row->block_bytes));
	set(sink, out, "clock_reads", positive_or_null(row->clock_reads));
	set(sink, out, "threads", positive_or_null(row->threads));
	set(sink, out, "mib_per_s", maybe_value(&mib_per_s));
	set(sink, out, "switches", positive_or_null(row->switches));
	set(sink, out, "switches_per_s", maybe_value(&switches_per_s));
	set(sink, out, "summaries", summaries_value(sink, results, index));
	set(sink, out, "repetitions", repetitions_value(sink, results, index));
	return out;
}

static void put_rows(struct rs_sink *sink, const struct rs_results *results)
{
	rs_sink_text(sink, ",\n\"results\": [");
	for (size_t i = 0; i < results->n_rows && !sink->code; i++) {
		rs_sink_text(sink, i ? ",\n" : "\n");
		put_value(sink, row_value(sink, results, i), JSON_COMPACT);
	}
	rs_sink_text(sink, "\n]");
}

int rs_json_results(const struct rs_results *results, const struct rs_style *style,
		    FILE *out)
{
	(void)style;
	struct rs_sink sink;
	rs_sink_begin(&sink, out);
	begin_document(&sink);
	put_member(&sink, "run_id", text_value(results->run_id));
	put_member(&sink, "tool", tool_value(&sink));
	put_member(&sink, "partial", json_boolean(results->is_partial));
	put_member(&sink, "partial_reason", text_value(results->partial_reason));
	put_member(&sink, "host", host_value(&sink, results, false));
	put_member(&sink, "host_notes", host_value(&sink, results, true));
	put_member(&sink, "settings", settings_value(&sink, &results->settings));
	put_member(&sink, "model", preset_value(&sink, &results->preset));
	put_member(&sink, "events", events_value(&sink, results));
	put_rows(&sink, results);
	put_member(&sink, "notes",
		   texts_value(&sink, results->notes, results->n_notes));
	end_document(&sink);
	return rs_sink_end(&sink);
}

#define LARGEST_EXACT 9007199254740992.0 /* 2^53: whole numbers up to here fit */

/* A cell that should be a number but is not (such as a raw code) stays a string. */
static json_t *cell_value(const char *cell, bool is_number)
{
	uint64_t count;
	double real;
	if (cell && is_number && rs_text_u64(cell, 0, INT64_MAX, &count) == 0)
		return json_integer((json_int_t)count);
	if (cell && is_number && rs_text_double(cell, 0, LARGEST_EXACT, &real) == 0)
		return json_real(real);
	return text_value(cell);
}

static json_t *sheet_row_value(struct rs_sink *sink, const struct rs_sheet *sheet,
			       size_t row)
{
	json_t *const out = json_object();
	for (size_t i = 0; i < sheet->n_columns; i++) {
		const struct rs_sheet_column *const column = &sheet->columns[i];
		const char *const cell = sheet->cells[row * sheet->n_columns + i];
		set(sink, out, column->name, cell_value(cell, column->is_number));
	}
	return out;
}

int rs_json_sheet(const struct rs_sheet *sheet, const struct rs_style *style, FILE *out)
{
	(void)style;
	struct rs_sink sink;
	rs_sink_begin(&sink, out);
	begin_document(&sink);
	put_member(&sink, "title", text_value(sheet->title));
	json_t *const rows = json_array();
	for (size_t i = 0; i < sheet->n_rows; i++)
		append(&sink, rows, sheet_row_value(&sink, sheet, i));
	put_member(&sink, "rows", rows);
	put_member(&sink, "notes", texts_value(&sink, sheet->notes, sheet->n_notes));
	end_document(&sink);
	return rs_sink_end(&sink);
}

static json_t *check_value(struct rs_sink *sink, const struct rs_check *check)
{
	json_t *const out = json_object();
	set(sink, out, "name", text_value(check->name));
	set(sink, out, "state", json_string(rs_check_state_name(check->state)));
	set(sink, out, "value", text_value(check->value));
	set(sink, out, "cause", text_value(check->cause));
	set(sink, out, "remedy", text_value(check->remedy));
	return out;
}

int rs_json_checkup(const struct rs_checkup *checkup, const struct rs_style *style,
		    FILE *out)
{
	(void)style;
	struct rs_sink sink;
	rs_sink_begin(&sink, out);
	begin_document(&sink);
	json_t *const checks = json_array();
	for (size_t i = 0; i < checkup->n_checks; i++)
		append(&sink, checks, check_value(&sink, &checkup->checks[i]));
	put_member(&sink, "checks", checks);
	end_document(&sink);
	return rs_sink_end(&sink);
}
