#ifndef SRC_RANKS_H
#define SRC_RANKS_H

/* Rank statistics of two independent samples: no distribution is assumed. */

#include <stddef.h>

#include "src/stats.h"

/*
 * The shift of b against a, by Hodges and Lehmann: the median of all differences
 * b[j] - a[i], with the 95 % interval that belongs to the Mann-Whitney test (Hollander,
 * Wolfe and Chicken, "Nonparametric Statistical Methods", 3rd edition, 2014, sections
 * 4.2 and 4.3). Where the samples are too small for 95 %, the extremes.
 */
struct rs_shift {
	double median;
	struct rs_interval interval;
	double p_value; /* two-sided Mann-Whitney, normal approximation with ties */
};

/*
 * Both samples hold at least one finite value and are sorted by the call. Takes
 * O(log(range) * (n + m)) time and no memory.
 */
struct rs_shift rs_ranks_shift(double *a, size_t n, double *b, size_t m);

#endif
