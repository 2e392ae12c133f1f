#include "events/set.h"

#include <errno.h>
#include <sys/resource.h>

bool rs_event_is_clock(const struct rs_event *event)
{
	return event->meaning == RS_MEANING_NS || event->meaning == RS_MEANING_TICKS;
}

void rs_set_close(struct rs_set *set)
{
	while (set->n > 0)
		set->backend->ops->close(set->backend, &set->counters[--set->n]);
}

static int open_all(struct rs_set *set, const struct rs_event *const *events, size_t n,
		    struct rs_set_failure *failure)
{
	for (size_t i = 0; i < n; i++) {
		struct rs_open_how how = {
		    .event = events[i],
		    .leader_fd = i ? set->counters[0].fd : -1,
		    .exclude_hv = set->excludes_hv,
		};
		const int ret =
		    set->backend->ops->open(set->backend, &how, &set->counters[i]);
		if (ret) {
			failure->index = i;
			failure->kernel_attr_bytes = how.kernel_attr_bytes;
			rs_set_close(set);
			return ret;
		}
		set->n = i + 1;
	}
	return 0;
}

/* Raises the soft limit of open files to the hard one; whether that changed it. */
static bool raise_descriptor_limit(void)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= limit.rlim_max)
		return false;
	limit.rlim_cur = limit.rlim_max;
	return setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

static bool may_be_an_optional_bit(int ret)
{
	return ret == -EINVAL || ret == -EPERM || ret == -EOPNOTSUPP;
}

/*
 * exclude_hv is the only optional bit: some PMUs refuse it, and where there is no
 * hypervisor mode it means nothing. It goes for the whole group or not at all, since
 * members that count different modes cannot be compared. The first failure is the one
 * reported when dropping it does not help.
 */
int rs_set_open(struct rs_set *set, const struct rs_backend *backend,
		const struct rs_event *const *events, size_t n,
		struct rs_set_failure *failure)
{
	*set = (struct rs_set){.backend = backend, .excludes_hv = true};
	int ret = open_all(set, events, n, failure);
	if (ret == -EMFILE && !backend->replay && raise_descriptor_limit())
		ret = open_all(set, events, n, failure);
	if (!may_be_an_optional_bit(ret))
		return ret;
	struct rs_set_failure second;
	set->excludes_hv = false;
	return open_all(set, events, n, &second) ? ret : 0;
}

int rs_set_enable(const struct rs_set *set)
{
	return set->backend->ops->enable(set->backend, &set->counters[0]);
}

int rs_set_disable(const struct rs_set *set)
{
	return set->backend->ops->disable(set->backend, &set->counters[0]);
}

int rs_set_read(const struct rs_set *set, struct rs_samples *out)
{
	return set->backend->ops->read(set->backend, &set->counters[0], set->n, out);
}

static struct rs_reading reading_of(int code, const struct rs_samples *samples,
				    uint64_t id)
{
	for (size_t i = 0; code == 0 && i < samples->n; i++) {
		const struct rs_sample *const sample = &samples->samples[i];
		if (sample->id != id)
			continue;
		return (struct rs_reading){
		    .value = sample->value,
		    .time_enabled_ns = sample->time_enabled_ns,
		    .time_running_ns = sample->time_running_ns,
		};
	}
	return (struct rs_reading){.status = RS_STATUS_FAILED};
}

struct rs_reading rs_set_between(const struct rs_set *set, size_t i, int before_code,
				 const struct rs_samples *before, int after_code,
				 const struct rs_samples *after)
{
	const uint64_t id = set->counters[i].id;
	const struct rs_reading first = reading_of(before_code, before, id);
	const struct rs_reading last = reading_of(after_code, after, id);
	return rs_reading_between(&first, &last);
}

int rs_event_probe(const struct rs_event *event, const struct rs_backend *backend,
		   uint32_t *kernel_attr_bytes)
{
	struct rs_set set;
	struct rs_set_failure failure = {.index = 0};
	const int ret = rs_set_open(&set, backend, &event, 1, &failure);
	*kernel_attr_bytes = failure.kernel_attr_bytes;
	rs_set_close(&set);
	return ret;
}
