#include "src/summary.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/plausible.h"
#include "src/slots.h"
#include "src/stats.h"

#define N_RESAMPLES 1000

/* Working storage: one slot is one placement in one block. */
struct work {
	const struct rs_summing *summing;
	struct rs_slots slots;
	size_t n_slots;
	enum rs_status *statuses; /* [row * n_metrics + metric]: of the first reading */
	double *net;              /* [row * n_slots + slot], NAN where unmeasured */
	double *values;           /* n_slots */
	double *against;          /* n_slots */
	double *scratch;          /* 2 * n_slots + N_RESAMPLES */
};

/* The placement medians of one row: their range tells what placement does to it. */
struct spread {
	double low;
	double high;
	bool known;
};

static struct rs_maybe known(double value)
{
	return (struct rs_maybe){.value = value, .known = isfinite(value)};
}

/* The first reading that was counted at all tells why there is no number. */
static void note_statuses(struct work *work, const struct rs_repetition *repetition)
{
	const size_t n_metrics = work->summing->results->n_metrics;
	enum rs_status *const statuses = &work->statuses[repetition->row * n_metrics];
	for (size_t m = 0; m < n_metrics; m++) {
		if (statuses[m] == RS_STATUS_NOT_COUNTED)
			statuses[m] = repetition->readings[m].status;
	}
}

static void note_all_statuses(struct work *work)
{
	const struct rs_results *const results = work->summing->results;
	for (size_t i = 0; i < results->n_rows * results->n_metrics; i++)
		work->statuses[i] = RS_STATUS_NOT_COUNTED;
	for (size_t i = 0; i < results->n_repetitions; i++) {
		if (!results->repetitions[i].rejected)
			note_statuses(work, &results->repetitions[i]);
	}
}

static void fill_net(struct work *work, size_t metric)
{
	const struct rs_summing *const summing = work->summing;
	for (size_t row = 0; row < summing->results->n_rows; row++) {
		for (size_t slot = 0; slot < work->n_slots; slot++)
			work->net[row * work->n_slots + slot] = rs_slots_net(
			    &work->slots, row, summing->empties[row], slot, metric);
	}
}

static size_t gather_gross(struct work *work, size_t row, size_t metric)
{
	size_t n = 0;
	for (size_t slot = 0; slot < work->n_slots; slot++) {
		const double value = rs_slots_gross(&work->slots, row, slot, metric);
		if (!isnan(value))
			work->values[n++] = value;
	}
	return n;
}

static size_t gather_net(struct work *work, size_t row)
{
	size_t n = 0;
	for (size_t slot = 0; slot < work->n_slots; slot++) {
		const double value = work->net[row * work->n_slots + slot];
		if (!isnan(value))
			work->values[n++] = value;
	}
	return n;
}

static size_t gather_pairs(struct work *work, size_t row, size_t baseline)
{
	size_t n = 0;
	for (size_t slot = 0; slot < work->n_slots; slot++) {
		const double value = work->net[row * work->n_slots + slot];
		const double other = work->net[baseline * work->n_slots + slot];
		if (isnan(value) || isnan(other))
			continue;
		work->values[n] = value;
		work->against[n++] = other;
	}
	return n;
}

static struct spread spread_of(struct work *work, size_t row)
{
	const size_t n_placements = work->summing->results->settings.placements;
	const double *const net = &work->net[row * work->n_slots];
	struct spread spread = {.low = INFINITY, .high = -INFINITY};
	for (size_t p = 0; p < n_placements; p++) {
		size_t n = 0;
		for (size_t slot = p; slot < work->n_slots; slot += n_placements) {
			if (!isnan(net[slot]))
				work->scratch[n++] = net[slot];
		}
		if (n == 0)
			continue;
		const double median = rs_stats_median(work->scratch, n);
		spread.low = fmin(spread.low, median);
		spread.high = fmax(spread.high, median);
	}
	spread.known = n_placements > 1 && spread.low <= spread.high;
	return spread;
}

static struct rs_rng rng_for(const struct work *work, size_t row, size_t metric)
{
	struct rs_rng rng;
	rs_rng_seed(&rng, work->summing->results->settings.seed ^
			      ((uint64_t)row << 32 | (uint64_t)metric << 1 | 1));
	return rng;
}

/* values[0..n) are in work->values and may be reordered. */
static void describe(struct work *work, struct rs_summary *summary, size_t n,
		     size_t metric)
{
	struct rs_rng rng = rng_for(work, summary->row, metric);
	summary->kept = (unsigned int)n;
	if (n == 0)
		return;
	const struct rs_interval interval =
	    rs_stats_median_interval(work->values, n, N_RESAMPLES, &rng, work->scratch);
	const double median = rs_stats_median(work->values, n);
	summary->median = known(median);
	summary->ci_low = known(interval.low);
	summary->ci_high = known(interval.high);
	summary->min = known(rs_stats_min(work->values, n));
	summary->mad = known(rs_stats_mad(work->values, n, median, work->scratch));
}

const char *rs_verdict_of(double low_pct, double high_pct, double threshold_pct,
			  double spread_pct)
{
	const double limit = fmax(threshold_pct, spread_pct);
	if (low_pct > limit)
		return "slower";
	if (high_pct < -limit)
		return "faster";
	if (low_pct >= -limit && high_pct <= limit)
		return "same";
	return "unclear";
}

/*
 * Differences are relative to the baseline, so the spreads that they are held against
 * are too. A baseline that costs nothing that can be resolved gives no percentage.
 */
static void compare(struct work *work, struct rs_summary *summary, size_t baseline,
		    size_t metric)
{
	const struct rs_results *const results = work->summing->results;
	const size_t n = gather_pairs(work, summary->row, baseline);
	if (n == 0)
		return;
	memcpy(work->scratch, work->against, n * sizeof(double));
	const double base = rs_stats_median(work->scratch, n);
	if (base <= 0)
		return;
	struct rs_rng rng = rng_for(work, summary->row, metric);
	const struct rs_paired paired = rs_stats_paired(
	    work->values, work->against, n, N_RESAMPLES, &rng, work->scratch);
	const struct spread own = spread_of(work, summary->row);
	const struct spread other = spread_of(work, baseline);
	const double spread = fmax(own.known ? own.high - own.low : 0,
				   other.known ? other.high - other.low : 0);
	summary->delta_pct = known(paired.median_pct);
	summary->delta_low_pct = known(paired.interval_pct.low);
	summary->delta_high_pct = known(paired.interval_pct.high);
	summary->verdict =
	    rs_verdict_of(paired.interval_pct.low, paired.interval_pct.high,
			  results->settings.threshold_pct, 100 * spread / base);
}

/* Why a row and metric have no number: the metric tells, or the readings. */
static enum rs_status status_of(const struct work *work, size_t row, size_t metric)
{
	const struct rs_results *const results = work->summing->results;
	if (results->metrics[metric].status != RS_STATUS_OK)
		return results->metrics[metric].status;
	return work->statuses[row * results->n_metrics + metric];
}

/* A net value needs the empty loop's reading too, of the same block and placement. */
static enum rs_status net_status_of(const struct work *work, size_t row, size_t metric)
{
	const enum rs_status own = status_of(work, row, metric);
	if (own != RS_STATUS_OK)
		return own;
	const enum rs_status other =
	    status_of(work, work->summing->empties[row], metric);
	return other != RS_STATUS_OK ? other : RS_STATUS_NOT_COUNTED;
}

static struct rs_summary start(const struct work *work, size_t row, const char *name,
			       const char *unit)
{
	return (struct rs_summary){
	    .row = (unsigned int)row,
	    .metric = name,
	    .unit = unit,
	    .rejected = work->slots.rejected[row],
	};
}

static void sum_net(struct work *work, struct rs_summary *summary, size_t metric)
{
	const struct rs_results *const results = work->summing->results;
	const struct rs_row *const row = &results->rows[summary->row];
	describe(work, summary, gather_net(work, summary->row), metric);
	const struct spread spread = spread_of(work, summary->row);
	if (spread.known && summary->median.known && summary->median.value > 0)
		summary->placement_spread_pct =
		    known(100 * (spread.high - spread.low) / summary->median.value);
	if (row->is_baseline && summary->median.known)
		summary->verdict = "baseline";
	const size_t baseline = work->summing->baselines[summary->row];
	if (baseline != SIZE_MAX)
		compare(work, summary, baseline, metric);
	if (!summary->median.known)
		summary->status = net_status_of(work, summary->row, metric);
}

static void sum_gross(struct work *work, struct rs_summary *summary, size_t metric)
{
	describe(work, summary, gather_gross(work, summary->row, metric), metric);
	if (!summary->median.known)
		summary->status = status_of(work, summary->row, metric);
}

static bool is_summed(const struct rs_row *row)
{
	return row->state == RS_ROW_OK || row->state == RS_ROW_PARTIAL;
}

static void sum_metric(struct work *work, size_t metric)
{
	struct rs_results *const results = work->summing->results;
	const struct rs_metric *const m = &results->metrics[metric];
	struct rs_metric_text *const text = &work->summing->texts[metric];
	snprintf(text->gross, sizeof(text->gross), "%s.gross", m->name);
	snprintf(text->unit, sizeof(text->unit), "%s/call", m->unit);
	fill_net(work, metric);
	for (size_t row = 0; row < results->n_rows; row++) {
		if (!is_summed(&results->rows[row]))
			continue;
		struct rs_summary *const whole =
		    &results->summaries[results->n_summaries];
		*whole = start(work, row, text->gross, text->unit);
		sum_gross(work, whole, metric);
		results->n_summaries++;
		if (work->summing->empties[row] == SIZE_MAX)
			continue;
		struct rs_summary *const net = whole + 1;
		*net = start(work, row, m->name, text->unit);
		sum_net(work, net, metric);
		results->n_summaries++;
	}
}

/* The size of a row's repetitions, the same for all of them. */
static double calls_of(const struct work *work, size_t row)
{
	for (size_t slot = 0; slot < work->n_slots; slot++) {
		const struct rs_repetition *const repetition =
		    rs_slots_at(&work->slots, row, slot);
		if (repetition)
			return (double)repetition->calls;
	}
	return 1;
}

/* What a metric is known to count wrongly is not shown as a number anywhere. */
static void distrust(struct work *work, size_t metric)
{
	struct rs_results *const results = work->summing->results;
	struct rs_metric *const m = &results->metrics[metric];
	struct rs_metric_text *const text = &work->summing->texts[metric];
	for (size_t row = 0; row < results->n_rows; row++) {
		const size_t n = gather_gross(work, row, metric);
		if (n == 0)
			continue;
		const double gross = rs_stats_median(work->values, n);
		if (rs_is_plausible(work->summing->meanings[metric],
				    &work->summing->expected[row], gross,
				    calls_of(work, row)))
			continue;
		m->status = RS_STATUS_UNTRUSTED;
		snprintf(text->reason, sizeof(text->reason),
			 "%s says %.4g per call for %s %s, which is known to differ: "
			 "this counter cannot be trusted here",
			 m->name, gross, results->rows[row].workload,
			 results->rows[row].variant);
		m->reason = text->reason;
		break;
	}
	if (m->status != RS_STATUS_UNTRUSTED)
		return;
	for (size_t i = 0; i < results->n_repetitions; i++)
		results->repetitions[i].readings[metric].status = RS_STATUS_UNTRUSTED;
}

static int allocate(struct work *work, struct rs_err *err)
{
	struct rs_results *const results = work->summing->results;
	const int ret = rs_slots_make(&work->slots, results, err);
	if (ret)
		return ret;
	const size_t n_slots = work->n_slots = work->slots.n_slots;
	work->statuses =
	    calloc(results->n_rows * results->n_metrics + 1, sizeof(*work->statuses));
	work->net = calloc(results->n_rows * n_slots + 1, sizeof(*work->net));
	work->values = calloc(n_slots + 1, sizeof(*work->values));
	work->against = calloc(n_slots + 1, sizeof(*work->against));
	work->scratch = calloc(2 * n_slots + N_RESAMPLES, sizeof(*work->scratch));
	results->summaries = calloc(2 * results->n_rows * results->n_metrics + 1,
				    sizeof(*results->summaries));
	const bool whole = work->statuses && work->net && work->values &&
			   work->against && work->scratch && results->summaries;
	return whole
		   ? 0
		   : rs_err_set(err, -ENOMEM, "not enough memory to summarise the run");
}

int rs_summaries_make(const struct rs_summing *summing, struct rs_err *err)
{
	struct work work = {.summing = summing};
	const int ret = allocate(&work, err);
	if (!ret) {
		note_all_statuses(&work);
		for (size_t m = 0; m < summing->results->n_metrics; m++)
			distrust(&work, m);
	}
	for (size_t m = 0; m < summing->results->n_metrics && !ret; m++)
		sum_metric(&work, m);
	free(work.scratch);
	free(work.against);
	free(work.values);
	free(work.net);
	free(work.statuses);
	rs_slots_free(&work.slots);
	return ret;
}
