#include "src/compare.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/text.h"
#include "src/differ.h"
#include "src/ranks.h"
#include "src/side.h"
#include "src/stats.h"
#include "src/summary.h"

/* A counter that reads about nothing has no percentage; this much a call is a change.
 */
#define COUNT_CHANGE 0.1

/* Fewer repetitions a side than this give no verdict by ranks. */
#define MIN_REPETITIONS 9

/* Two files, and what of them is not comparable. */
struct pair {
	struct rs_side base;
	struct rs_side file;
	bool differs[RS_N_DIFFER];
	const struct rs_compare_request *request;
	struct rs_comparison *out;
	size_t capacity;
	bool is_out_of_memory;
};

const char *rs_host_of(const struct rs_loaded *loaded)
{
	return rs_loaded_fact(loaded, "hostname");
}

__attribute__((format(printf, 2, 3))) static void note(struct pair *pair,
						       const char *fmt, ...)
{
	struct rs_comparison *const out = pair->out;
	const char **const notes =
	    reallocarray(out->notes, out->n_notes + 1, sizeof(*notes));
	va_list args;
	char *text = NULL;
	if (notes)
		out->notes = notes;
	va_start(args, fmt);
	if (!notes || vasprintf(&text, fmt, args) < 0)
		pair->is_out_of_memory = true;
	else
		out->notes[out->n_notes++] = text;
	va_end(args);
}

static void note_fact(void *user, enum rs_differ differ, const char *name,
		      const char *base_value, const char *value)
{
	static const char *const meanings[RS_N_DIFFER] = {
	    [RS_DIFFER_NOTE] = "",
	    [RS_DIFFER_TICKS] = "; ticks are not comparable",
	    [RS_DIFFER_VDSO] = "; vdso rows are not comparable",
	    [RS_DIFFER_MACHINE] = "; this is another machine, nothing is comparable",
	};
	struct pair *const pair = user;
	pair->differs[differ] = true;
	note(pair, "%s differs: '%s' in %s, '%s' in %s%s", name, base_value,
	     pair->base.file->path, value, pair->file.file->path, meanings[differ]);
}

static void note_file(struct pair *pair, const struct rs_loaded *file)
{
	if (file->results.is_partial)
		note(pair, "%s is partial: %s", file->path,
		     file->results.partial_reason ? file->results.partial_reason
						  : "its run was interrupted");
	if (file->results.n_facts == 0)
		note(pair,
		     "%s tells nothing of its machine (only JSON files do): whether "
		     "it is the same one is not known",
		     file->path);
}

static size_t find_metric(const struct rs_results *results, const char *name)
{
	for (size_t i = 0; i < results->n_metrics; i++) {
		if (strcmp(results->metrics[i].name, name) == 0)
			return i;
	}
	return SIZE_MAX;
}

static bool is_wanted(const char *metrics, const char *name)
{
	char list[512];
	char *rest = NULL;
	if (!metrics)
		return true;
	rs_text_copy(list, sizeof(list), metrics);
	for (char *word = strtok_r(list, ",", &rest); word;
	     word = strtok_r(NULL, ",", &rest)) {
		if (rs_text_glob(word, name))
			return true;
	}
	return false;
}

/* Where one and the same empty loop runs at another speed, the machine changed. */
static double drift(const struct pair *pair, size_t base_row, size_t row,
		    size_t base_metric, size_t metric)
{
	const size_t base_empty = pair->base.file->empties[base_row];
	const size_t empty = pair->file.file->empties[row];
	if (base_empty == SIZE_MAX || empty == SIZE_MAX)
		return 0;
	const double before =
	    rs_side_gross_median(&pair->base, base_empty, base_metric);
	const double after = rs_side_gross_median(&pair->file, empty, metric);
	return isnan(before) || isnan(after) ? 0 : rs_share_pct(after - before, before);
}

static bool is_time(const char *unit)
{
	return strcmp(unit, "ns") == 0 || strcmp(unit, "ticks") == 0 ||
	       strcmp(unit, "cycles") == 0;
}

static bool is_comparable(const struct pair *pair, const struct rs_row *row,
			  const struct rs_metric *base, const struct rs_metric *metric)
{
	const bool is_vdso = strncmp(row->workload, "vdso.", 5) == 0;
	return !pair->differs[RS_DIFFER_MACHINE] &&
	       !(pair->differs[RS_DIFFER_VDSO] && is_vdso) &&
	       !(pair->differs[RS_DIFFER_TICKS] &&
		 strcmp(metric->unit, "ticks") == 0) &&
	       rs_differ_is_same_event(base, metric);
}

/* Positive is slower, as everywhere below the table. */
static const char *verdict_by_size(const struct rs_change *change)
{
	if (change->shift_low > COUNT_CHANGE)
		return "slower";
	if (change->shift_high < -COUNT_CHANGE)
		return "faster";
	if (change->shift_low >= -COUNT_CHANGE && change->shift_high <= COUNT_CHANGE)
		return "same";
	return "unclear";
}

static void judge(const struct pair *pair, struct rs_change *change, bool is_time_unit)
{
	if (change->n_base < MIN_REPETITIONS || change->n_new < MIN_REPETITIONS)
		change->verdict = "unclear";
	else if (!change->improvement_pct.known)
		change->verdict = verdict_by_size(change);
	else
		change->verdict = rs_verdict_of(-change->improvement_high_pct.value,
						-change->improvement_low_pct.value,
						pair->request->threshold_pct,
						change->noise_pct.value);
	const bool is_miss = strstr(change->metric, "miss") != NULL;
	change->is_worse =
	    strcmp(change->verdict, "slower") == 0 && (is_time_unit || is_miss);
	if (is_time_unit)
		return;
	if (strcmp(change->verdict, "slower") == 0)
		change->verdict = "more";
	else if (strcmp(change->verdict, "faster") == 0)
		change->verdict = "fewer";
}

static struct rs_maybe share_of(double part, double whole)
{
	return (struct rs_maybe){.value = 100 * part / whole, .known = true};
}

/* A count of almost nothing, or a net cost below nothing, gives no percentage. */
static void put_percentages(struct rs_change *change, bool is_time_unit)
{
	const double base = change->base_median;
	if (base <= 0 || (!is_time_unit && base < COUNT_CHANGE))
		return;
	change->improvement_pct = share_of(-change->shift, base);
	change->improvement_low_pct = share_of(-change->shift_high, base);
	change->improvement_high_pct = share_of(-change->shift_low, base);
}

static void put_statistics(struct pair *pair, struct rs_change *change, size_t base_row,
			   size_t row, size_t base_metric, size_t metric)
{
	change->n_base = rs_side_gather(&pair->base, base_row, base_metric);
	change->n_new = rs_side_gather(&pair->file, row, metric);
	if (change->n_base == 0 || change->n_new == 0)
		return;
	change->base_median = rs_stats_median(pair->base.values, change->n_base);
	change->new_median = rs_stats_median(pair->file.values, change->n_new);
	const struct rs_shift shift = rs_ranks_shift(pair->base.values, change->n_base,
						     pair->file.values, change->n_new);
	change->shift = shift.median;
	change->shift_low = shift.interval.low;
	change->shift_high = shift.interval.high;
	change->p_value = shift.p_value;
	const double noises[] = {
	    rs_side_spread_pct(&pair->base, base_row, base_metric),
	    rs_side_spread_pct(&pair->file, row, metric),
	    rs_side_floor_pct(&pair->base, base_row, base_metric),
	    rs_side_floor_pct(&pair->file, row, metric),
	    drift(pair, base_row, row, base_metric, metric),
	};
	change->noise_pct.known = true;
	for (size_t i = 0; i < sizeof(noises) / sizeof(noises[0]); i++)
		change->noise_pct.value = fmax(change->noise_pct.value, noises[i]);
}

static struct rs_change *add_change(struct pair *pair)
{
	struct rs_comparison *const out = pair->out;
	if (out->n_changes == pair->capacity) {
		const size_t capacity = pair->capacity ? 2 * pair->capacity : 64;
		struct rs_change *const changes =
		    reallocarray(out->changes, capacity, sizeof(*changes));
		if (!changes) {
			pair->is_out_of_memory = true;
			return NULL;
		}
		out->changes = changes;
		pair->capacity = capacity;
	}
	return &out->changes[out->n_changes];
}

static void compare_metric(struct pair *pair, size_t base_row, size_t row,
			   size_t base_metric, size_t metric)
{
	const struct rs_metric *const from =
	    &pair->base.file->results.metrics[base_metric];
	const struct rs_metric *const to = &pair->file.file->results.metrics[metric];
	struct rs_change *const change = add_change(pair);
	if (!change)
		return;
	*change = (struct rs_change){
	    .base = pair->base.file,
	    .file = pair->file.file,
	    .row = &pair->file.file->results.rows[row],
	    .metric = to->name,
	    .unit = to->unit,
	};
	put_statistics(pair, change, base_row, row, base_metric, metric);
	if (change->n_base == 0 || change->n_new == 0)
		return;
	put_percentages(change, is_time(to->unit));
	judge(pair, change, is_time(to->unit));
	if (!is_comparable(pair, change->row, from, to)) {
		change->verdict = "not-comparable";
		change->is_worse = false;
	}
	pair->out->n_changes++;
}

static void note_missing(struct pair *pair, const struct rs_row *row,
			 const struct rs_loaded *has, const struct rs_loaded *lacks)
{
	if (row->role == RS_ROLE_VARIANT)
		note(pair, "%s %s below %u frames is in %s, but not in %s",
		     row->workload, row->variant, row->depth, has->path, lacks->path);
}

static void compare_row(struct pair *pair, size_t row)
{
	const struct rs_results *const from = &pair->base.file->results;
	const struct rs_results *const to = &pair->file.file->results;
	const size_t base_row = rs_row_find(from, &to->rows[row]);
	if (base_row == SIZE_MAX) {
		note_missing(pair, &to->rows[row], pair->file.file, pair->base.file);
		return;
	}
	if (to->rows[row].role != RS_ROLE_VARIANT)
		return;
	for (size_t m = 0; m < to->n_metrics; m++) {
		const size_t base_metric = find_metric(from, to->metrics[m].name);
		if (base_metric != SIZE_MAX &&
		    is_wanted(pair->request->metrics, to->metrics[m].name))
			compare_metric(pair, base_row, row, base_metric, m);
	}
}

static void note_events(struct pair *pair)
{
	const struct rs_results *const from = &pair->base.file->results;
	const struct rs_results *const to = &pair->file.file->results;
	for (size_t m = 0; m < to->n_metrics; m++) {
		const size_t other = find_metric(from, to->metrics[m].name);
		if (other == SIZE_MAX ||
		    !is_wanted(pair->request->metrics, to->metrics[m].name))
			continue;
		if (!rs_differ_is_same_event(&from->metrics[other], &to->metrics[m]))
			note(pair,
			     "'%s' is another event in %s than in %s, and not "
			     "comparable",
			     to->metrics[m].name, pair->file.file->path,
			     pair->base.file->path);
	}
}

static void compare_rows(struct pair *pair)
{
	const struct rs_results *const from = &pair->base.file->results;
	const struct rs_results *const to = &pair->file.file->results;
	note_file(pair, pair->file.file);
	rs_differ_facts(pair->base.file, pair->file.file, note_fact, pair);
	note_events(pair);
	for (size_t i = 0; i < to->n_rows; i++)
		compare_row(pair, i);
	for (size_t i = 0; i < from->n_rows; i++) {
		if (rs_row_find(to, &from->rows[i]) == SIZE_MAX)
			note_missing(pair, &from->rows[i], pair->base.file,
				     pair->file.file);
	}
}

static int compare_pair(struct pair *pair, const struct rs_loaded *base,
			const struct rs_loaded *file, struct rs_err *err)
{
	memset(pair->differs, 0, sizeof(pair->differs));
	pair->base = pair->file = (struct rs_side){0};
	int ret = rs_side_open(&pair->base, base, err);
	if (!ret)
		ret = rs_side_open(&pair->file, file, err);
	if (!ret)
		compare_rows(pair);
	if (!ret && pair->is_out_of_memory)
		ret = rs_err_set(err, -ENOMEM, "not enough memory to compare");
	rs_side_close(&pair->base);
	rs_side_close(&pair->file);
	return ret;
}

static bool is_same_host(const struct rs_loaded *a, const struct rs_loaded *b)
{
	const char *const x = rs_host_of(a);
	const char *const y = rs_host_of(b);
	return x && y ? strcmp(x, y) == 0 : x == y;
}

static const struct rs_loaded *base_of(const struct rs_compare_request *request,
				       size_t index)
{
	const struct rs_loaded *const files = request->files;
	for (size_t i = 0; i < index; i++) {
		if (is_same_host(&files[i], &files[index]))
			return &files[i];
	}
	/* The first of its host: with others behind it, it is their base. */
	for (size_t i = index + 1; i < request->n_files; i++) {
		if (is_same_host(&files[i], &files[index]))
			return NULL;
	}
	return index ? &files[0] : NULL;
}

int rs_compare(struct rs_comparison *out, const struct rs_compare_request *request,
	       struct rs_err *err)
{
	struct pair pair = {.request = request, .out = out};
	int ret = 0;
	*out = (struct rs_comparison){0};
	for (size_t i = 0; i < request->n_files && !ret; i++) {
		const struct rs_loaded *const base = base_of(request, i);
		if (base)
			ret = compare_pair(&pair, base, &request->files[i], err);
		else
			note_file(&pair, &request->files[i]);
	}
	if (!ret && out->n_changes == 0)
		ret = rs_err_set(err, -EINVAL,
				 "%s and %s have no measured row and metric in common",
				 request->files[0].path, request->files[1].path);
	if (ret)
		rs_comparison_free(out);
	return ret;
}

void rs_comparison_free(struct rs_comparison *comparison)
{
	for (size_t i = 0; i < comparison->n_notes; i++)
		free((char *)(uintptr_t)comparison->notes[i]);
	free(comparison->notes);
	free(comparison->changes);
	*comparison = (struct rs_comparison){0};
}
