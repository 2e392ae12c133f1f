#include "events/events.h"

#include <errno.h>
#include <stdlib.h>

#include "events/backend.h"
#include "events/explain.h"
#include "events/set.h"

#define NO_COUNTER SIZE_MAX

struct rs_group {
	const struct rs_backend *backend;
	const struct rs_event_list *list;
	struct rs_set set;
	size_t counter_of[RS_MAX_EVENTS]; /* index into set by event; or NO_COUNTER */
	const char *label;
	struct rs_samples before;
	struct rs_samples after;
	int before_code;
	uint64_t before_ns;
	uint64_t before_ticks;
	bool has_ticks;
};

static int explain(struct rs_err *err, const struct rs_event *event, unsigned int cpu,
		   const char *doing, int code, size_t n, uint32_t attr_bytes,
		   const struct rs_backend *backend)
{
	struct rs_perf_facts facts;
	backend->ops->facts(backend, &facts);
	const struct rs_failure failure = {
	    .event = event,
	    .cpu = cpu,
	    .errnum = -code,
	    .doing = doing,
	    .n_descriptors = n,
	    .kernel_attr_bytes = attr_bytes,
	};
	rs_explain(err->text, sizeof(err->text), &failure, &facts);
	return code;
}

static int open_counters(struct rs_group *group, unsigned int which, unsigned int cpu,
			 struct rs_err *err)
{
	const struct rs_event *events[RS_MAX_EVENTS];
	size_t n = 0;
	for (size_t i = 0; i < group->list->n_events; i++) {
		const struct rs_event *const event = &group->list->events[i];
		group->counter_of[i] = NO_COUNTER;
		if (rs_event_is_clock(event) || event->status != RS_STATUS_OK ||
		    event->group != which)
			continue;
		group->counter_of[i] = n;
		events[n++] = event;
	}
	if (n == 0)
		return 0;
	struct rs_set_failure failure;
	int ret = rs_set_open(&group->set, group->backend, events, n, &failure);
	if (ret)
		return explain(err, events[failure.index], cpu, "open", ret, n,
			       failure.kernel_attr_bytes, group->backend);
	ret = rs_set_enable(&group->set);
	if (ret)
		return explain(err, events[0], cpu, "enable", ret, n, 0,
			       group->backend);
	return 0;
}

int rs_group_open(struct rs_group **out, const struct rs_event_list *list,
		  unsigned int group_index, const struct rs_backend *backend,
		  unsigned int cpu, struct rs_err *err)
{
	*out = NULL;
	struct rs_group *const group = calloc(1, sizeof(*group));
	if (!group)
		return rs_err_set(err, -ENOMEM,
				  "not enough memory for a group of counters");
	group->backend = backend;
	group->list = list;
	group->has_ticks = backend->tick_clock || backend->replay;
	const int ret = open_counters(group, group_index, cpu, err);
	if (ret) {
		rs_group_close(group);
		return ret;
	}
	*out = group;
	return 0;
}

void rs_group_close(struct rs_group *group)
{
	if (!group)
		return;
	rs_set_close(&group->set);
	free(group);
}

void rs_group_begin(struct rs_group *group, const char *label)
{
	const struct rs_backend *const backend = group->backend;
	group->label = label;
	backend->ops->mark(backend, label, false);
	group->before_code =
	    group->set.n ? rs_set_read(&group->set, &group->before) : 0;
	group->before_ns = backend->ops->ns(backend);
	group->before_ticks = group->has_ticks ? backend->ops->ticks(backend) : 0;
}

static struct rs_reading clock_reading(uint64_t before, uint64_t after)
{
	return (struct rs_reading){
	    .value = after - before,
	    .status = after < before ? RS_STATUS_FAILED : RS_STATUS_OK,
	};
}

/* mark is an empty call on perf, and replay needs it before the clocks. */
void rs_group_end(struct rs_group *group, struct rs_reading *readings)
{
	const struct rs_backend *const backend = group->backend;
	backend->ops->mark(backend, group->label, true);
	const uint64_t ticks = group->has_ticks ? backend->ops->ticks(backend) : 0;
	const uint64_t ns = backend->ops->ns(backend);
	const int code = group->set.n ? rs_set_read(&group->set, &group->after) : 0;
	for (size_t i = 0; i < group->list->n_events; i++) {
		const struct rs_event *const event = &group->list->events[i];
		const size_t counter = group->counter_of[i];
		if (event->status != RS_STATUS_OK)
			readings[i] = (struct rs_reading){.status = event->status};
		else if (event->meaning == RS_MEANING_NS)
			readings[i] = clock_reading(group->before_ns, ns);
		else if (event->meaning == RS_MEANING_TICKS)
			readings[i] = clock_reading(group->before_ticks, ticks);
		else if (counter == NO_COUNTER)
			readings[i] =
			    (struct rs_reading){.status = RS_STATUS_NOT_COUNTED};
		else
			readings[i] =
			    rs_set_between(&group->set, counter, group->before_code,
					   &group->before, code, &group->after);
	}
}
