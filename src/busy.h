#ifndef SRC_BUSY_H
#define SRC_BUSY_H

#include <stdint.h>

#include "src/affinity.h"
#include "src/model.h"

/* Time of some CPUs since boot, in units of 1 / USER_HZ s. */
struct rs_cpu_time {
	uint64_t busy;  /* steal included */
	uint64_t total; /* 0: unknown */
	uint64_t steal; /* what a hypervisor gave to others */
};

/* The sum over cpus, from /proc/stat; zeros where it cannot be read. */
struct rs_cpu_time rs_cpu_time_read(const struct rs_cpus *cpus);

/* The share of busy time between two readings, 0 to 1; unknown where none passed. */
struct rs_maybe rs_busy_share(const struct rs_cpu_time *before,
			      const struct rs_cpu_time *after);

#endif
