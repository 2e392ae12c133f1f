#include "src/load_parts.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "src/base/text.h"

struct reader {
	struct rs_loading *loading;
	const char *name;
	struct rs_err *err;
};

static int bad(const struct reader *reader, const char *what)
{
	return rs_err_set(reader->err, -EINVAL, "%s: %s", reader->name, what);
}

/* NULL where it is missing, null or no text. */
static const char *text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

/* A whole number, of which the large ones travel as texts; -EINVAL otherwise. */
static int count_of(const json_t *object, const char *key, uint64_t max, uint64_t *out)
{
	const json_t *const value = json_object_get(object, key);
	if (json_is_string(value))
		return rs_text_u64(json_string_value(value), 0, max, out);
	if (!json_is_integer(value) || json_integer_value(value) < 0 ||
	    (uint64_t)json_integer_value(value) > max)
		return -EINVAL;
	*out = (uint64_t)json_integer_value(value);
	return 0;
}

static int number_of(const struct reader *reader, const json_t *object, const char *key,
		     uint64_t max, uint64_t *out)
{
	char why[128];
	*out = 0;
	if (count_of(object, key, max, out) == 0)
		return 0;
	snprintf(why, sizeof(why), "'%s' is missing or no number in range", key);
	return bad(reader, why);
}

static int take_schema(const struct reader *reader, const json_t *root)
{
	uint64_t schema;
	if (!json_is_object(root) || !json_object_get(root, "results"))
		return bad(reader, "it is no result of `retstack run --json': it has "
				   "no 'results'");
	if (count_of(root, "schema", UINT32_MAX, &schema) || schema == 0)
		return bad(reader, "its 'schema' is missing or no number");
	if (schema > RS_SCHEMA)
		return bad(reader, "it was written by a newer retstack; use that one");
	return 0;
}

/* Null, or missing as in an older file, is absent. */
static struct rs_maybe maybe_of(const json_t *object, const char *key)
{
	const json_t *const value = json_object_get(object, key);
	return (struct rs_maybe){.value = json_number_value(value),
				 .known = json_is_number(value)};
}

static uint64_t count_or_0(const json_t *object, const char *key, uint64_t max)
{
	uint64_t value = 0;
	return count_of(object, key, max, &value) ? 0 : value;
}

static int take_settings(const struct reader *reader, const json_t *root)
{
	struct rs_settings *const settings = &reader->loading->out->results.settings;
	const json_t *const from = json_object_get(root, "settings");
	settings->calls = count_or_0(from, "calls", UINT64_MAX);
	settings->repetition_ns = count_or_0(from, "repetition_ns", UINT64_MAX);
	settings->seed = count_or_0(from, "seed", UINT64_MAX);
	settings->cpu = (unsigned int)count_or_0(from, "cpu", UINT32_MAX);
	settings->block_bytes = count_or_0(from, "block_bytes", UINT64_MAX);
	settings->clock_reads =
	    (unsigned int)count_or_0(from, "clock_reads", UINT32_MAX);
	settings->threads = (unsigned int)count_or_0(from, "threads", UINT32_MAX);
	settings->repetitions =
	    (unsigned int)count_or_0(from, "repetitions", UINT32_MAX);
	settings->threshold_pct = maybe_of(from, "threshold_pct").value;
	const int ret = rs_loading_text(reader->loading, text_of(from, "command_line"),
					&settings->command_line);
	return ret ? ret
		   : rs_loading_text(reader->loading, text_of(from, "replay"),
				     &settings->replay);
}

/* What older files do not have is left empty; half of it would be of no use. */
static int take_preset(const struct reader *reader, const json_t *root)
{
	const json_t *const from = json_object_get(root, "model");
	struct rs_preset preset = {
	    .entries = (uint32_t)count_or_0(from, "entries", UINT32_MAX),
	};
	const struct {
		const char *key;
		const char **to;
		bool is_needed;
	} texts[] = {
	    {"preset", &preset.name, true},
	    {"chosen_by", &preset.chosen_by, true},
	    {"processor", &preset.text, true},
	    {"overflow", &preset.overflow, true},
	    {"underflow", &preset.underflow, true},
	    {"source", &preset.source, false},
	    {"note", &preset.note, false},
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const int ret = rs_loading_text(
		    reader->loading, text_of(from, texts[i].key), texts[i].to);
		if (ret || (texts[i].is_needed && !*texts[i].to))
			return ret;
	}
	reader->loading->out->results.preset = preset;
	return 0;
}

static int take_notes(const struct reader *reader, const json_t *root)
{
	struct rs_results *const results = &reader->loading->out->results;
	const json_t *const notes = json_object_get(root, "notes");
	size_t i;
	json_t *note;
	results->notes = calloc(json_array_size(notes) + 1, sizeof(*results->notes));
	if (!results->notes)
		return -ENOMEM;
	json_array_foreach(notes, i, note)
	{
		if (!json_is_string(note))
			return bad(reader, "an entry of 'notes' is no text");
		const int ret =
		    rs_loading_text(reader->loading, json_string_value(note),
				    &results->notes[results->n_notes++]);
		if (ret)
			return ret;
	}
	return 0;
}

static int take_facts(const struct reader *reader, const json_t *root)
{
	struct rs_results *const results = &reader->loading->out->results;
	json_t *const host = json_object_get(root, "host");
	const json_t *const notes = json_object_get(root, "host_notes");
	results->facts = calloc(json_object_size(host) + 1, sizeof(*results->facts));
	if (!results->facts)
		return -ENOMEM;
	const char *name;
	json_t *value;
	json_object_foreach(host, name, value)
	{
		struct rs_fact *const fact = &results->facts[results->n_facts++];
		int ret = rs_loading_text(reader->loading, name, &fact->name);
		if (!ret)
			ret = rs_loading_text(reader->loading, json_string_value(value),
					      &fact->value);
		if (!ret)
			ret = rs_loading_text(reader->loading, text_of(notes, name),
					      &fact->note);
		if (ret)
			return ret;
	}
	return 0;
}

static int take_events(const struct reader *reader, const json_t *root)
{
	size_t i;
	json_t *event;
	json_array_foreach(json_object_get(root, "events"), i, event)
	{
		const char *const word = text_of(event, "status");
		size_t index;
		struct rs_metric metric = {
		    .name = text_of(event, "name"),
		    .chosen = text_of(event, "chosen"),
		    .source = text_of(event, "source"),
		    .config = text_of(event, "config"),
		    .unit = text_of(event, "unit"),
		    .reason = text_of(event, "reason"),
		    .note = text_of(event, "note"),
		};
		if (!metric.name || !metric.unit || !word ||
		    rs_status_parse(word, &metric.status))
			return bad(reader, "an entry of 'events' is not whole");
		const int ret = rs_loading_metric(reader->loading, &metric, &index);
		if (ret)
			return ret;
		if (index != i)
			return bad(reader, "two entries of 'events' have one name");
	}
	return 0;
}

static int take_readings(const struct reader *reader, const json_t *repetition,
			 struct rs_observation *observation)
{
	const size_t n_metrics = reader->loading->out->results.n_metrics;
	const json_t *const readings = json_object_get(repetition, "readings");
	if (json_array_size(readings) != n_metrics)
		return bad(reader, "a repetition has not one reading for each event");
	for (size_t m = 0; m < n_metrics; m++) {
		const json_t *const reading = json_array_get(readings, m);
		const char *const word = text_of(reading, "status");
		enum rs_status status;
		if (!word || rs_status_parse(word, &status))
			return bad(reader, "the status of a reading is no status");
		if (status != RS_STATUS_OK)
			continue;
		observation->metric = (uint32_t)m;
		int ret = number_of(reader, reading, "value", UINT64_MAX,
				    &observation->value);
		if (!ret)
			ret = rs_loading_observe(reader->loading, observation);
		if (ret)
			return ret;
	}
	return 0;
}

static int take_repetition(const struct reader *reader, const json_t *repetition,
			   size_t row)
{
	struct rs_observation observation = {.row = (uint32_t)row};
	const struct {
		const char *key;
		uint64_t max;
		uint32_t *out;
	} numbers[] = {
	    {"placement", 1000, &observation.placement},
	    {"block", 100000000, &observation.block},
	    {"order", UINT32_MAX, &observation.order},
	};
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		uint64_t value;
		const int ret = number_of(reader, repetition, numbers[i].key,
					  numbers[i].max, &value);
		if (ret)
			return ret;
		*numbers[i].out = (uint32_t)value;
	}
	int ret =
	    number_of(reader, repetition, "calls", UINT64_MAX, &observation.calls);
	if (!ret && observation.calls == 0)
		ret = bad(reader, "a repetition has 0 calls");
	if (!ret)
		ret = rs_loading_text(reader->loading, text_of(repetition, "rejected"),
				      &observation.rejected);
	return ret ? ret : take_readings(reader, repetition, &observation);
}

/* A row's own state stands there where it is worse than the status. */
static enum rs_status summary_status(const char *word)
{
	enum rs_status status;
	if (!word)
		return RS_STATUS_NOT_COUNTED;
	return rs_status_parse(word, &status) ? RS_STATUS_OK : status;
}

static int take_summary(const struct reader *reader, const json_t *from, size_t row)
{
	struct rs_summary summary = {
	    .row = (unsigned int)row,
	    .median = maybe_of(from, "median"),
	    .ci_low = maybe_of(from, "ci_low"),
	    .ci_high = maybe_of(from, "ci_high"),
	    .min = maybe_of(from, "min"),
	    .mad = maybe_of(from, "mad"),
	    .kept = (unsigned int)count_or_0(from, "kept", UINT32_MAX),
	    .rejected = (unsigned int)count_or_0(from, "rejected", UINT32_MAX),
	    .placement_spread_pct = maybe_of(from, "placement_spread_pct"),
	    .model = maybe_of(from, "model"),
	    .delta_pct = maybe_of(from, "delta_pct"),
	    .delta_low_pct = maybe_of(from, "delta_low_pct"),
	    .delta_high_pct = maybe_of(from, "delta_high_pct"),
	    .status = summary_status(text_of(from, "status")),
	};
	struct rs_loading *const loading = reader->loading;
	int ret = rs_loading_text(loading, text_of(from, "metric"), &summary.metric);
	if (!ret && !summary.metric)
		return bad(reader, "a summary has no 'metric'");
	if (!ret)
		ret = rs_loading_text(loading, text_of(from, "unit"), &summary.unit);
	if (!ret)
		ret = rs_loading_text(loading, text_of(from, "verdict"),
				      &summary.verdict);
	return ret ? ret : rs_loading_summary(loading, &summary);
}

static enum rs_row_state state_of(const char *word)
{
	for (int i = 0; word && i < RS_N_ROW_STATE; i++) {
		if (strcmp(word, rs_row_state_name((enum rs_row_state)i)) == 0)
			return (enum rs_row_state)i;
	}
	return RS_ROW_OK;
}

static enum rs_row_role role_of(const char *word)
{
	if (word && strcmp(word, "empty") == 0)
		return RS_ROLE_EMPTY;
	return word && strcmp(word, "control") == 0 ? RS_ROLE_CONTROL : RS_ROLE_VARIANT;
}

static int take_row(const struct reader *reader, const json_t *from)
{
	uint64_t depth;
	size_t index;
	size_t i;
	json_t *part;
	char name[256];
	const char *const variant = text_of(from, "variant");
	struct rs_row row = {
	    .workload = text_of(from, "workload"),
	    .variant = name,
	    .role = role_of(text_of(from, "role")),
	    .is_baseline = json_is_true(json_object_get(from, "is_baseline")),
	    .effect = text_of(from, "effect"),
	    .state = state_of(text_of(from, "state")),
	    .reason = text_of(from, "reason"),
	    .note = text_of(from, "note"),
	    .baseline = text_of(from, "baseline"),
	    .model_reason = text_of(from, "model_reason"),
	    .model_verdict = text_of(from, "model_verdict"),
	    .block_bytes = count_or_0(from, "block_bytes", UINT64_MAX),
	    .clock_reads = (unsigned int)count_or_0(from, "clock_reads", UINT32_MAX),
	    .threads = (unsigned int)count_or_0(from, "threads", UINT32_MAX),
	    .switches = (unsigned int)count_or_0(from, "switches", UINT32_MAX),
	};
	if (!row.workload || !variant)
		return bad(reader, "a row has no 'workload' or no 'variant'");
	snprintf(name, sizeof(name), "%s%s", variant,
		 row.role == RS_ROLE_CONTROL && row.baseline &&
			 strcmp(row.baseline, variant) == 0
		     ? " again"
		     : "");
	int ret = number_of(reader, from, "depth", UINT32_MAX, &depth);
	row.depth = (unsigned int)depth;
	if (!ret)
		ret = rs_loading_row(reader->loading, &row, &index);
	json_array_foreach(json_object_get(from, "summaries"), i, part)
	{
		if (!ret)
			ret = take_summary(reader, part, index);
	}
	json_array_foreach(json_object_get(from, "repetitions"), i, part)
	{
		if (!ret)
			ret = take_repetition(reader, part, index);
	}
	return ret;
}

static int take_document(const struct reader *reader, const json_t *root)
{
	struct rs_results *const results = &reader->loading->out->results;
	size_t i;
	json_t *row;
	int ret = take_schema(reader, root);
	if (!ret)
		ret = rs_loading_text(reader->loading, text_of(root, "run_id"),
				      &results->run_id);
	if (!ret)
		ret = rs_loading_text(reader->loading, text_of(root, "partial_reason"),
				      &results->partial_reason);
	results->is_partial = json_is_true(json_object_get(root, "partial"));
	static int (*const parts[])(const struct reader *, const json_t *) = {
	    take_settings, take_preset, take_facts, take_events, take_notes};
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]) && !ret; i++)
		ret = parts[i](reader, root);
	json_array_foreach(json_object_get(root, "results"), i, row)
	{
		if (!ret)
			ret = take_row(reader, row);
	}
	return ret;
}

static int take_perf_object(const struct reader *reader, const json_t *object)
{
	char running[32] = "";
	const json_t *const share = json_object_get(object, "pcnt-running");
	const struct rs_perf_line line = {
	    .event = text_of(object, "event"),
	    .value = text_of(object, "counter-value"),
	    .unit = text_of(object, "unit"),
	    .running_pct = running,
	};
	/* Such lines carry only a metric that perf computed. */
	if (!line.event || !line.value)
		return 0;
	if (json_is_number(share) && json_number_value(share) < 100)
		rs_text_copy(running, sizeof(running), "0");
	const int ret = rs_loading_perf(reader->loading, &line);
	return ret == -EINVAL ? bad(reader, "a 'counter-value' is no count") : ret;
}

/* Moves past blanks and perf's comment lines; false at the end of the file. */
static bool skip_blanks(FILE *file)
{
	int c;
	bool is_comment = false;
	while ((c = getc(file)) != EOF) {
		is_comment = c == '#' || (is_comment && c != '\n');
		if (is_comment || isspace(c))
			continue;
		ungetc(c, file);
		return true;
	}
	return false;
}

static int take_value(const struct reader *reader, const json_t *value, bool *is_perf)
{
	if (*is_perf || json_object_get(value, "counter-value")) {
		*is_perf = true;
		reader->loading->out->kind = "perf stat";
		return take_perf_object(reader, value);
	}
	return take_document(reader, value);
}

int rs_load_json(struct rs_loading *loading, FILE *file, const char *name,
		 struct rs_err *err)
{
	const struct reader reader = {.loading = loading, .name = name, .err = err};
	bool is_perf = false;
	int ret = 0;
	for (bool is_first = true; !ret && skip_blanks(file); is_first = false) {
		json_error_t error;
		if (!is_first && !is_perf)
			return bad(&reader, "text follows the JSON document");
		json_t *const value = json_loadf(
		    file, JSON_DISABLE_EOF_CHECK | JSON_REJECT_DUPLICATES, &error);
		if (!value)
			return rs_err_set(err, -EINVAL,
					  "%s line %d: %s; is the file cut off?", name,
					  error.line, error.text);
		ret = take_value(&reader, value, &is_perf);
		json_decref(value);
	}
	return ret;
}
