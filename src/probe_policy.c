#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/policy.h"
#include "src/probes.h"

enum column {
	COL_PROBE,
	COL_OVERFLOW,
	COL_UNDERFLOW,
	COL_RESIDUAL,
	COL_PROCESSES,
	COL_AGREEING,
	COL_IS_PRESET,
	COL_VERDICT,
	N_COLUMNS
};

/* clang-format off */
static const struct rs_sheet_column columns[N_COLUMNS] = {
    [COL_PROBE] = {.name = "probe", .title = "probe", .is_detail = true},
    [COL_OVERFLOW] = {.name = "overflow", .title = "overflow"},
    [COL_UNDERFLOW] = {.name = "underflow", .title = "underflow"},
    [COL_RESIDUAL] = {.name = "residual", .title = "unexplained", .is_right = true,
		      .is_number = true},
    [COL_PROCESSES] = {.name = "processes", .title = "processes", .is_detail = true,
		       .is_number = true},
    [COL_AGREEING] = {.name = "agreeing", .title = "agreeing", .is_detail = true,
		      .is_number = true},
    [COL_IS_PRESET] = {.name = "preset", .title = "preset"},
    [COL_VERDICT] = {.name = "verdict", .title = "verdict", .wraps = true},
};
/* clang-format on */

/* Far beyond the last entry caches bend the curves too, as in src/knee.c. */
#define WINDOW 3

/* The entries may be off by one, on which hangs what a pair of sites costs: so the
 * numbers beside it are tried too. */
#define N_TRIED 3

struct judging {
	const struct rs_probe *probe;
	const struct rs_probe_context *context;
	struct rs_agreement depth; /* of the chain with random sites */
	bool hides;                /* something else predicts returns of fixed sites */
	/* n_chains of each number of entries that is tried, one after another */
	struct rs_policy_chain chains[N_TRIED * RS_N_SITES];
	const struct rs_probe_series *series[RS_N_SITES]; /* of the chains */
	size_t n_chains;
	unsigned int classes[RS_N_POLICIES];
	struct rs_vote vote;
};

int rs_probe_policy_list(struct rs_probe *probe, struct rs_err *err)
{
	return rs_probe_list_chains(probe, "probe.policy", (1U << RS_N_SITES) - 1, err);
}

static const struct rs_probe_series *series_of(const struct rs_probe *probe,
					       enum rs_sites sites)
{
	for (size_t i = 0; i < probe->n_series; i++) {
		if (probe->series[i].chain->sites == sites)
			return &probe->series[i];
	}
	return NULL;
}

/* Where fixed sites do not bend like random ones, one or two sites prove nothing. */
static bool is_hidden(const struct judging *judging)
{
	const struct rs_agreement fixed =
	    rs_probe_knee(judging->probe, series_of(judging->probe, RS_SITES_FIXED),
			  judging->context->seed);
	const struct rs_agreement *const depth = &judging->depth;
	return !fixed.is_clear || fabs((double)fixed.at - depth->at) > 2 ||
	       fixed.above - fixed.below < 0.75 * (depth->above - depth->below);
}

static bool is_evidence(const struct judging *judging, enum rs_sites sites)
{
	return !judging->hides || (sites != RS_SITES_ONE && sites != RS_SITES_PAIR);
}

static int predict_chain(const struct judging *judging,
			 const struct rs_probe_series *series, unsigned int entries,
			 struct rs_policy_chain *chain, struct rs_err *err)
{
	chain->sites = series->chain->sites;
	for (size_t i = 0; i < series->n; i++) {
		const unsigned int level =
		    judging->probe->cells[series->first + i].depth;
		if (level <= WINDOW * judging->depth.at)
			chain->levels[chain->n++] = level;
	}
	return rs_policy_predict(chain, entries, err);
}

static int predict(struct judging *judging, struct rs_err *err)
{
	const struct rs_probe *const probe = judging->probe;
	int ret = 0;
	for (size_t i = 0; i < probe->n_series; i++) {
		if (is_evidence(judging, probe->series[i].chain->sites))
			judging->series[judging->n_chains++] = &probe->series[i];
	}
	for (size_t i = 0; i < N_TRIED * judging->n_chains && !ret; i++)
		ret = predict_chain(judging, judging->series[i % judging->n_chains],
				    judging->depth.at - 1 +
					(unsigned int)(i / judging->n_chains),
				    &judging->chains[i], err);
	rs_policy_classes(judging->chains, N_TRIED * judging->n_chains,
			  judging->classes);
	return ret;
}

/* The least of the numbers of entries that are tried. False without a curve. */
static bool distances_of(const struct judging *judging, size_t process,
			 double distances[RS_N_POLICIES])
{
	unsigned int depths[RS_PROBE_MAX_DEPTHS];
	double costs[RS_N_SITES][RS_POLICY_MAX_LEVELS];
	double tried[RS_N_POLICIES];
	for (size_t c = 0; c < judging->n_chains; c++) {
		if (!rs_probe_costs(judging->probe, judging->series[c], process,
				    RS_PROBE_TICKS, depths, costs[c]))
			return false;
	}
	for (size_t i = 0; i < N_TRIED; i++) {
		rs_policy_distances(
		    &judging->chains[i * judging->n_chains], judging->n_chains,
		    (const double(*)[RS_POLICY_MAX_LEVELS])costs, tried);
		for (size_t j = 0; j < RS_N_POLICIES; j++)
			distances[j] = i ? fmin(distances[j], tried[j]) : tried[j];
	}
	return true;
}

static void count_votes(struct judging *judging)
{
	double distances[RS_MAX_PROCESSES * RS_N_POLICIES];
	size_t n = 0;
	for (size_t p = 0; p < judging->probe->n_processes; p++)
		n += distances_of(judging, p, &distances[n * RS_N_POLICIES]);
	judging->vote = rs_vote_count(&(const struct rs_voting){
	    .distances = distances,
	    .n_processes = n,
	    .n_explanations = RS_N_POLICIES,
	    .classes = judging->classes,
	    .furthest = RS_POLICY_FURTHEST,
	});
}

/* Policies by their distance: a handful, so an insertion sort. */
static void rank(const struct judging *judging, size_t order[RS_N_POLICIES])
{
	const double *const distances = judging->vote.distances;
	for (size_t i = 0; i < RS_N_POLICIES; i++) {
		size_t at = i;
		for (; at > 0 && distances[order[at - 1]] > distances[i]; at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
}

static void put_verdict(const struct judging *judging, struct rs_cells *cells,
			size_t row, size_t policy)
{
	const struct rs_vote *const vote = &judging->vote;
	const size_t n = judging->probe->n_processes;
	const bool is_best = judging->classes[policy] == judging->classes[vote->best];
	if (is_best && vote->is_clear)
		rs_cells_put(cells, row, COL_VERDICT, "best fit (%zu of %zu processes)",
			     vote->n_agreeing, n);
	else if (is_best)
		rs_cells_put(
		    cells, row, COL_VERDICT,
		    "unclear: nearest, but only %zu of %zu processes choose it",
		    vote->n_agreeing, n);
	else if (judging->classes[policy] == judging->classes[vote->runner_up])
		rs_cells_put(cells, row, COL_VERDICT, "runner-up");
}

static void put_policy(const struct judging *judging, struct rs_cells *cells,
		       size_t row, size_t policy)
{
	const struct rs_predictor *const preset = judging->context->preset;
	const struct rs_linkstack_rules rules = rs_policy_rules(policy, 1);
	rs_cells_put(cells, row, COL_PROBE, "policy");
	rs_cells_put(cells, row, COL_OVERFLOW, "%s", rs_overflow_name(rules.overflow));
	rs_cells_put(cells, row, COL_UNDERFLOW, "%s",
		     rs_underflow_name(rules.underflow));
	rs_cells_put(cells, row, COL_PROCESSES, "%zu", judging->probe->n_processes);
	if (rules.overflow == preset->rules.overflow &&
	    rules.underflow == preset->rules.underflow)
		rs_cells_put(cells, row, COL_IS_PRESET, "%s", preset->name);
	if (judging->n_chains == 0)
		return;
	rs_cells_put(cells, row, COL_RESIDUAL, "%.3f", judging->vote.distances[policy]);
	rs_cells_put(cells, row, COL_AGREEING, "%zu", judging->vote.n_agreeing);
	put_verdict(judging, cells, row, policy);
}

static void note_preset(const struct judging *judging, struct rs_cells *cells)
{
	const struct rs_predictor *const preset = judging->context->preset;
	if (!judging->vote.is_clear)
		return;
	for (size_t i = 0; i < RS_N_POLICIES; i++) {
		const struct rs_linkstack_rules rules = rs_policy_rules(i, 1);
		if (rules.overflow != preset->rules.overflow ||
		    rules.underflow != preset->rules.underflow)
			continue;
		const bool is_match =
		    judging->classes[i] == judging->classes[judging->vote.best];
		rs_cells_note(cells, "%s preset %s",
			      is_match ? "matches" : "differs from", preset->name);
	}
}

static void note_evidence(const struct judging *judging, struct rs_cells *cells)
{
	if (!judging->depth.is_clear) {
		rs_cells_note(cells,
			      "unclear: the number of entries is, and without it "
			      "no policy can be told from another");
		return;
	}
	rs_cells_note(
	    cells, "for %u to %u entries; policies with one verdict predict the same",
	    judging->depth.at - 1, judging->depth.at + 1);
	if (judging->hides)
		rs_cells_note(cells,
			      "recursion and pair are left out: fixed sites do not "
			      "bend like random ones, so something else predicts "
			      "returns here");
	note_preset(judging, cells);
}

static int fill(struct judging *judging, struct rs_probe_report *out,
		struct rs_err *err)
{
	size_t order[RS_N_POLICIES] = {0};
	int ret = 0;
	judging->depth =
	    rs_probe_knee(judging->probe, series_of(judging->probe, RS_SITES_RANDOM),
			  judging->context->seed);
	if (judging->depth.is_clear) {
		judging->hides = is_hidden(judging);
		ret = predict(judging, err);
		count_votes(judging);
	}
	if (ret)
		return ret;
	rank(judging, order);
	for (size_t row = 0; row < RS_N_POLICIES; row++)
		put_policy(judging, &out->cells, row, order[row]);
	note_evidence(judging, &out->cells);
	return 0;
}

int rs_probe_policy_judge(const struct rs_probe *probe,
			  const struct rs_probe_context *context,
			  struct rs_probe_report *out, struct rs_err *err)
{
	struct judging *const judging = calloc(1, sizeof(*judging));
	if (!judging)
		return rs_err_set(err, -ENOMEM,
				  "not enough memory to compare policies");
	judging->probe = probe;
	judging->context = context;
	rs_cells_open(&out->cells, "what a full and an empty link stack do", columns,
		      N_COLUMNS, RS_N_POLICIES);
	const int ret = fill(judging, out, err);
	free(judging);
	rs_probe_note_limits(probe, &out->cells);
	rs_probe_plot(probe, series_of(probe, RS_SITES_ONE), NULL, out);
	return ret ? ret : rs_cells_finish(&out->cells, err);
}
