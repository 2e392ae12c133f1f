#include "events/backend.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <linux/perf_event.h>

#include "src/base/text.h"

/*
 * Every member of a group gets the same read format and the same optional bits; only
 * the leader is disabled and pinned, so that the group runs whole or not at all.
 */
static void fill_attr(struct perf_event_attr *attr, const struct rs_open_how *how)
{
	const struct rs_event *const event = how->event;
	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	attr->type = event->type;
	attr->config = event->config;
	attr->config1 = event->config1;
	attr->config2 = event->config2;
	if (event->type == PERF_TYPE_BREAKPOINT) {
		attr->bp_type = event->breakpoint_kind;
		attr->bp_addr = event->breakpoint_address;
		attr->bp_len = event->breakpoint_bytes;
	}
	attr->read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID |
			    PERF_FORMAT_TOTAL_TIME_ENABLED |
			    PERF_FORMAT_TOTAL_TIME_RUNNING;
	attr->exclude_kernel = !event->is_kernel_too;
	attr->exclude_user = event->is_kernel_only;
	attr->exclude_hv = how->exclude_hv;
	attr->disabled = how->leader_fd < 0;
	attr->pinned = how->leader_fd < 0;
}

static int perf_open(const struct rs_backend *backend, struct rs_open_how *how,
		     struct rs_counter *out)
{
	(void)backend;
	struct perf_event_attr attr;
	fill_attr(&attr, how);
	const long fd = syscall(SYS_perf_event_open, &attr, 0, -1, how->leader_fd,
				PERF_FLAG_FD_CLOEXEC);
	if (fd < 0) {
		how->kernel_attr_bytes = errno == E2BIG ? attr.size : 0;
		return -errno;
	}
	out->fd = (int)fd;
	if (ioctl(out->fd, PERF_EVENT_IOC_ID, &out->id) < 0) {
		const int code = -errno;
		close(out->fd);
		out->fd = -1;
		return code;
	}
	return 0;
}

static int perf_enable(const struct rs_backend *backend,
		       const struct rs_counter *leader)
{
	(void)backend;
	return ioctl(leader->fd, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP) < 0
		   ? -errno
		   : 0;
}

static int perf_disable(const struct rs_backend *backend,
			const struct rs_counter *leader)
{
	(void)backend;
	return ioctl(leader->fd, PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP) < 0
		   ? -errno
		   : 0;
}

/* The layout that fill_attr's read_format asks for. */
struct group_read {
	uint64_t n;
	uint64_t time_enabled;
	uint64_t time_running;
	struct {
		uint64_t value;
		uint64_t id;
	} counters[RS_MAX_EVENTS];
};

static int perf_read(const struct rs_backend *backend, const struct rs_counter *leader,
		     size_t n, struct rs_samples *out)
{
	(void)backend;
	struct group_read group;
	const size_t wanted =
	    offsetof(struct group_read, counters) + n * sizeof(group.counters[0]);
	const ssize_t got = read(leader->fd, &group, sizeof(group));
	if (got < 0)
		return -errno;
	if (got == 0)
		return -ENODATA;
	if ((size_t)got != wanted || group.n != n)
		return -EIO;
	out->n = n;
	for (size_t i = 0; i < n; i++) {
		out->samples[i] = (struct rs_sample){
		    .id = group.counters[i].id,
		    .value = group.counters[i].value,
		    .time_enabled_ns = group.time_enabled,
		    .time_running_ns = group.time_running,
		};
	}
	return 0;
}

static void perf_close(const struct rs_backend *backend, struct rs_counter *counter)
{
	(void)backend;
	close(counter->fd);
	counter->fd = -1;
}

static uint64_t clock_ns(const struct rs_backend *backend)
{
	(void)backend;
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

static uint64_t clock_ticks(const struct rs_backend *backend)
{
	return backend->tick_clock();
}

static void no_mark(const struct rs_backend *backend, const char *label, bool is_end)
{
	(void)backend;
	(void)label;
	(void)is_end;
}

static void real_facts(const struct rs_backend *backend, struct rs_perf_facts *facts)
{
	rs_perf_facts_read(facts);
	rs_perf_facts_name_hypervisor(facts, backend->hypervisor);
}

static int no_script(const struct rs_backend *backend, const char *label)
{
	(void)backend;
	(void)label;
	return -ENODATA;
}

const struct rs_backend_ops rs_perf_ops = {
    .open = perf_open,
    .enable = perf_enable,
    .disable = perf_disable,
    .read = perf_read,
    .close = perf_close,
    .ns = clock_ns,
    .ticks = clock_ticks,
    .mark = no_mark,
    .facts = real_facts,
    .machine = rs_machine_of_cpu,
    .disturbance = no_script,
};

const struct rs_backend *rs_backend_perf(uint64_t (*ticks)(void),
					 const char *hypervisor)
{
	static struct rs_backend backend = {.ops = &rs_perf_ops};
	backend.tick_clock = ticks;
	rs_text_copy(backend.hypervisor, sizeof(backend.hypervisor), hypervisor);
	return &backend;
}
