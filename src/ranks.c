#include "src/ranks.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#define Z_95 1.959963984540054 /* of the normal distribution, two-sided */

/* Doubles in the order of their values as integers, so that a bisection is exact. */
static int64_t order_of(double value)
{
	int64_t bits;
	memcpy(&bits, &value, sizeof(bits));
	return bits < 0 ? INT64_MIN - bits : bits;
}

static double value_of(int64_t order)
{
	const int64_t bits = order < 0 ? INT64_MIN - order : order;
	double value;
	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* How many differences b[j] - a[i] are at most limit; both are sorted. */
static uint64_t count_up_to(const double *a, size_t n, const double *b, size_t m,
			    double limit)
{
	uint64_t count = 0;
	size_t i = 0;
	for (size_t j = 0; j < m; j++) {
		while (i < n && b[j] - a[i] > limit)
			i++;
		count += n - i;
	}
	return count;
}

/* The k-th smallest difference, k from 1. */
static double difference_at(const double *a, size_t n, const double *b, size_t m,
			    uint64_t k)
{
	int64_t low = order_of(b[0] - a[n - 1]);
	int64_t high = order_of(b[m - 1] - a[0]);
	while (low < high) {
		const int64_t middle = (low & high) + ((low ^ high) >> 1);
		if (count_up_to(a, n, b, m, value_of(middle)) >= k)
			high = middle;
		else
			low = middle + 1;
	}
	return value_of(low);
}

/* Of b over a: the pairs where b is greater, and half of those that are equal. */
static double mann_whitney_u(const double *a, size_t n, const double *b, size_t m)
{
	double u = 0;
	size_t below = 0;
	size_t up_to = 0;
	for (size_t j = 0; j < m; j++) {
		while (below < n && a[below] < b[j])
			below++;
		while (up_to < n && a[up_to] <= b[j])
			up_to++;
		u += (double)(below + up_to) / 2;
	}
	return u;
}

/* The sum of t^3 - t over the groups of equal values in both samples together. */
static double tie_sum(const double *a, size_t n, const double *b, size_t m)
{
	double sum = 0;
	for (size_t i = 0, j = 0; i < n || j < m;) {
		const double value = j == m || (i < n && a[i] < b[j]) ? a[i] : b[j];
		double t = 0;
		for (; i < n && a[i] == value; i++)
			t++;
		for (; j < m && b[j] == value; j++)
			t++;
		sum += t * t * t - t;
	}
	return sum;
}

static double p_value(const double *a, size_t n, const double *b, size_t m)
{
	const double pairs = (double)n * (double)m;
	const double all = (double)n + (double)m;
	const double ties = tie_sum(a, n, b, m) / (all * (all - 1));
	const double variance = pairs / 12 * (all + 1 - ties);
	/* Half a pair of continuity correction. */
	const double distance = fabs(mann_whitney_u(a, n, b, m) - pairs / 2) - 0.5;
	if (variance <= 0 || distance <= 0)
		return 1;
	return erfc(distance / sqrt(2 * variance));
}

struct rs_shift rs_ranks_shift(double *a, size_t n, double *b, size_t m)
{
	assert(n > 0 && m > 0);
	rs_stats_sort(a, n);
	rs_stats_sort(b, m);
	const uint64_t pairs = (uint64_t)n * m;
	const double half_width = Z_95 * sqrt((double)pairs * (double)(n + m + 1) / 12);
	const double rank = floor((double)pairs / 2 - half_width);
	const uint64_t k = rank < 1 ? 1 : (uint64_t)rank;
	const double lower = difference_at(a, n, b, m, (pairs + 1) / 2);
	const double upper = difference_at(a, n, b, m, pairs / 2 + 1);
	return (struct rs_shift){
	    .median = (lower + upper) / 2,
	    .interval = {.low = difference_at(a, n, b, m, k),
			 .high = difference_at(a, n, b, m, pairs + 1 - k)},
	    .p_value = p_value(a, n, b, m),
	};
}
