#include <errno.h>
#include <math.h>
#include <string.h>

#include "src/probes.h"
#include "src/stream.h"
#include "src/vote.h"

enum column {
	COL_PROBE,
	COL_WORKLOAD,
	COL_FORM,
	COL_EXPECTED,
	COL_SLOPE,
	COL_LOW,
	COL_HIGH,
	COL_METRIC,
	COL_MISSES,
	COL_PROCESSES,
	COL_AGREEING,
	COL_FOUND,
	COL_VERDICT,
	N_COLUMNS
};

/* clang-format off */
static const struct rs_sheet_column columns[N_COLUMNS] = {
    [COL_PROBE] = {.name = "probe", .title = "probe", .is_detail = true},
    [COL_WORKLOAD] = {.name = "workload", .title = "workload", .is_detail = true},
    [COL_FORM] = {.name = "form", .title = "form"},
    [COL_EXPECTED] = {.name = "expected", .title = "expected"},
    [COL_SLOPE] = {.name = "per_frame", .title = "ticks/frame", .is_right = true,
		   .is_number = true},
    [COL_LOW] = {.name = "low", .title = "from", .is_right = true, .is_number = true},
    [COL_HIGH] = {.name = "high", .title = "to", .is_right = true, .is_number = true},
    [COL_METRIC] = {.name = "decided_by", .title = "decided by", .is_detail = true},
    [COL_MISSES] = {.name = "mispredicts_per_frame", .title = "misp./frame",
		    .is_right = true, .is_number = true},
    [COL_PROCESSES] = {.name = "processes", .title = "processes", .is_detail = true,
		       .is_number = true},
    [COL_AGREEING] = {.name = "agreeing", .title = "agreeing", .is_detail = true,
		      .is_number = true},
    [COL_FOUND] = {.name = "found", .title = "found", .is_detail = true},
    [COL_VERDICT] = {.name = "verdict", .title = "verdict", .wraps = true},
};
/* clang-format on */

/* What the call of a form may be to the stack. */
static const struct {
	bool is_pushed;
	const char *name;
} explanations[] = {
    {false, "exempt"},
    {true, "pushed"},
};

enum {
	N_EXPLANATIONS = sizeof(explanations) / sizeof(explanations[0])
};

/* Mispredicts by which a form may miss its explanation, on average over the frames. */
#define FURTHEST 1.0

/* A form's own instructions may cost so much of a mispredict, besides. */
#define OWN_COST 0.5

/* A penalty below this share of what a frame costs cannot be told from it. */
#define LEAST_PENALTY 0.25

static bool wants_all(const struct rs_family *family, const struct rs_variant *form)
{
	(void)family;
	(void)form;
	return true;
}

/* A call that is surely pushed, as plain ones are, and surely not popped. */
static bool wants_reference(const struct rs_family *family,
			    const struct rs_variant *form)
{
	return strcmp(form->name, family->baseline) == 0 ||
	       strcmp(form->name, "inline") == 0;
}

int rs_probe_forms_list(struct rs_probe *probe, struct rs_err *err)
{
	int ret = rs_probe_list_family(probe, "getpc", wants_all, err);
	if (!ret)
		ret = rs_probe_list_family(probe, "profile", wants_reference, err);
	if (!ret && probe->n_cells == 0)
		ret = rs_err_set(err, -ENOTSUP,
				 "there are no forms of calls for this instruction set "
				 "(%s)",
				 rs_isa_host()->name);
	return ret;
}

/* The judging of all forms. */
struct judging {
	const struct rs_probe *probe;
	const struct rs_probe_context *context;
	enum rs_probe_metric metric;      /* that decides */
	double penalty[RS_MAX_PROCESSES]; /* of a mispredict, in it */
	bool is_known[RS_MAX_PROCESSES];  /* whether one could be told */
	struct rs_cells *cells;
};

/* The dearest frame of all forms is that of a mispredict. */
static void find_penalty(struct judging *judging, size_t process)
{
	const struct rs_probe *const probe = judging->probe;
	static const unsigned int frames[RS_MAX_FRAMES] = {1, 2, 3, 4, 5, 6, 7, 8};
	unsigned int depths[RS_MAX_FRAMES];
	double costs[RS_MAX_FRAMES];
	double *const penalty = &judging->penalty[process];
	if (judging->metric == RS_PROBE_MISSES) {
		*penalty = 1;
		judging->is_known[process] = true;
		return;
	}
	for (size_t i = 0; i < probe->n_series; i++) {
		double slope = 0;
		if (rs_probe_extra_slope(probe, &probe->series[i], process,
					 judging->metric, &slope))
			*penalty = fmax(*penalty, slope);
	}
	const struct rs_probe_series *const base =
	    rs_probe_baseline(probe, &probe->series[0]);
	if (base && base->n &&
	    rs_probe_costs(probe, base, process, judging->metric, depths, costs))
		judging->is_known[process] =
		    *penalty >
		    LEAST_PENALTY * rs_probe_slope(frames, costs, RS_MAX_FRAMES);
}

/* Root mean square of the mispredicts by which extra costs miss what is predicted. */
static double distance(const double extra[RS_MAX_FRAMES],
		       const double predicted[RS_MAX_FRAMES], double penalty)
{
	double offset = 0, sum = 0;
	for (size_t i = 0; i < RS_MAX_FRAMES; i++)
		offset += (extra[i] / penalty - predicted[i]) / RS_MAX_FRAMES;
	offset = fmin(fmax(offset, 0), OWN_COST);
	for (size_t i = 0; i < RS_MAX_FRAMES; i++) {
		const double miss = extra[i] / penalty - predicted[i] - offset;
		sum += miss * miss;
	}
	return sqrt(sum / RS_MAX_FRAMES);
}

static int predict(const struct judging *judging, const struct rs_probe_series *series,
		   double predicted[N_EXPLANATIONS][RS_MAX_FRAMES], struct rs_err *err)
{
	const struct rs_linkstack_rules *const rules = &judging->context->preset->rules;
	const bool returns = series->form->kernel->counts.pops.base > 0;
	int ret = 0;
	for (size_t i = 0; i < N_EXPLANATIONS; i++) {
		for (unsigned int k = 1; k <= RS_MAX_FRAMES && !ret; k++)
			ret = rs_stream_form(rules, k, explanations[i].is_pushed,
					     returns, &predicted[i][k - 1], err);
	}
	return ret;
}

/* What every process that can tell says of the form. */
static int vote(const struct judging *judging, const struct rs_probe_series *series,
		struct rs_vote *out, struct rs_err *err)
{
	static const unsigned int classes[N_EXPLANATIONS] = {0, 1};
	double predicted[N_EXPLANATIONS][RS_MAX_FRAMES];
	double distances[RS_MAX_PROCESSES * N_EXPLANATIONS];
	double extra[RS_MAX_FRAMES];
	const size_t n = N_EXPLANATIONS;
	size_t n_voting = 0;
	const int ret = predict(judging, series, predicted, err);
	if (ret)
		return ret;
	for (size_t p = 0; p < judging->probe->n_processes; p++) {
		if (!judging->is_known[p] ||
		    !rs_probe_extra(judging->probe, series, p, judging->metric, extra))
			continue;
		for (size_t i = 0; i < n; i++)
			distances[n_voting * n + i] =
			    distance(extra, predicted[i], judging->penalty[p]);
		n_voting++;
	}
	*out = rs_vote_count(&(const struct rs_voting){
	    .distances = distances,
	    .n_processes = n_voting,
	    .n_explanations = n,
	    .classes = classes,
	    .furthest = FURTHEST,
	});
	return 0;
}

static const char *expected_of(const struct rs_variant *form)
{
	const struct rs_counts *const counts = &form->kernel->counts;
	if (counts->exempt.base)
		return "exempt";
	return counts->pushes.base ? "pushed" : NULL;
}

static struct rs_probe_estimate slope_of(const struct judging *judging,
					 const struct rs_probe_series *series,
					 enum rs_probe_metric metric)
{
	double slopes[RS_MAX_PROCESSES];
	size_t n = 0;
	for (size_t p = 0; p < judging->probe->n_processes; p++)
		n +=
		    rs_probe_extra_slope(judging->probe, series, p, metric, &slopes[n]);
	return rs_probe_estimate_of(slopes, n, judging->context->seed);
}

static void put_measured(const struct judging *judging, size_t row,
			 const struct rs_probe_series *series)
{
	const struct rs_probe_estimate ticks =
	    slope_of(judging, series, RS_PROBE_TICKS);
	const struct rs_probe_estimate misses =
	    slope_of(judging, series, RS_PROBE_MISSES);
	rs_cells_put(judging->cells, row, COL_PROCESSES, "%zu", ticks.n);
	if (ticks.n) {
		rs_cells_put(judging->cells, row, COL_SLOPE, "%.1f", ticks.median);
		rs_cells_put(judging->cells, row, COL_LOW, "%.1f", ticks.interval.low);
		rs_cells_put(judging->cells, row, COL_HIGH, "%.1f",
			     ticks.interval.high);
	}
	if (misses.n)
		rs_cells_put(judging->cells, row, COL_MISSES, "%.2f", misses.median);
}

static void put_verdict(const struct judging *judging, size_t row,
			const struct rs_vote *vote, const char *expected)
{
	const size_t n = judging->probe->n_processes;
	const char *const found = explanations[vote->best].name;
	size_t n_known = 0;
	for (size_t p = 0; p < n; p++)
		n_known += judging->is_known[p];
	rs_cells_put(judging->cells, row, COL_AGREEING, "%zu", vote->n_agreeing);
	if (vote->is_clear) {
		rs_cells_put(judging->cells, row, COL_FOUND, "%s", found);
		rs_cells_put(judging->cells, row, COL_VERDICT,
			     "%s%s (%zu of %zu processes)", found,
			     strcmp(found, expected) == 0 ? "" : ", not as expected",
			     vote->n_agreeing, n);
	} else if (n < RS_MIN_PROCESSES) {
		rs_cells_put(judging->cells, row, COL_VERDICT,
			     "unclear: %zu of the %u processes that are needed", n,
			     RS_MIN_PROCESSES);
	} else if (n_known < RS_MIN_PROCESSES) {
		rs_cells_put(judging->cells, row, COL_VERDICT,
			     "unclear: no form costs a mispredict that can be seen");
	} else {
		rs_cells_put(judging->cells, row, COL_VERDICT,
			     "unclear: %zu of %zu processes say %s", vote->n_agreeing,
			     n, found);
	}
}

static int put_form(const struct judging *judging, size_t row,
		    const struct rs_probe_series *series, struct rs_err *err)
{
	const char *const obstacle = rs_variant_obstacle(series->form);
	const char *const expected = obstacle ? NULL : expected_of(series->form);
	struct rs_vote result = {.is_clear = false};
	rs_cells_put(judging->cells, row, COL_PROBE, "forms");
	rs_cells_put(judging->cells, row, COL_WORKLOAD, "%s", series->workload);
	rs_cells_put(judging->cells, row, COL_FORM, "%s", series->variant);
	if (obstacle) {
		rs_cells_put(judging->cells, row, COL_VERDICT, "absent: %s", obstacle);
		return 0;
	}
	put_measured(judging, row, series);
	if (!expected) {
		rs_cells_put(judging->cells, row, COL_VERDICT, "no call");
		return 0;
	}
	rs_cells_put(judging->cells, row, COL_EXPECTED, "%s", expected);
	rs_cells_put(judging->cells, row, COL_METRIC, "%s",
		     judging->metric == RS_PROBE_MISSES ? "return-misses" : "ticks");
	const int ret = vote(judging, series, &result, err);
	if (!ret)
		put_verdict(judging, row, &result, expected);
	return ret;
}

static bool is_reference(const struct rs_probe_series *series)
{
	return strcmp(series->workload, "profile") == 0;
}

/* The form of which a frame costs most, for the plot. */
static void plot_dearest(const struct judging *judging, struct rs_probe_report *out)
{
	const struct rs_probe *const probe = judging->probe;
	const struct rs_probe_series *dearest = NULL;
	double most = 0;
	for (size_t i = 0; i < probe->n_series; i++) {
		const struct rs_probe_series *const series = &probe->series[i];
		const struct rs_probe_estimate slope =
		    slope_of(judging, series, RS_PROBE_TICKS);
		if (is_reference(series) || !slope.n || slope.median <= most)
			continue;
		most = slope.median;
		dearest = series;
	}
	if (dearest)
		rs_probe_plot(probe, dearest, rs_probe_baseline(probe, dearest), out);
}

int rs_probe_forms_judge(const struct rs_probe *probe,
			 const struct rs_probe_context *context,
			 struct rs_probe_report *out, struct rs_err *err)
{
	struct judging judging = {
	    .probe = probe,
	    .context = context,
	    .metric =
		rs_probe_has(probe, RS_PROBE_MISSES) ? RS_PROBE_MISSES : RS_PROBE_TICKS,
	    .cells = &out->cells,
	};
	size_t n_rows = 0;
	int ret = 0;
	for (size_t i = 0; i < probe->n_series; i++)
		n_rows += !is_reference(&probe->series[i]);
	rs_cells_open(&out->cells, "what the link stack does with calls", columns,
		      N_COLUMNS, n_rows);
	for (size_t p = 0; p < probe->n_processes; p++)
		find_penalty(&judging, p);
	for (size_t i = 0; i < n_rows && !ret; i++)
		ret = put_form(&judging, i, &probe->series[i], err);
	plot_dearest(&judging, out);
	rs_probe_note_limits(probe, &out->cells);
	return ret ? ret : rs_cells_finish(&out->cells, err);
}
