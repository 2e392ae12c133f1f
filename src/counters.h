#ifndef SRC_COUNTERS_H
#define SRC_COUNTERS_H

#include "events/events.h"
#include "src/base/err.h"

/* The real counters of this host: perf_event_open, with its tick clock and hypervisor.
 */
const struct rs_backend *rs_counters_of_host(void);

/*
 * Every alias as it resolves and opens on cpu, behind the two clocks. data_dir may be
 * NULL. Returns 0 or a negative errno with a sentence.
 */
int rs_counters_list_aliases(struct rs_event_list *list, unsigned int cpu,
			     const char *data_dir, struct rs_err *err);

#endif
