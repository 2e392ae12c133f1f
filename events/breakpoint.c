#include "events/events.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>

#include <linux/hw_breakpoint.h>

#include "events/backend.h"
#include "events/explain.h"
#include "events/set.h"

static int fail(struct rs_err *err, const struct rs_event *event, const char *doing,
		int code)
{
	struct rs_perf_facts facts;
	rs_perf_facts_read(&facts);
	const int cpu = sched_getcpu();
	const struct rs_failure failure = {
	    .event = event,
	    .cpu = cpu < 0 ? 0 : (unsigned int)cpu,
	    .errnum = -code,
	    .doing = doing,
	    .n_descriptors = 1,
	};
	rs_explain(err->text, sizeof(err->text), &failure, &facts);
	return code;
}

int rs_breakpoint_count(const void *address, void (*run)(void *user), void *user,
			uint64_t *count, struct rs_err *err)
{
	const struct rs_backend backend = {.ops = &rs_perf_ops};
	const struct rs_event event = {
	    .name = "execution breakpoint",
	    .source = "breakpoint",
	    .type = 5, /* PERF_TYPE_BREAKPOINT */
	    .breakpoint_address = (uintptr_t)address,
	    .breakpoint_kind = HW_BREAKPOINT_X,
	    .breakpoint_bytes = sizeof(long), /* what the kernel wants for execution */
	};
	const struct rs_event *const one = &event;
	struct rs_set set;
	struct rs_set_failure failure;
	struct rs_samples before;
	struct rs_samples after;
	int ret = rs_set_open(&set, &backend, &one, 1, &failure);
	if (ret)
		return fail(err, &event, "open", ret);
	ret = rs_set_enable(&set);
	if (ret) {
		fail(err, &event, "enable", ret);
		goto out;
	}
	ret = rs_set_read(&set, &before);
	if (ret) {
		fail(err, &event, "read", ret);
		goto out;
	}
	run(user);
	ret = rs_set_read(&set, &after);
	if (ret) {
		fail(err, &event, "read", ret);
		goto out;
	}
	const struct rs_reading reading =
	    rs_set_between(&set, 0, 0, &before, 0, &after);
	if (rs_reading_is_valid(&reading))
		*count = reading.value;
	else
		ret = rs_err_set(err, -EIO, "the breakpoint at %p was not counted: %s",
				 address, rs_status_name(reading.status));
out:
	rs_set_close(&set);
	return ret;
}

#define KNOWN_CALLS 1000

static __attribute__((noinline)) void known_function(void)
{
	__asm__ volatile("" ::: "memory");
}

static void call_known_function(void *user)
{
	(void)user;
	for (int i = 0; i < KNOWN_CALLS; i++)
		known_function();
}

/*
 * Some hypervisors let a guest set its debug registers and then never deliver the
 * exception: the event opens, runs all the time and says 0.
 */
void rs_breakpoint_distrust(struct rs_event *event)
{
	uint64_t count = 0;
	struct rs_err err;
	if (rs_breakpoint_count((const void *)(uintptr_t)known_function,
				call_known_function, NULL, &count, &err) ||
	    count == KNOWN_CALLS)
		return;
	event->status = RS_STATUS_UNTRUSTED;
	snprintf(event->reason, sizeof(event->reason),
		 "event '%s' opens, but a breakpoint on a function that was called %d "
		 "times counted %llu: this machine's breakpoints cannot be trusted",
		 event->name, KNOWN_CALLS, (unsigned long long)count);
}
