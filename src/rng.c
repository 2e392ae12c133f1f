#include "src/rng.h"

/*
 * xoshiro256** (Blackman and Vigna, "Scrambled linear pseudorandom number generators",
 * 2018), its state filled by SplitMix64 as its authors advise.
 */
static uint64_t splitmix64(uint64_t *state)
{
	*state += 0x9e3779b97f4a7c15;
	uint64_t z = *state;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

void rs_rng_seed(struct rs_rng *rng, uint64_t seed)
{
	for (size_t i = 0; i < 4; i++)
		rng->state[i] = splitmix64(&seed);
}

static uint64_t rotate_left(uint64_t x, unsigned int n)
{
	return (x << n) | (x >> (64 - n));
}

uint64_t rs_rng_next(struct rs_rng *rng)
{
	uint64_t *const s = rng->state;
	const uint64_t result = rotate_left(s[1] * 5, 7) * 9;
	const uint64_t t = s[1] << 17;
	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate_left(s[3], 45);
	return result;
}

/*
 * Lemire, "Fast random integer generation in an interval", 2019: the upper half of
 * draw * n is uniform once the draws are refused that would favour some results. The
 * remainder that says which is needed only when the lower half is below n, so nearly
 * never.
 */
static uint32_t below_32(struct rs_rng *rng, uint32_t n)
{
	uint64_t product = (rs_rng_next(rng) >> 32) * n;
	if ((uint32_t)product < n) {
		const uint32_t unfair = -n % n;
		while ((uint32_t)product < unfair)
			product = (rs_rng_next(rng) >> 32) * n;
	}
	return (uint32_t)(product >> 32);
}

/* Draws below the largest multiple of n are kept, so that no remainder is favoured. */
static uint64_t below_64(struct rs_rng *rng, uint64_t n)
{
	const uint64_t unfair = -n % n;
	uint64_t draw = rs_rng_next(rng);
	while (draw < unfair)
		draw = rs_rng_next(rng);
	return draw % n;
}

uint64_t rs_rng_below(struct rs_rng *rng, uint64_t n)
{
	return n <= UINT32_MAX ? below_32(rng, (uint32_t)n) : below_64(rng, n);
}

void rs_rng_shuffle(struct rs_rng *rng, unsigned int *indices, size_t n)
{
	for (size_t i = n; i > 1; i--) {
		const size_t j = rs_rng_below(rng, i);
		const unsigned int held = indices[i - 1];
		indices[i - 1] = indices[j];
		indices[j] = held;
	}
}
