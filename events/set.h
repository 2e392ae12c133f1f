#ifndef EVENTS_SET_H
#define EVENTS_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "events/backend.h"

/* Counters that are opened, enabled and read together. Empty: n 0. */
struct rs_set {
	const struct rs_backend *backend;
	size_t n;
	struct rs_counter counters[RS_MAX_EVENTS];
	bool excludes_hv; /* false: the optional bit was refused and dropped for all */
};

/* Which event of a set could not be opened, for explanations. */
struct rs_set_failure {
	size_t index;
	uint32_t kernel_attr_bytes;
};

/*
 * Opens n events (at least 1) as one pinned group. On failure nothing stays open.
 * Returns 0 or a negative errno with failure filled.
 */
int rs_set_open(struct rs_set *set, const struct rs_backend *backend,
		const struct rs_event *const *events, size_t n,
		struct rs_set_failure *failure);
/* Accepts an empty set and leaves it empty. */
void rs_set_close(struct rs_set *set);

/* All three return 0 or a negative errno. */
int rs_set_enable(const struct rs_set *set);
int rs_set_disable(const struct rs_set *set);
int rs_set_read(const struct rs_set *set, struct rs_samples *out);

/*
 * What was counted by counter i between two reads, each given with its return code.
 */
struct rs_reading rs_set_between(const struct rs_set *set, size_t i, int before_code,
				 const struct rs_samples *before, int after_code,
				 const struct rs_samples *after);

/* Whether event opens by itself: 0 or a negative errno. */
int rs_event_probe(const struct rs_event *event, const struct rs_backend *backend,
		   uint32_t *kernel_attr_bytes);

bool rs_event_is_clock(const struct rs_event *event);

#endif
