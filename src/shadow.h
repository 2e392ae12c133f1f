#ifndef SRC_SHADOW_H
#define SRC_SHADOW_H

/*
 * The calls of one thread that have not returned yet, by their return addresses: what a
 * link stack without limits would hold, and so what tells an unbalanced call or return
 * from one that a full stack forgot.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RS_SHADOW_MAX_CALLS 65536U /* in flight; older ones are forgotten */

struct rs_shadow_call {
	uint64_t address; /* that it returns to */
	uint64_t stack;   /* the stack pointer before it; 0: not known */
	uint32_t site;
	uint32_t peak; /* the most calls above it at once that returned */
};

/* Zero-initialise. */
struct rs_shadow {
	struct rs_shadow_call *calls; /* the oldest first */
	uint32_t n_calls;
	uint32_t max_calls; /* that there is room for */
	uint64_t n_forgotten;
	uint64_t deepest; /* calls in flight at once */
	/* Set by the caller: is told of each call that will not return any more. */
	void (*drop)(void *user, uint32_t site);
	void *user;
	bool is_in_memory; /* a call keeps its return address at its stack pointer */
};

/*
 * A call. Those whose frame is gone by then, told by their stack pointers, are dropped.
 * Returns 0 or -ENOMEM.
 */
int rs_shadow_push(struct rs_shadow *shadow, uint64_t address, uint64_t stack,
		   uint32_t site);

/*
 * A return to target: takes off the newest call that returns there, and drops those
 * above it. False where no call does; then nothing is changed.
 */
bool rs_shadow_pop(struct rs_shadow *shadow, uint64_t target,
		   struct rs_shadow_call *out);

/* Forgets all calls without dropping them. */
void rs_shadow_clear(struct rs_shadow *shadow);

/* Accepts an empty object and leaves it empty. */
void rs_shadow_free(struct rs_shadow *shadow);

#endif
