#ifndef SRC_AFFINITY_H
#define SRC_AFFINITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/err.h"

/*
 * CPUs, as a set of any size: ids are neither contiguous nor from 0, and there may be
 * more than 1024. Start from an empty object; rs_cpus_free leaves it empty.
 */
struct rs_cpus {
	unsigned long *words;
	size_t n_words;
};

void rs_cpus_free(struct rs_cpus *cpus);

bool rs_cpus_has(const struct rs_cpus *cpus, unsigned int cpu);
size_t rs_cpus_count(const struct rs_cpus *cpus);

/* Returns 0 or -ENOMEM. */
int rs_cpus_add(struct rs_cpus *cpus, unsigned int cpu);

/* Takes cpu out, if it is in. */
void rs_cpus_remove(struct rs_cpus *cpus, unsigned int cpu);

/* The greatest id of the set; -ENOENT when it is empty. */
int rs_cpus_last(const struct rs_cpus *cpus);

/*
 * Reads the kernel's list format, such as "0-3,8"; "" is the empty set. Returns 0,
 * -EINVAL (not a list, or a range that runs backwards), -ERANGE (an id above 65535)
 * or -ENOMEM; *out is then empty.
 */
int rs_cpus_parse(const char *text, struct rs_cpus *out);

#define RS_CPUS_TEXT 256

/* Writes the set as a list into text, cut with "..." when it is longer. */
const char *rs_cpus_format(const struct rs_cpus *cpus, char text[RS_CPUS_TEXT]);

/*
 * The CPUs that the calling thread may run on and that are online; the kernel leaves
 * out the others.
 */
int rs_affinity_allowed(struct rs_cpus *out, struct rs_err *err);

/*
 * The CPU to measure on when the user names none: the last allowed one. CPU 0 takes
 * most interrupts, so it is chosen only where it is alone; the same set gives the same
 * choice. Returns the id or a negative errno.
 */
int rs_affinity_choose(const struct rs_cpus *allowed);

#define RS_CPU_ANY UINT32_MAX /* no CPU in particular */

/*
 * Turns RS_CPU_ANY in *cpu into the default CPU of the allowed set, and checks any
 * other. Returns 0 or a negative errno, as rs_affinity_check.
 */
int rs_affinity_settle(const struct rs_cpus *allowed, unsigned int *cpu,
		       struct rs_err *err);

/* Returns 0, or -EINVAL with the set in the sentence where cpu is not allowed. */
int rs_affinity_check(const struct rs_cpus *allowed, unsigned int cpu,
		      struct rs_err *err);

/*
 * Binds the calling thread to cpu, reads the mask back and asks where it runs. Returns
 * 0 or a negative errno: -EINVAL where the kernel refuses cpu, -EIO where it accepted
 * the binding but did not keep it. Whether cpu may be chosen is rs_affinity_check's.
 */
int rs_affinity_pin(unsigned int cpu, struct rs_err *err);

/*
 * Binds the calling thread to the allowed CPUs but for cpu, so that it does not disturb
 * what is measured there. Where there is no other, or the kernel refuses, nothing
 * changes.
 */
void rs_affinity_avoid(struct rs_cpus *allowed, unsigned int cpu);

#endif
