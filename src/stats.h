#ifndef SRC_STATS_H
#define SRC_STATS_H

#include <stddef.h>
#include <stdint.h>

#include "src/rng.h"

/* A two-sided interval, low <= high. */
struct rs_interval {
	double low;
	double high;
};

/* Ascending; the values are finite or infinite, not NAN. */
void rs_stats_sort(double *values, size_t n);

/* Median of n >= 1 finite values; the mean of the middle two where n is even. Sorts. */
double rs_stats_median(double *values, size_t n);

/* Median absolute deviation from center, unscaled. scratch holds n values. */
double rs_stats_mad(const double *values, size_t n, double center, double *scratch);

double rs_stats_min(const double *values, size_t n);

/*
 * Percentile bootstrap 95 % interval of the median of n >= 1 values, by n_resamples
 * draws from rng. scratch holds n + n_resamples values. One value gives an empty
 * interval at that value.
 */
struct rs_interval rs_stats_median_interval(const double *values, size_t n,
					    size_t n_resamples, struct rs_rng *rng,
					    double *scratch);

/*
 * Median of the paired differences a[i] - b[i], relative to the size of the median of
 * b, in per cent, with its percentile bootstrap 95 % interval: pairs are resampled
 * together. Infinite where the median of b, or of its resamples, reaches 0; never NaN.
 * scratch holds 2 * n + n_resamples values.
 */
struct rs_paired {
	double median_pct;
	struct rs_interval interval_pct;
};

struct rs_paired rs_stats_paired(const double *a, const double *b, size_t n,
				 size_t n_resamples, struct rs_rng *rng,
				 double *scratch);

#endif
