#include "src/rng.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include <cmocka.h>

/*
 * The first outputs of xoshiro256** from the state {1, 2, 3, 4}, as computed by its
 * authors' public-domain program and asserted by many libraries.
 */
static void next_gives_the_published_sequence(void **state)
{
	(void)state;
	static const uint64_t expected[] = {
	    UINT64_C(11520),
	    UINT64_C(0),
	    UINT64_C(1509978240),
	    UINT64_C(1215971899390074240),
	    UINT64_C(1216172134540287360),
	    UINT64_C(607988272756665600),
	    UINT64_C(16172922978634559625),
	    UINT64_C(8476171486693032832),
	};
	struct rs_rng rng = {.state = {1, 2, 3, 4}};
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
		assert_int_equal(rs_rng_next(&rng), expected[i]);
}

/* SplitMix64 from the seed 1234567, as published with Rosetta Code's task. */
static void seed_fills_the_state_by_splitmix64(void **state)
{
	(void)state;
	static const uint64_t expected[4] = {
	    UINT64_C(6457827717110365317),
	    UINT64_C(3203168211198807973),
	    UINT64_C(9817491932198370423),
	    UINT64_C(4593380528125082431),
	};
	struct rs_rng rng;
	rs_rng_seed(&rng, 1234567);
	assert_memory_equal(rng.state, expected, sizeof(expected));
}

#define MAX_BINS 7
#define N_DRAWS  70000

/*
 * Each bin of n equally likely ones gets N_DRAWS / n draws with a standard deviation of
 * sqrt(N_DRAWS / n * (1 - 1 / n)); five of them bound 17 bins with a chance of error
 * below 1e-5, and the seed is fixed.
 */
static void below_favours_no_value(void **state)
{
	(void)state;
	static const uint64_t bounds[] = {1, 2, 3, 5, 7};
	for (size_t b = 0; b < sizeof(bounds) / sizeof(bounds[0]); b++) {
		const uint64_t n = bounds[b];
		struct rs_rng rng;
		rs_rng_seed(&rng, 42);
		size_t bins[MAX_BINS] = {0};
		for (size_t i = 0; i < N_DRAWS; i++) {
			const uint64_t draw = rs_rng_below(&rng, n);
			assert_true(draw < n);
			bins[draw]++;
		}
		const double expected = (double)N_DRAWS / (double)n;
		const double bound = 5 * sqrt(expected * (1 - 1 / (double)n));
		for (size_t i = 0; i < n; i++) {
			print_message("below %zu: bin %zu has %zu\n", (size_t)n, i,
				      bins[i]);
			assert_true(fabs((double)bins[i] - expected) <= bound);
		}
	}
}

/*
 * Bounds just above a half of the range make a plain remainder or product give the
 * lower third of the results twice as often; unbiased draws fall below n / 3 in a third
 * of the cases. Five standard deviations of a share of 1/3 in 30000 draws are 0.0136.
 */
static void below_refuses_unfair_draws(void **state)
{
	(void)state;
	static const uint64_t bounds[] = {
	    UINT64_C(3) << 30,
	    UINT64_C(3) << 62,
	    UINT64_C(0x80000001),
	    UINT64_C(0x8000000000000001),
	};
	const size_t n_draws = 30000;
	for (size_t b = 0; b < sizeof(bounds) / sizeof(bounds[0]); b++) {
		struct rs_rng rng;
		rs_rng_seed(&rng, 7);
		size_t n_low = 0;
		size_t n_even = 0;
		for (size_t i = 0; i < n_draws; i++) {
			const uint64_t draw = rs_rng_below(&rng, bounds[b]);
			assert_true(draw < bounds[b]);
			n_low += draw < bounds[b] / 3;
			n_even += draw % 2 == 0;
		}
		const double low = (double)n_low / (double)n_draws;
		const double even = (double)n_even / (double)n_draws;
		print_message("below %#llx: %.4f low, %.4f even\n",
			      (unsigned long long)bounds[b], low, even);
		assert_true(fabs(low - 1.0 / 3) < 0.0136);
		assert_true(fabs(even - 0.5) < 0.0145);
	}
}

#define N_INDICES 5

static bool is_permutation(const unsigned int *indices, size_t n)
{
	bool seen[N_INDICES] = {false};
	for (size_t i = 0; i < n; i++) {
		if (indices[i] >= n || seen[indices[i]])
			return false;
		seen[indices[i]] = true;
	}
	return true;
}

/* Where each index goes: N_DRAWS / N_INDICES times to each place; bound as above. */
static void shuffle_gives_every_place_to_every_index(void **state)
{
	(void)state;
	static const unsigned int twice[N_INDICES] = {0, 1, 1, 3, 4};
	assert_false(is_permutation(twice, N_INDICES));
	struct rs_rng rng;
	rs_rng_seed(&rng, 3);
	size_t went[N_INDICES][N_INDICES] = {{0}};
	for (size_t round = 0; round < N_DRAWS; round++) {
		unsigned int indices[N_INDICES] = {0, 1, 2, 3, 4};
		rs_rng_shuffle(&rng, indices, N_INDICES);
		assert_true(is_permutation(indices, N_INDICES));
		for (size_t i = 0; i < N_INDICES; i++)
			went[indices[i]][i]++;
	}
	const double expected = (double)N_DRAWS / N_INDICES;
	const double bound = 5 * sqrt(expected * (1 - 1.0 / N_INDICES));
	for (size_t i = 0; i < N_INDICES * N_INDICES; i++) {
		const size_t count = went[i / N_INDICES][i % N_INDICES];
		print_message("index %zu to place %zu: %zu\n", i / N_INDICES,
			      i % N_INDICES, count);
		assert_true(fabs((double)count - expected) <= bound);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(next_gives_the_published_sequence),
	    cmocka_unit_test(seed_fills_the_state_by_splitmix64),
	    cmocka_unit_test(below_favours_no_value),
	    cmocka_unit_test(below_refuses_unfair_draws),
	    cmocka_unit_test(shuffle_gives_every_place_to_every_index),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
