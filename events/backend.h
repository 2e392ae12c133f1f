#ifndef EVENTS_BACKEND_H
#define EVENTS_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "events/events.h"
#include "events/facts.h"
#include "events/machine.h"

/* An open counter. Empty: fd -1. */
struct rs_counter {
	int fd;
	uint64_t id;
};

struct rs_open_how {
	const struct rs_event *event;
	int leader_fd;              /* -1: becomes a leader, disabled and pinned */
	bool exclude_hv;            /* optional: some PMUs refuse it */
	uint32_t kernel_attr_bytes; /* out, on -E2BIG: the size that the kernel knows */
};

/* One read of a group: values by id. */
struct rs_sample {
	uint64_t id;
	uint64_t value;
	uint64_t time_enabled_ns;
	uint64_t time_running_ns;
};

struct rs_samples {
	size_t n;
	struct rs_sample samples[RS_MAX_EVENTS];
};

struct rs_backend_ops {
	/* Both return 0 or a negative errno. */
	int (*open)(const struct rs_backend *backend, struct rs_open_how *how,
		    struct rs_counter *out);
	int (*enable)(const struct rs_backend *backend,
		      const struct rs_counter *leader);
	int (*disable)(const struct rs_backend *backend,
		       const struct rs_counter *leader);
	/*
	 * Reads the n counters of a leader's group. Returns 0 or a negative errno:
	 * -ENODATA when the kernel gave no bytes (a pinned group that lost its
	 * counters), -EIO when what it gave is not what was asked for.
	 */
	int (*read)(const struct rs_backend *backend, const struct rs_counter *leader,
		    size_t n, struct rs_samples *out);
	void (*close)(const struct rs_backend *backend, struct rs_counter *counter);
	uint64_t (*ns)(const struct rs_backend *backend);
	uint64_t (*ticks)(const struct rs_backend *backend);
	/* Says what is being timed; is_end: the next reads follow the timed code. */
	void (*mark)(const struct rs_backend *backend, const char *label, bool is_end);
	/* What errno explanations may draw on. */
	void (*facts)(const struct rs_backend *backend, struct rs_perf_facts *facts);
	/* What names resolve against. */
	void (*machine)(const struct rs_backend *backend, unsigned int cpu,
			struct rs_machine *machine);
	/*
	 * The disturbance that is scripted for label; negative where the watch has to
	 * look at the machine.
	 */
	int (*disturbance)(const struct rs_backend *backend, const char *label);
};

struct rs_replay;

struct rs_backend {
	const struct rs_backend_ops *ops;
	uint64_t (*tick_clock)(void); /* NULL: no tick clock */
	char hypervisor[16];          /* its signature; "": unknown */
	struct rs_replay *replay;     /* NULL for perf */
};

/* The kernel's perf_event_open, in perf.c. */
extern const struct rs_backend_ops rs_perf_ops;

/*
 * Counts known calls with a breakpoint of the real machine; if the count is wrong, the
 * event becomes untrusted, with the reason. In breakpoint.c.
 */
void rs_breakpoint_distrust(struct rs_event *event);

/* The real machine, for the perf back end. */
void rs_machine_of_cpu(const struct rs_backend *backend, unsigned int cpu,
		       struct rs_machine *machine);

#endif
