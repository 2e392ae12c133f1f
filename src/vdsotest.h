#ifndef SRC_VDSOTEST_H
#define SRC_VDSOTEST_H

/* Private to compat_vdsotest.c and vdsotest_bench.c. */

#include <stdbool.h>
#include <stdint.h>

#include "src/trial.h"

/* Calls of a function over some time. */
struct rs_vdsotest_interval {
	uint64_t n_calls;
	uint64_t ns;
};

/* What is called; a plan's function may be NULL: it is not in the vDSO. */
struct rs_vdsotest_bench {
	struct rs_vdsotest_interval by_syscall;
	struct rs_vdsotest_interval by_libc;
	struct rs_vdsotest_interval by_vdso; /* 0 calls: not there */
};

/*
 * Calls function, "getcpu" or another of vdsotest's, by each way for duration_s. The
 * plan says how. Returns 0, -ENOSYS for a function that it does not know, or the
 * negative errno of a timer that cannot be set.
 */
int rs_vdsotest_run_bench(struct rs_vdsotest_bench *out, const char *function,
			  const struct rs_trial_plan *plan, double duration_s);

#endif
