#ifndef SRC_RANDOM_STATE_H
#define SRC_RANDOM_STATE_H

/*
 * The states that the vDSO's getrandom keeps its keys in. The caller asks the function
 * what they are like, maps memory so, and gives every thread one of its own (struct
 * vgetrandom_opaque_params in the kernel's include/uapi/linux/random.h).
 */

#include <stddef.h>
#include <stdint.h>

/* As the kernel fills it in. */
struct rs_random_params {
	uint32_t n_state_bytes;
	uint32_t map_prot;
	uint32_t map_flags;
	uint32_t reserved[13];
};

/* n states, each at the start of a page, so that none reaches into a second one. */
struct rs_random_states {
	void *pages; /* NULL: none */
	size_t n_bytes;
	size_t stride; /* from one state to the next */
	size_t n_state_bytes;
};

/*
 * Returns 0, the negative errno that the function answers, or -ERANGE for states that
 * no page has room for.
 */
int rs_random_query(const void *function, struct rs_random_params *out);

/* Maps n states, at least 1. Returns 0 or a negative errno with out empty. */
int rs_random_map(struct rs_random_states *out, const struct rs_random_params *params,
		  unsigned int n);

/* Accepts an empty object and leaves it empty. */
void rs_random_unmap(struct rs_random_states *states);

#endif
