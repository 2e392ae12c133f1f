#ifndef SRC_RNG_H
#define SRC_RNG_H

#include <stddef.h>
#include <stdint.h>

/* A seeded pseudo-random generator, the same sequence on every machine. */
struct rs_rng {
	uint64_t state[4];
};

void rs_rng_seed(struct rs_rng *rng, uint64_t seed);
uint64_t rs_rng_next(struct rs_rng *rng);

/* Uniform in 0 .. n - 1 without bias; n >= 1. */
uint64_t rs_rng_below(struct rs_rng *rng, uint64_t n);

/* Shuffles n indices in place. */
void rs_rng_shuffle(struct rs_rng *rng, unsigned int *indices, size_t n);

#endif
