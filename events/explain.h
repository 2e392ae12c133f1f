#ifndef EVENTS_EXPLAIN_H
#define EVENTS_EXPLAIN_H

#include <stddef.h>

#include "events/events.h"
#include "events/facts.h"

/* A counter that could not be opened, enabled or read. */
struct rs_failure {
	const struct rs_event *event;
	unsigned int cpu;
	int errnum;           /* positive */
	const char *doing;    /* "open", "enable", "read" */
	size_t n_descriptors; /* that the group needs */
	uint32_t kernel_attr_bytes;
};

/*
 * Writes one sentence into out (size bytes): what was tried, the errno, one cause that
 * was looked up and one next step. Returns the status that the event gets.
 */
enum rs_status rs_explain(char *out, size_t size, const struct rs_failure *failure,
			  const struct rs_perf_facts *facts);

/* The same for an event that opened but never ran. */
enum rs_status rs_explain_not_counted(char *out, size_t size,
				      const struct rs_event *event, unsigned int cpu,
				      const struct rs_perf_facts *facts);

/* The same for one whose trial reading had another bad status. */
void rs_explain_reading(char *out, size_t size, const struct rs_event *event,
			unsigned int cpu, enum rs_status status);

#endif
