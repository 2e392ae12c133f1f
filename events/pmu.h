#ifndef EVENTS_PMU_H
#define EVENTS_PMU_H

#include "events/events.h"

/* Whether a kernel CPU list such as "0-3,8" holds cpu. */
bool rs_cpulist_has(const char *list, unsigned int cpu);

/* One PMU by name; -ENOENT when the kernel does not show it. */
int rs_pmu_find(const char *name, struct rs_pmu *out);

/* The names of all PMUs as "a, b, c", cut to fit size. */
void rs_pmu_names(char *out, size_t size);

/*
 * Adds value to the config words by the bit ranges of a sysfs format text
 * ("config:0-7,32-35"). Returns 0, -EINVAL (not a format text) or -ERANGE (value has
 * more bits than the ranges).
 */
int rs_pmu_put_bits(const char *format, uint64_t value, uint64_t config[3]);

/*
 * Encodes "term=value,term,eventname" for a PMU through its format/ and events/
 * files. Returns 0 or a negative errno with the sentence in err.
 */
int rs_pmu_encode(const struct rs_pmu *pmu, const char *terms, uint64_t config[3],
		  struct rs_err *err);

#endif
