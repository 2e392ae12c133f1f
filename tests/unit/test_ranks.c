#include "src/ranks.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "src/rng.h"

#define N(array) (sizeof(array) / sizeof((array)[0]))
#define MAX_N    40

/*
 * Permeability of the human chorioamnion (Hollander, Wolfe and Chicken, 2014, example
 * 4.1): U of the first over the second is 35, and the shift between them 0.305.
 */
static const double at_term[] = {0.80, 0.83, 1.89, 1.04, 1.45,
				 1.38, 1.91, 1.64, 0.73, 1.46};
static const double early[] = {1.15, 0.88, 0.90, 0.74, 1.21};

static void published_example(void **state)
{
	(void)state;
	double a[N(early)];
	double b[N(at_term)];
	memcpy(a, early, sizeof(a));
	memcpy(b, at_term, sizeof(b));
	const struct rs_shift shift = rs_ranks_shift(a, N(a), b, N(b));
	assert_true(fabs(shift.median - 0.305) < 1e-9);
	/* z = (35 - 25 - 0.5) / sqrt(50 * 16 / 12) */
	const double p = erfc(9.5 / sqrt(2 * 50 * 16 / 12.0));
	assert_true(fabs(shift.p_value - p) < 1e-12);
	assert_true(shift.interval.low < 0 && shift.interval.high > 0.305);
}

/* The k-th smallest of all differences, by sorting them. */
static double brute(const double *a, size_t n, const double *b, size_t m, size_t k)
{
	double all[MAX_N * MAX_N];
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < m; j++)
			all[i * m + j] = b[j] - a[i];
	}
	rs_stats_sort(all, n * m);
	return all[k - 1];
}

static void check_against_brute(double *a, size_t n, double *b, size_t m)
{
	const struct rs_shift shift = rs_ranks_shift(a, n, b, m);
	const size_t pairs = n * m;
	const double half =
	    1.959963984540054 * sqrt((double)(pairs * (n + m + 1)) / 12);
	const double rank = floor((double)pairs / 2 - half);
	const size_t k = rank < 1 ? 1 : (size_t)rank;
	const double median =
	    (brute(a, n, b, m, (pairs + 1) / 2) + brute(a, n, b, m, pairs / 2 + 1)) / 2;
	assert_true(shift.median == median);
	assert_true(shift.interval.low == brute(a, n, b, m, k));
	assert_true(shift.interval.high == brute(a, n, b, m, pairs + 1 - k));
}

/* With ties, negative values and zeros of both signs. */
static void random_samples_agree_with_all_differences(void **state)
{
	(void)state;
	struct rs_rng rng;
	rs_rng_seed(&rng, 20261204);
	for (int round = 0; round < 300; round++) {
		double a[MAX_N];
		double b[MAX_N];
		const size_t n = 1 + rs_rng_below(&rng, MAX_N);
		const size_t m = 1 + rs_rng_below(&rng, MAX_N);
		const double scale = round % 3 ? 0.125 : 1e-3;
		for (size_t i = 0; i < n; i++)
			a[i] = scale * ((double)rs_rng_below(&rng, 60) - 30);
		for (size_t i = 0; i < m; i++)
			b[i] = scale * ((double)rs_rng_below(&rng, 60) - 25);
		check_against_brute(a, n, b, m);
	}
}

static void equal_samples_show_nothing(void **state)
{
	(void)state;
	double a[] = {5, 5, 5, 5, 5, 5, 5, 5, 5, 5};
	double b[] = {5, 5, 5, 5, 5, 5, 5, 5, 5, 5};
	const struct rs_shift shift = rs_ranks_shift(a, N(a), b, N(b));
	assert_true(shift.median == 0 && shift.interval.low == 0 &&
		    shift.interval.high == 0 && shift.p_value == 1);
}

static void separate_samples_are_significant(void **state)
{
	(void)state;
	double a[20];
	double b[20];
	for (int i = 0; i < 20; i++) {
		a[i] = i;
		b[i] = i + 100;
	}
	const struct rs_shift shift = rs_ranks_shift(a, N(a), b, N(b));
	assert_true(shift.median == 100);
	assert_true(shift.interval.low > 80 && shift.interval.high < 120);
	assert_true(shift.p_value < 1e-6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(published_example),
	    cmocka_unit_test(random_samples_agree_with_all_differences),
	    cmocka_unit_test(equal_samples_show_nothing),
	    cmocka_unit_test(separate_samples_are_significant),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
