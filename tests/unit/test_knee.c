#include "src/knee.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "src/rng.h"

#define N 128

static unsigned int levels[N];
static double costs[N];

/* below up to knee, above beyond; each cost is off by up to the share noise. */
static struct rs_knee fit(unsigned int knee, double below, double above, double noise,
			  uint64_t seed)
{
	struct rs_rng rng;
	rs_rng_seed(&rng, seed);
	for (unsigned int i = 0; i < N; i++) {
		const unsigned int level = i + 1;
		const double over = level > knee ? level - knee : 0;
		const double random = (double)rs_rng_below(&rng, 2001) / 1000 - 1;
		levels[i] = level;
		const double cost = 7 + below * (level - over) + above * over;
		costs[i] = cost * (1 + noise * random);
	}
	return rs_knee_fit(levels, costs, N);
}

static void exact_curves_give_exact_knees(void **state)
{
	(void)state;
	for (unsigned int knee = 2; knee <= 100; knee++) {
		const struct rs_knee found = fit(knee, 10, 24, 0, 1);
		if (!found.found || found.at != knee)
			fail_msg("a knee at %u is found at %u", knee, found.at);
		assert_true(found.below > 9.99 && found.below < 10.01);
		assert_true(found.above > 23.99 && found.above < 24.01);
	}
}

static void noise_moves_a_knee_by_one_at_most(void **state)
{
	(void)state;
	for (unsigned int seed = 1; seed <= 200; seed++) {
		const struct rs_knee found = fit(16, 10, 24, 0.01, seed);
		if (!found.found || found.at < 15 || found.at > 17)
			fail_msg("seed %u: found at %u", seed, found.at);
	}
}

static void curves_without_a_knee_have_none(void **state)
{
	(void)state;
	assert_false(fit(N, 10, 24, 0, 1).found);
	assert_false(fit(40, 24, 10, 0, 1).found); /* bends down */
	assert_false(fit(40, 10, 11, 0, 1).found); /* hardly steeper */
	for (unsigned int seed = 1; seed <= 200; seed++)
		assert_false(fit(N, 10, 24, 0.1, seed).found);
	assert_false(rs_knee_fit(levels, costs, 5).found);
}

/* A third slope far out, as of a cache that is full, does not pull the knee. */
static void what_happens_far_beyond_does_not_matter(void **state)
{
	(void)state;
	fit(16, 10, 24, 0, 1);
	for (unsigned int i = 80; i < N; i++)
		costs[i] += 12.0 * (i - 79);
	const struct rs_knee found = rs_knee_fit(levels, costs, N);
	assert_true(found.found);
	assert_int_equal(found.at, 16);
}

static struct rs_agreement agree(const unsigned int *at, size_t n)
{
	struct rs_knee knees[RS_MAX_PROCESSES];
	for (size_t i = 0; i < n; i++)
		knees[i] = (struct rs_knee){
		    .found = at[i] > 0, .at = at[i], .below = 10, .above = 24};
	return rs_knees_agree(knees, n, 1);
}

static void processes_that_agree_are_clear(void **state)
{
	(void)state;
	const struct rs_agreement all =
	    agree((const unsigned int[]){16, 16, 17, 16, 16, 16, 47, 16}, 8);
	assert_true(all.is_clear);
	assert_int_equal(all.at, 16);
	assert_int_equal(all.n_found, 8);
	assert_int_equal(all.n_agreeing, 7);
	assert_true(all.low == 16 && all.high <= 17);
}

static void processes_that_do_not_are_not(void **state)
{
	(void)state;
	static const struct {
		unsigned int at[8];
		size_t n;
	} cases[] = {
	    {{13, 47, 20, 31, 23, 18, 40, 27}, 8},
	    {{16, 16, 16, 16, 0, 0, 0, 16}, 8}, /* three found nothing */
	    {{0, 0, 0, 0}, 4},
	    {{16, 16}, 2},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_false(agree(cases[i].at, cases[i].n).is_clear);
	assert_int_equal(agree(cases[2].at, 4).n_found, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(exact_curves_give_exact_knees),
	    cmocka_unit_test(noise_moves_a_knee_by_one_at_most),
	    cmocka_unit_test(curves_without_a_knee_have_none),
	    cmocka_unit_test(what_happens_far_beyond_does_not_matter),
	    cmocka_unit_test(processes_that_agree_are_clear),
	    cmocka_unit_test(processes_that_do_not_are_not),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
