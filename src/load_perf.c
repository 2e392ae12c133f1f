#include "src/load_parts.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/records.h"
#include "src/base/text.h"

/*
 * What `perf stat -x,` and `-j` write, by perf-stat(1) section "CSV FORMAT": value,
 * unit, event, [variance,] run time, percentage of it that the event was counted, ...;
 * with -I a time stamp in front. A second value of an event is another sample, as of
 * -I or of --append.
 */

#define LARGEST_EXACT 9007199254740992.0 /* 2^53 */

static bool is_number(const char *text)
{
	const char *const at = text + strspn(text, " ");
	return isdigit((unsigned char)*at) ||
	       (*at == '-' && isdigit((unsigned char)at[1]));
}

static bool is_value(const char *text)
{
	return is_number(text) || *text == '<';
}

/* perf gives times in fractions of milliseconds. */
static int read_value(const struct rs_perf_line *line, uint64_t *value)
{
	const double scale = line->unit && strcmp(line->unit, "msec") == 0 ? 1e6 : 1;
	double number;
	if (rs_text_double(line->value, 0, LARGEST_EXACT, &number))
		return -EINVAL;
	*value = (uint64_t)llround(number * scale);
	return 0;
}

static const char *unit_of(const struct rs_perf_line *line)
{
	if (line->unit &&
	    (strcmp(line->unit, "msec") == 0 || strcmp(line->unit, "ns") == 0))
		return "ns";
	/* "cycles:u", "cpu-cycles", "cpu_core/cycles/" */
	if (strstr(line->event, "cycles"))
		return "cycles";
	return line->unit && *line->unit ? line->unit : "events";
}

static enum rs_status status_of(const struct rs_perf_line *line)
{
	double running;
	if (strcmp(line->value, "<not supported>") == 0)
		return RS_STATUS_NOT_SUPPORTED;
	if (*line->value == '<')
		return RS_STATUS_NOT_COUNTED;
	if (line->running_pct && *line->running_pct &&
	    rs_text_double(line->running_pct, 0, 1e6, &running) == 0 && running < 100)
		return RS_STATUS_MULTIPLEXED;
	return RS_STATUS_OK;
}

/* How many samples of metric there are. */
static uint32_t count_samples(const struct rs_loading *loading, size_t metric)
{
	uint32_t n = 0;
	for (size_t i = loading->n_observations; i-- > 0 && n == 0;) {
		if (loading->observations[i].metric == metric)
			n = loading->observations[i].block + 1;
	}
	return n;
}

int rs_loading_perf(struct rs_loading *loading, const struct rs_perf_line *line)
{
	size_t row;
	size_t metric;
	struct rs_observation observation = {.calls = 1};
	const enum rs_status status = status_of(line);
	int ret = rs_loading_row(
	    loading, &(struct rs_row){.workload = "perf-stat", .variant = "run"}, &row);
	if (!ret)
		ret = rs_loading_metric(loading,
					&(struct rs_metric){
					    .name = line->event,
					    .source = "perf",
					    .unit = unit_of(line),
					    .status = status,
					},
					&metric);
	if (ret || status != RS_STATUS_OK)
		return ret;
	observation.metric = (uint32_t)metric;
	observation.block = count_samples(loading, metric);
	ret = read_value(line, &observation.value);
	return ret ? ret : rs_loading_observe(loading, &observation);
}

/* Where the value is: behind the time stamp of -I; SIZE_MAX: nowhere. */
static size_t value_column(const struct rs_csv *csv)
{
	if (csv->n_fields >= 4 && is_number(csv->fields[0]) && is_value(csv->fields[1]))
		return 1;
	return csv->n_fields >= 3 && is_value(csv->fields[0]) ? 0 : SIZE_MAX;
}

static bool is_variance(const char *text)
{
	const size_t n = strlen(text);
	return n > 0 && text[n - 1] == '%';
}

static int take_record(struct rs_loading *loading, const struct rs_csv *csv,
		       struct rs_err *err)
{
	const size_t at = value_column(csv);
	if (at == SIZE_MAX || !*csv->fields[at + 2])
		return rs_err_set(err, -EINVAL,
				  "%s line %zu: this is no line of `perf stat -x,' "
				  "without --per-*; it should begin with a count",
				  csv->name, csv->line);
	const size_t first = at + 3;
	const bool has_variance =
	    csv->n_fields > first && is_variance(csv->fields[first]);
	const size_t running = first + has_variance + 1;
	const struct rs_perf_line line = {
	    .value = csv->fields[at],
	    .unit = csv->fields[at + 1],
	    .event = csv->fields[at + 2],
	    .running_pct = running < csv->n_fields ? csv->fields[running] : NULL,
	};
	const int ret = rs_loading_perf(loading, &line);
	char clip[RS_CLIP_BYTES];
	if (ret == -EINVAL)
		return rs_err_set(err, ret, "%s line %zu: '%s' is no count", csv->name,
				  csv->line, rs_text_clip(clip, line.value));
	return ret;
}

int rs_load_perf_csv(struct rs_loading *loading, FILE *file, const char *name,
		     struct rs_err *err)
{
	struct rs_csv csv;
	rs_csv_begin(&csv, file, name, ',');
	int ret;
	while ((ret = rs_csv_next(&csv, err)) > 0) {
		const char *const start = csv.fields[0];
		if (*start == '#' || (csv.n_fields == 1 && !*start))
			continue;
		ret = take_record(loading, &csv, err);
		if (ret)
			break;
	}
	rs_csv_end(&csv);
	return ret;
}
