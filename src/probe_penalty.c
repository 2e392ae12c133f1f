#include <errno.h>
#include <string.h>

#include "src/probes.h"

enum column {
	COL_PROBE,
	COL_WORKLOAD,
	COL_VARIANT,
	COL_METRIC,
	COL_PENALTY,
	COL_LOW,
	COL_HIGH,
	COL_PROCESSES,
	COL_MISSES,
	COL_MISSES_FROM,
	COL_VERDICT,
	N_COLUMNS
};

/* clang-format off */
static const struct rs_sheet_column columns[N_COLUMNS] = {
    [COL_PROBE] = {.name = "probe", .title = "probe", .is_detail = true},
    [COL_WORKLOAD] = {.name = "workload", .title = "workload"},
    [COL_VARIANT] = {.name = "variant", .title = "variant"},
    [COL_METRIC] = {.name = "unit", .title = "unit"},
    [COL_PENALTY] = {.name = "penalty", .title = "penalty", .is_right = true,
		     .is_number = true},
    [COL_LOW] = {.name = "low", .title = "from", .is_right = true, .is_number = true},
    [COL_HIGH] = {.name = "high", .title = "to", .is_right = true, .is_number = true},
    [COL_PROCESSES] = {.name = "processes", .title = "processes", .is_detail = true,
		       .is_number = true},
    [COL_MISSES] = {.name = "mispredicts_per_frame", .title = "misp./frame",
		    .is_right = true, .is_number = true},
    [COL_MISSES_FROM] = {.name = "mispredicts_from", .title = "by"},
    [COL_VERDICT] = {.name = "verdict", .title = "verdict", .wraps = true},
};
/* clang-format on */

static const enum rs_probe_metric metrics[] = {RS_PROBE_TICKS, RS_PROBE_NS,
					       RS_PROBE_CYCLES};

enum {
	N_METRICS = sizeof(metrics) / sizeof(metrics[0])
};

/* An interval wider than this share of the penalty answers nothing. */
#define WIDEST 0.5

/* Below k frames these leave k mispredicts behind, or one less: a slope of one. */
static bool is_measured(const struct rs_family *family, const struct rs_variant *form)
{
	(void)family;
	return form->effect == RS_EFFECT_CORRUPTING && !rs_variant_obstacle(form) &&
	       form->kernel->counts.pushes.base == form->kernel->counts.pops.base + 1;
}

static bool wants(const struct rs_family *family, const struct rs_variant *form)
{
	return strcmp(form->name, family->baseline) == 0 || is_measured(family, form);
}

int rs_probe_penalty_list(struct rs_probe *probe, struct rs_err *err)
{
	int ret = rs_probe_list_family(probe, "getpc", wants, err);
	if (!ret)
		ret = rs_probe_list_family(probe, "profile", wants, err);
	if (!ret && probe->n_cells == 0)
		ret = rs_err_set(err, -ENOTSUP,
				 "there are no forms of calls for this instruction set "
				 "(%s), so what a return costs cannot be probed",
				 rs_isa_host()->name);
	return ret;
}

/* Extra mispredicts for each frame, as counted; the model says one. */
static bool misses_per_frame(const struct rs_probe *probe,
			     const struct rs_probe_series *series, size_t process,
			     double *out)
{
	*out = 1;
	if (!rs_probe_has(probe, RS_PROBE_MISSES))
		return true;
	return rs_probe_extra_slope(probe, series, process, RS_PROBE_MISSES, out) &&
	       *out > 0;
}

static struct rs_probe_estimate penalty_of(const struct rs_probe *probe,
					   const struct rs_probe_series *series,
					   enum rs_probe_metric metric, uint64_t seed)
{
	double values[RS_MAX_PROCESSES];
	size_t n = 0;
	for (size_t p = 0; p < probe->n_processes; p++) {
		double slope = 0, misses = 1;
		if (rs_probe_extra_slope(probe, series, p, metric, &slope) &&
		    misses_per_frame(probe, series, p, &misses))
			values[n++] = slope / misses;
	}
	return rs_probe_estimate_of(values, n, seed);
}

static void put_verdict(struct rs_cells *cells, size_t row, const char *unit,
			const struct rs_probe_estimate *penalty)
{
	const struct rs_interval *const interval = &penalty->interval;
	if (penalty->n < RS_MIN_PROCESSES)
		rs_cells_put(cells, row, COL_VERDICT,
			     "unclear: %zu of the %u processes that are needed",
			     penalty->n, RS_MIN_PROCESSES);
	else if (interval->low <= 0)
		rs_cells_put(cells, row, COL_VERDICT,
			     "unclear: no cost of a mispredict is seen");
	else if (interval->high - interval->low > WIDEST * penalty->median)
		rs_cells_put(cells, row, COL_VERDICT,
			     "unclear: the processes say %.1f to %.1f", interval->low,
			     interval->high);
	else
		rs_cells_put(cells, row, COL_VERDICT, "%.1f %s (95 %%: %.1f..%.1f)",
			     penalty->median, unit, interval->low, interval->high);
}

static void put_misses(const struct rs_probe *probe,
		       const struct rs_probe_series *series, struct rs_cells *cells,
		       size_t row)
{
	double values[RS_MAX_PROCESSES];
	const size_t n = probe->n_processes;
	const bool is_counted = rs_probe_has(probe, RS_PROBE_MISSES);
	for (size_t p = 0; p < n; p++) {
		if (!misses_per_frame(probe, series, p, &values[p]))
			return;
	}
	if (n == 0)
		return;
	rs_cells_put(cells, row, COL_MISSES, "%.2f", rs_stats_median(values, n));
	rs_cells_put(cells, row, COL_MISSES_FROM, "%s",
		     is_counted ? "counter" : "model");
}

static void put_row(const struct rs_probe *probe,
		    const struct rs_probe_context *context,
		    const struct rs_probe_series *series, enum rs_probe_metric metric,
		    struct rs_cells *cells, size_t row)
{
	static const char *const units[RS_PROBE_N_METRICS] = {
	    [RS_PROBE_NS] = "ns",
	    [RS_PROBE_TICKS] = "ticks",
	    [RS_PROBE_CYCLES] = "cycles",
	};
	const struct rs_probe_estimate penalty =
	    penalty_of(probe, series, metric, context->seed);
	rs_cells_put(cells, row, COL_PROBE, "penalty");
	rs_cells_put(cells, row, COL_WORKLOAD, "%s", series->workload);
	rs_cells_put(cells, row, COL_VARIANT, "%s", series->variant);
	rs_cells_put(cells, row, COL_METRIC, "%s", units[metric]);
	rs_cells_put(cells, row, COL_PROCESSES, "%zu", penalty.n);
	put_misses(probe, series, cells, row);
	if (metric == RS_PROBE_CYCLES && penalty.n == 0) {
		rs_cells_put(cells, row, COL_VERDICT, "not counted");
		return;
	}
	put_verdict(cells, row, units[metric], &penalty);
	if (penalty.n == 0)
		return;
	rs_cells_put(cells, row, COL_PENALTY, "%.1f", penalty.median);
	rs_cells_put(cells, row, COL_LOW, "%.1f", penalty.interval.low);
	rs_cells_put(cells, row, COL_HIGH, "%.1f", penalty.interval.high);
}

static bool is_baseline(const struct rs_probe *probe,
			const struct rs_probe_series *series)
{
	return rs_probe_baseline(probe, series) == series;
}

int rs_probe_penalty_judge(const struct rs_probe *probe,
			   const struct rs_probe_context *context,
			   struct rs_probe_report *out, struct rs_err *err)
{
	size_t n_rows = 0;
	for (size_t i = 0; i < probe->n_series; i++)
		n_rows += is_baseline(probe, &probe->series[i]) ? 0 : N_METRICS;
	rs_cells_open(&out->cells, "what a mispredicted return costs", columns,
		      N_COLUMNS, n_rows);
	size_t row = 0;
	for (size_t i = 0; i < probe->n_series; i++) {
		const struct rs_probe_series *const series = &probe->series[i];
		if (is_baseline(probe, series))
			continue;
		for (size_t m = 0; m < N_METRICS; m++)
			put_row(probe, context, series, metrics[m], &out->cells, row++);
		if (!out->curve.n)
			rs_probe_plot(probe, series, rs_probe_baseline(probe, series),
				      out);
	}
	rs_probe_note_limits(probe, &out->cells);
	return rs_cells_finish(&out->cells, err);
}
