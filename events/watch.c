#include "events/watch.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "events/backend.h"
#include "events/set.h"

static const char *const disturbance_names[RS_N_DISTURBANCE] = {
    [RS_DISTURBANCE_NONE] = "",
    [RS_DISTURBANCE_CONTEXT_SWITCH] = "context-switch",
    [RS_DISTURBANCE_MIGRATION] = "cpu-migration",
    [RS_DISTURBANCE_PAGE_FAULT] = "page-fault",
    [RS_DISTURBANCE_NO_SWITCH] = "no-switch",
};

const char *rs_disturbance_name(enum rs_disturbance disturbance)
{
	return disturbance_names[disturbance];
}

/*
 * Migration first: a migration is also a context switch, and says more. The codes are
 * PERF_COUNT_SW_* of the kernel's ABI; the first two fire inside the kernel only, so
 * all count kernel mode.
 */
static const enum rs_disturbance watched[] = {
    RS_DISTURBANCE_MIGRATION,
    RS_DISTURBANCE_CONTEXT_SWITCH,
    RS_DISTURBANCE_PAGE_FAULT,
};

#define N_WATCHED (sizeof(watched) / sizeof(watched[0]))

static const struct rs_event software_events[N_WATCHED] = {
    {.name = "cpu-migrations", .type = 1, .config = 4, .is_kernel_too = true},
    {.name = "context-switches", .type = 1, .config = 3, .is_kernel_too = true},
    {.name = "page-faults", .type = 1, .config = 2, .is_kernel_too = true},
};

/* What getrusage and getcpu see, in the order of watched. */
struct usage {
	long cpu;
	long switches;
	long faults;
};

struct rs_watch {
	const struct rs_backend *backend;
	bool uses_perf;
	struct rs_set set;
	const char *label;
	struct rs_samples before;
	int before_code;
	struct usage before_usage;
};

static struct usage usage_now(void)
{
	struct rusage usage;
	if (getrusage(RUSAGE_THREAD, &usage))
		return (struct usage){.cpu = -1};
	return (struct usage){
	    .cpu = sched_getcpu(),
	    .switches = usage.ru_nvcsw + usage.ru_nivcsw,
	    .faults = usage.ru_minflt + usage.ru_majflt,
	};
}

int rs_watch_open_rusage(struct rs_watch **out, const struct rs_backend *backend,
			 struct rs_err *err)
{
	*out = calloc(1, sizeof(**out));
	if (!*out)
		return rs_err_set(err, -ENOMEM, "not enough memory for the watch");
	(*out)->backend = backend;
	return 0;
}

/* Whether the counters open and run; otherwise getrusage has to do. */
static bool open_perf(struct rs_watch *watch)
{
	const struct rs_event *events[N_WATCHED];
	for (size_t i = 0; i < N_WATCHED; i++)
		events[i] = &software_events[i];
	struct rs_set_failure failure;
	struct rs_samples samples;
	if (rs_set_open(&watch->set, watch->backend, events, N_WATCHED, &failure))
		return false;
	if (rs_set_enable(&watch->set) == 0 && rs_set_read(&watch->set, &samples) == 0)
		return true;
	rs_set_close(&watch->set);
	return false;
}

int rs_watch_open(struct rs_watch **out, const struct rs_backend *backend,
		  struct rs_err *err)
{
	const int ret = rs_watch_open_rusage(out, backend, err);
	if (ret || backend->replay)
		return ret;
	(*out)->uses_perf = open_perf(*out);
	return 0;
}

void rs_watch_close(struct rs_watch *watch)
{
	if (!watch)
		return;
	rs_set_close(&watch->set);
	free(watch);
}

const char *rs_watch_source(const struct rs_watch *watch)
{
	if (watch->backend->replay)
		return "replay";
	return watch->uses_perf ? "perf software events" : "getrusage and getcpu";
}

void rs_watch_begin(struct rs_watch *watch, const char *label)
{
	watch->label = label;
	if (watch->uses_perf)
		watch->before_code = rs_set_read(&watch->set, &watch->before);
	else
		watch->before_usage = usage_now();
}

/* What the number of one event says; n_switches as for rs_watch_end. */
static enum rs_disturbance judge(enum rs_disturbance event, uint64_t n,
				 uint64_t n_switches)
{
	if (event != RS_DISTURBANCE_CONTEXT_SWITCH || !n_switches)
		return n ? event : RS_DISTURBANCE_NONE;
	return n < n_switches ? RS_DISTURBANCE_NO_SWITCH : RS_DISTURBANCE_NONE;
}

/*
 * A read that failed proves nothing quiet; the pinned software group cannot lose a
 * counter, so this is the kernel refusing, and the repetition is not to be trusted.
 */
static enum rs_disturbance perf_disturbance(struct rs_watch *watch, uint64_t n_switches)
{
	struct rs_samples after;
	const int code = rs_set_read(&watch->set, &after);
	enum rs_disturbance found = RS_DISTURBANCE_NONE;
	for (size_t i = 0; i < N_WATCHED && !found; i++) {
		const struct rs_reading reading = rs_set_between(
		    &watch->set, i, watch->before_code, &watch->before, code, &after);
		found = reading.status == RS_STATUS_OK
			    ? judge(watched[i], reading.value, n_switches)
			    : watched[i];
	}
	return found;
}

static enum rs_disturbance usage_disturbance(const struct rs_watch *watch,
					     uint64_t n_switches)
{
	const struct usage now = usage_now();
	const struct usage *const before = &watch->before_usage;
	const uint64_t counts[N_WATCHED] = {
	    now.cpu != before->cpu,
	    (uint64_t)(now.switches - before->switches),
	    now.faults != before->faults,
	};
	enum rs_disturbance found = RS_DISTURBANCE_NONE;
	for (size_t i = 0; i < N_WATCHED && !found; i++)
		found = judge(watched[i], counts[i], n_switches);
	return found;
}

enum rs_disturbance rs_watch_end(struct rs_watch *watch, uint64_t n_switches)
{
	const int scripted =
	    watch->backend->ops->disturbance(watch->backend, watch->label);
	if (scripted >= 0)
		return (enum rs_disturbance)scripted;
	return watch->uses_perf ? perf_disturbance(watch, n_switches)
				: usage_disturbance(watch, n_switches);
}
