#ifndef SRC_PROBE_H
#define SRC_PROBE_H

/* The processor's link stack, from outside: docs/method.md, "Probing the depth". */

#include <stdint.h>

#include "arch/arch.h"
#include "src/base/err.h"
#include "src/knee.h"
#include "src/model.h"

#define RS_PROBE_MAX_CHAINS 8
#define RS_PROBE_MAX_LEVELS 96

struct rs_probe_request {
	const struct rs_chain *chains;
	unsigned int cpu;         /* already the only one this process may run on */
	unsigned int n_processes; /* 1 to RS_MAX_PROCESSES */
	uint64_t seed;
	void (*show)(void *user, unsigned int done, unsigned int all); /* or NULL */
	void *user;
};

/* The fastest of a process's repetitions of one chain at one level. */
struct rs_probe_point {
	uint64_t calls; /* iterations; 0: not measured */
	uint64_t ticks; /* that they took */
};

struct rs_probe {
	const struct rs_chain *chains;
	size_t n_chains;
	unsigned int levels[RS_PROBE_MAX_LEVELS]; /* ascending */
	size_t n_levels;
	size_t n_processes;  /* that were measured whole */
	const char *stopped; /* why it ended early; NULL if it did not */
	/* [process][chain][level] */
	struct rs_probe_point (*points)[RS_PROBE_MAX_CHAINS][RS_PROBE_MAX_LEVELS];
	struct rs_agreement answers[RS_PROBE_MAX_CHAINS];
};

/*
 * Measures every chain at every level in each of the processes, one after another, and
 * looks for the knees. -ENOTSUP without a tick clock; -EIO where a process died, or its
 * kernel went wrong. A stopped probe returns 0 with what was measured. Free with
 * rs_probe_free.
 */
int rs_probe_depth(struct rs_probe *out, const struct rs_probe_request *request,
		   struct rs_err *err);
void rs_probe_free(struct rs_probe *probe);

#endif
