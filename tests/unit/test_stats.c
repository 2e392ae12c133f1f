#include "src/stats.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define MAX_VALUES   66
#define MAX_SAMPLE   128
#define N_RESAMPLES  1000
#define SCRATCH_SIZE (2 * MAX_SAMPLE + N_RESAMPLES)

static double scratch[SCRATCH_SIZE];

#define N(array) (sizeof(array) / sizeof((array)[0]))

/* The help page of R's stats::mad gives 2 for these two, with constant = 1. */
static const double nine[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
static const double outlier[] = {1, 2, 3, 4, 5, 6, 7, 8, 100};

/*
 * "chem" of Venables and Ripley, Modern Applied Statistics with S, 4th edition, 2002,
 * section 5.5: median 3.385, scaled MAD 0.52632 = 1.4826 * 0.355.
 */
static const double copper[] = {
    2.90, 3.10, 3.40, 3.40, 3.70,  3.70, 2.80, 2.50, 2.40, 2.40, 2.70, 2.20,
    5.28, 3.37, 3.03, 3.03, 28.95, 3.77, 3.40, 2.20, 3.50, 3.60, 3.70, 3.70,
};

/*
 * Newcomb's third series of passage times of light (Stigler, Annals of Statistics 5,
 * 1977): median 27.
 */
static const double light[] = {
    28, 26, 33, 24, 34, -44, 27, 16, 40, -2, 29, 22, 24, 21, 25, 30, 23,
    29, 31, 19, 24, 20, 36,  32, 36, 28, 25, 21, 28, 29, 37, 25, 28, 26,
    30, 32, 36, 26, 30, 22,  36, 23, 27, 27, 28, 27, 31, 27, 26, 33, 26,
    32, 32, 24, 39, 28, 24,  25, 32, 25, 29, 27, 28, 29, 16, 23,
};

static const double one[] = {-7};
static const double two[] = {3, 1};

struct dataset {
	const char *name;
	const double *values;
	size_t n;
	double median;
	double mad; /* unscaled */
};

static const struct dataset datasets[] = {
    {"1 to 9", nine, N(nine), 5, 2},
    {"with outlier", outlier, N(outlier), 5, 2},
    {"chem", copper, N(copper), 3.385, 0.355},
    {"Newcomb", light, N(light), 27, 3},
    {"one value", one, N(one), -7, 0},
    {"two values", two, N(two), 2, 1},
};

static void median_and_mad_match_published_values(void **state)
{
	(void)state;
	for (size_t i = 0; i < N(datasets); i++) {
		const struct dataset *const set = &datasets[i];
		print_message("%s\n", set->name);
		double values[MAX_VALUES];
		memcpy(values, set->values, set->n * sizeof(*values));
		const double median = rs_stats_median(values, set->n);
		assert_true(fabs(median - set->median) < 1e-12);
		const double mad = rs_stats_mad(set->values, set->n, median, scratch);
		assert_true(fabs(mad - set->mad) < 1e-12);
		assert_true(rs_stats_min(set->values, set->n) == values[0]);
	}
}

/*
 * The bootstrap distribution of a median has a closed form (Efron, Annals of
 * Statistics 7, 1979, section 3): for odd n, P(median* <= k-th smallest) =
 * P(Binomial(n, k/n) >= (n+1)/2). For n = 7 that is 0.0102, 0.1083, 0.3469, 0.6531,
 * 0.8917, 0.9898, 1, so the 2.5 % point is the 2nd value and the 97.5 % point the 6th.
 * Of 1000 resamples 10.2 +- 3.2 fall on the extremes, far from the 25 that would move
 * an end. The values are the treated mice of Efron and Tibshirani 1993, table 2.1.
 */
static void median_interval_is_that_of_the_exact_bootstrap(void **state)
{
	(void)state;
	static const double mice[7] = {94, 197, 16, 38, 99, 141, 23};
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct rs_rng rng;
		rs_rng_seed(&rng, seed);
		const struct rs_interval interval =
		    rs_stats_median_interval(mice, 7, N_RESAMPLES, &rng, scratch);
		print_message("seed %d: %g to %g\n", (int)seed, interval.low,
			      interval.high);
		assert_true(interval.low == 23 && interval.high == 141);
	}
}

#define N_TRIALS 2000
#define N_DRAWN  19

/*
 * By the same closed form the ends for n = 19 are the 6th and the 14th smallest value
 * (0.013 below the 6th, 0.046 up to it). They enclose the true median of any continuous
 * distribution with probability P(6 <= Binomial(19, 1/2) <= 13) = 0.9364. Four standard
 * deviations of such a share in 2000 trials are 4 * sqrt(0.9364 * 0.0636 / 2000) =
 * 0.0218. A resampling that missed its rank now and then moves it by under 0.001.
 */
static void median_interval_covers_as_often_as_it_should(void **state)
{
	(void)state;
	struct rs_rng rng;
	rs_rng_seed(&rng, 20261201);
	size_t n_covered = 0;
	for (size_t trial = 0; trial < N_TRIALS; trial++) {
		double values[N_DRAWN];
		for (size_t i = 0; i < N_DRAWN; i++)
			values[i] = (double)(rs_rng_next(&rng) >> 11) * 0x1p-53 - 0.5;
		const struct rs_interval interval = rs_stats_median_interval(
		    values, N_DRAWN, N_RESAMPLES, &rng, scratch);
		n_covered += interval.low <= 0 && 0 <= interval.high;
	}
	const double coverage = (double)n_covered / N_TRIALS;
	print_message("coverage %.4f\n", coverage);
	assert_true(fabs(coverage - 0.9364) < 0.0218);
}

static void intervals_of_degenerate_data_are_empty(void **state)
{
	(void)state;
	static const size_t sizes[] = {1, 2, 3, 120};
	double constant[120];
	double other[120];
	for (size_t i = 0; i < 120; i++) {
		constant[i] = 3.25;
		other[i] = 6.5;
	}
	for (size_t i = 0; i < N(sizes); i++) {
		print_message("%zu equal values\n", sizes[i]);
		struct rs_rng rng;
		rs_rng_seed(&rng, 1);
		const struct rs_interval interval = rs_stats_median_interval(
		    constant, sizes[i], N_RESAMPLES, &rng, scratch);
		assert_true(interval.low == 3.25 && interval.high == 3.25);
		const struct rs_paired paired = rs_stats_paired(
		    other, constant, sizes[i], N_RESAMPLES, &rng, scratch);
		assert_true(paired.median_pct == 100);
		assert_true(paired.interval_pct.low == 100);
		assert_true(paired.interval_pct.high == 100);
	}
}

/*
 * Even n: the mean of the middle two. A resample of {0, 1} is {0,0}, {0,1} or {1,1}
 * with probabilities 1/4, 1/2, 1/4, so the ends are 0 and 1; of one resample both ends
 * are its median.
 */
static void few_resamples_give_the_extremes(void **state)
{
	(void)state;
	static const double values[2] = {1, 0};
	struct rs_rng rng;
	rs_rng_seed(&rng, 5);
	const struct rs_interval many =
	    rs_stats_median_interval(values, 2, 30, &rng, scratch);
	assert_true(many.low == 0 && many.high == 1);
	const struct rs_interval single =
	    rs_stats_median_interval(values, 2, 1, &rng, scratch);
	assert_true(single.low == single.high);
}

/*
 * Drift that hits both sides alike must cancel: b spreads over a factor of two while
 * every pair differs by a tenth, so each resample's ratio of medians is a tenth too.
 * Sides resampled apart would spread over tens of per cent.
 */
static void paired_cancels_what_pairs_share(void **state)
{
	(void)state;
	double a[MAX_SAMPLE];
	double b[MAX_SAMPLE];
	for (size_t i = 0; i < MAX_SAMPLE; i++) {
		b[i] = 100.0 + (double)((i * 37) % MAX_SAMPLE);
		a[i] = b[i] * 1.1;
	}
	struct rs_rng rng;
	rs_rng_seed(&rng, 9);
	const struct rs_paired slower =
	    rs_stats_paired(a, b, MAX_SAMPLE, N_RESAMPLES, &rng, scratch);
	assert_true(fabs(slower.median_pct - 10) < 1e-9);
	assert_true(fabs(slower.interval_pct.low - 10) < 1e-9);
	assert_true(fabs(slower.interval_pct.high - 10) < 1e-9);
	const struct rs_paired faster =
	    rs_stats_paired(b, a, MAX_SAMPLE, N_RESAMPLES, &rng, scratch);
	assert_true(fabs(faster.median_pct + 100.0 / 11) < 1e-9);
}

static void paired_keeps_sign_and_order(void **state)
{
	(void)state;
	static const double a[5] = {-1, 0, 1, 2, 3};
	static const double negative[5] = {-4, -4, -4, -4, -4};
	static const double zero[5] = {0, 0, 0, 0, 0};
	struct rs_rng rng;
	rs_rng_seed(&rng, 11);
	const struct rs_paired above =
	    rs_stats_paired(a, negative, 5, N_RESAMPLES, &rng, scratch);
	assert_true(above.median_pct == 125);
	assert_true(above.interval_pct.low >= 75);
	assert_true(above.interval_pct.low <= above.interval_pct.high);
	const struct rs_paired unbounded =
	    rs_stats_paired(a, zero, 5, N_RESAMPLES, &rng, scratch);
	assert_true(isinf(unbounded.median_pct) && unbounded.median_pct > 0);
	const struct rs_paired none =
	    rs_stats_paired(zero, zero, 5, N_RESAMPLES, &rng, scratch);
	assert_true(none.median_pct == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(median_and_mad_match_published_values),
	    cmocka_unit_test(median_interval_is_that_of_the_exact_bootstrap),
	    cmocka_unit_test(median_interval_covers_as_often_as_it_should),
	    cmocka_unit_test(intervals_of_degenerate_data_are_empty),
	    cmocka_unit_test(few_resamples_give_the_extremes),
	    cmocka_unit_test(paired_cancels_what_pairs_share),
	    cmocka_unit_test(paired_keeps_sign_and_order),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
