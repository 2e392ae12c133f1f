#include "src/stats.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static int compare_doubles(const void *a, const void *b)
{
	const double x = *(const double *)a;
	const double y = *(const double *)b;
	return (x > y) - (x < y);
}

void rs_stats_sort(double *values, size_t n)
{
	qsort(values, n, sizeof(*values), compare_doubles);
}

static double middle_of_sorted(const double *values, size_t n)
{
	const double upper = values[n / 2];
	return n % 2 ? upper : (values[n / 2 - 1] + upper) / 2;
}

double rs_stats_median(double *values, size_t n)
{
	assert(n > 0);
	rs_stats_sort(values, n);
	return middle_of_sorted(values, n);
}

double rs_stats_mad(const double *values, size_t n, double center, double *scratch)
{
	for (size_t i = 0; i < n; i++)
		scratch[i] = fabs(values[i] - center);
	return rs_stats_median(scratch, n);
}

double rs_stats_min(const double *values, size_t n)
{
	assert(n > 0);
	double least = values[0];
	for (size_t i = 1; i < n; i++)
		least = values[i] < least ? values[i] : least;
	return least;
}

static double middle_of_three(double a, double b, double c)
{
	const double low = a < b ? a : b;
	const double high = a < b ? b : a;
	const double capped = c < high ? c : high;
	return capped < low ? low : capped;
}

/*
 * Both partitions move what satisfies the condition to the front and return how many
 * do. Without a branch on the data: a resample is in random order, and a branch that
 * is mispredicted half the time would cost more than the moves.
 */
static size_t move_below(double *values, size_t n, double pivot)
{
	size_t n_moved = 0;
	for (size_t i = 0; i < n; i++) {
		const double value = values[i];
		values[i] = values[n_moved];
		values[n_moved] = value;
		n_moved += value < pivot;
	}
	return n_moved;
}

static size_t move_not_above(double *values, size_t n, double pivot)
{
	size_t n_moved = 0;
	for (size_t i = 0; i < n; i++) {
		const double value = values[i];
		values[i] = values[n_moved];
		values[n_moved] = value;
		n_moved += value <= pivot;
	}
	return n_moved;
}

/*
 * Reorders values so that values[k] is what sorting would put there, with nothing
 * greater before it. least is a lower bound of what is left; a pivot that equals it
 * splits off its equals as a whole, since resamples are full of ties and constant data
 * is nothing else.
 */
static double select_kth(double *values, size_t n, size_t k)
{
	double least = -INFINITY;
	for (;;) {
		const double pivot =
		    middle_of_three(values[0], values[n / 2], values[n - 1]);
		const bool is_least = pivot == least;
		const size_t n_front = is_least ? move_not_above(values, n, pivot)
						: move_below(values, n, pivot);
		if (k < n_front && is_least)
			return pivot;
		if (k < n_front) {
			n = n_front;
			continue;
		}
		values += n_front;
		n -= n_front;
		k -= n_front;
		least = pivot;
	}
}

static double max_of(const double *values, size_t n)
{
	double greatest = values[0];
	for (size_t i = 1; i < n; i++)
		greatest = values[i] > greatest ? values[i] : greatest;
	return greatest;
}

/* As rs_stats_median, in linear time and without leaving the values sorted. */
static double median_in_any_order(double *values, size_t n)
{
	const double upper = select_kth(values, n, n / 2);
	return n % 2 ? upper : (max_of(values, n / 2) + upper) / 2;
}

/*
 * The empirical 2.5 % and 97.5 % points of B bootstrap statistics: the k-th smallest
 * and the k-th greatest with k = floor((B + 1) * 0.025) (Efron and Tibshirani, "An
 * Introduction to the Bootstrap", 1993, section 12.5); the extremes where B is too
 * small for that.
 */
static struct rs_interval percentile_interval(double *statistics, size_t n)
{
	const size_t floor_k = (n + 1) * 25 / 1000;
	const size_t k = floor_k > 0 ? floor_k : 1;
	return (struct rs_interval){
	    .low = select_kth(statistics, n, k - 1),
	    .high = select_kth(statistics, n, n - k),
	};
}

struct rs_interval rs_stats_median_interval(const double *values, size_t n,
					    size_t n_resamples, struct rs_rng *rng,
					    double *scratch)
{
	assert(n > 0 && n_resamples > 0);
	double *const sample = scratch;
	double *const medians = scratch + n;
	for (size_t r = 0; r < n_resamples; r++) {
		for (size_t i = 0; i < n; i++)
			sample[i] = values[rs_rng_below(rng, n)];
		medians[r] = median_in_any_order(sample, n);
	}
	return percentile_interval(medians, n_resamples);
}

/*
 * By the size of base: a net cost may come out below zero, and a difference must keep
 * its sign all the same.
 */
static double per_cent_of(double difference, double base)
{
	return difference == 0 ? 0 : 100 * difference / fabs(base);
}

struct rs_paired rs_stats_paired(const double *a, const double *b, size_t n,
				 size_t n_resamples, struct rs_rng *rng,
				 double *scratch)
{
	assert(n > 0 && n_resamples > 0);
	double *const differences = scratch;
	double *const bases = scratch + n;
	double *const statistics = scratch + 2 * n;
	for (size_t r = 0; r < n_resamples; r++) {
		for (size_t i = 0; i < n; i++) {
			const size_t pair = rs_rng_below(rng, n);
			differences[i] = a[pair] - b[pair];
			bases[i] = b[pair];
		}
		const double difference = median_in_any_order(differences, n);
		statistics[r] = per_cent_of(difference, median_in_any_order(bases, n));
	}
	for (size_t i = 0; i < n; i++)
		differences[i] = a[i] - b[i];
	memcpy(bases, b, n * sizeof(*b));
	const double difference = median_in_any_order(differences, n);
	return (struct rs_paired){
	    .median_pct = per_cent_of(difference, median_in_any_order(bases, n)),
	    .interval_pct = percentile_interval(statistics, n_resamples),
	};
}
