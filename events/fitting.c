#include "events/events.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "events/backend.h"
#include "events/explain.h"
#include "events/set.h"
#include "src/base/text.h"

/*
 * Long enough to be scheduled on the PMU and to be seen in the times (about 10 us), and
 * no longer, since there may be a trial for every event and group.
 */
#define TRIAL_ROUNDS 20000

static void be_busy(void)
{
	for (volatile unsigned int i = 0; i < TRIAL_ROUNDS; i++)
		continue;
}

/* What came of opening some events together and running them for a moment. */
struct trial {
	int code;              /* of open, enable or read */
	const char *doing;     /* which of them failed */
	enum rs_status status; /* the worst of the readings, when code is 0 */
	uint64_t first;        /* what the first event counted, when status is ok */
	bool excludes_hv;
	struct rs_set_failure failure;
};

static void run_trial(struct trial *trial, const struct rs_set *set)
{
	struct rs_samples before;
	struct rs_samples after;
	trial->doing = "enable";
	trial->code = rs_set_enable(set);
	if (trial->code)
		return;
	trial->doing = "read";
	set->backend->ops->mark(set->backend, "plan", false);
	trial->code = rs_set_read(set, &before);
	if (trial->code)
		return;
	be_busy();
	set->backend->ops->mark(set->backend, "plan", true);
	trial->code = rs_set_read(set, &after);
	if (trial->code)
		return;
	rs_set_disable(set);
	for (size_t i = 0; i < set->n && trial->status == RS_STATUS_OK; i++)
		trial->status = rs_set_between(set, i, 0, &before, 0, &after).status;
	trial->first = rs_set_between(set, 0, 0, &before, 0, &after).value;
}

static struct trial try_set(const struct rs_backend *backend,
			    const struct rs_event *const *events, size_t n)
{
	struct trial trial = {.doing = "open"};
	struct rs_set set;
	trial.code = rs_set_open(&set, backend, events, n, &trial.failure);
	trial.excludes_hv = set.excludes_hv;
	if (trial.code == 0)
		run_trial(&trial, &set);
	rs_set_close(&set);
	return trial;
}

static bool is_good(const struct trial *trial)
{
	return trial->code == 0 && trial->status == RS_STATUS_OK;
}

static void explain_trial(struct rs_event *event, const struct trial *trial,
			  const struct rs_backend *backend, unsigned int cpu)
{
	struct rs_perf_facts facts;
	backend->ops->facts(backend, &facts);
	const struct rs_failure failure = {
	    .event = event,
	    .cpu = cpu,
	    .errnum = -trial->code,
	    .doing = trial->doing,
	    .n_descriptors = 1,
	    .kernel_attr_bytes = trial->failure.kernel_attr_bytes,
	};
	char reason[sizeof(event->reason)];
	enum rs_status status = trial->status;
	if (trial->code)
		status = rs_explain(reason, sizeof(reason), &failure, &facts);
	else if (status == RS_STATUS_NOT_COUNTED)
		rs_explain_not_counted(reason, sizeof(reason), event, cpu, &facts);
	else
		rs_explain_reading(reason, sizeof(reason), event, cpu, status);
	event->status = status;
	rs_text_copy(event->reason, sizeof(event->reason), reason);
}

/*
 * Emulated PMUs open events that they do not count, and read 0: QEMU's POWER9 knows
 * cycles and instructions only. The kernel's generic event says whether branches, of
 * which a trial has one a round, are counted. Cannot be opened: that is not known.
 */
static bool is_blind_to_branches(const struct rs_backend *backend)
{
	const struct rs_event branches = {
	    .name = "branch-instructions",
	    .chosen = "perf::PERF_COUNT_HW_BRANCH_INSTRUCTIONS",
	    .type = 0,   /* PERF_TYPE_HARDWARE */
	    .config = 4, /* PERF_COUNT_HW_BRANCH_INSTRUCTIONS */
	    .has_config = true,
	};
	const struct rs_event *const one = &branches;
	const struct trial trial = try_set(backend, &one, 1);
	return is_good(&trial) && trial.first == 0;
}

static bool needs_pmu(const struct rs_event *event)
{
	return strcmp(event->source, "software") != 0 &&
	       strcmp(event->source, "breakpoint") != 0;
}

static void distrust_zero(struct rs_event *event, const struct rs_backend *backend)
{
	if (!needs_pmu(event) || !is_blind_to_branches(backend))
		return;
	event->status = RS_STATUS_UNTRUSTED;
	snprintf(event->reason, sizeof(event->reason),
		 "event '%s' opens and reads 0, but so does the count of branches over "
		 "a loop of %d: this PMU does not count such events",
		 event->name, TRIAL_ROUNDS);
}

/* Tries one event alone; sets its status and reason. Returns whether it runs only when
 * hypervisor mode is not excluded. */
static bool try_alone(struct rs_event *event, const struct rs_backend *backend,
		      unsigned int cpu)
{
	const struct rs_event *const one = event;
	const struct trial trial = try_set(backend, &one, 1);
	if (is_good(&trial)) {
		if (event->breakpoint_bytes && backend->ops == &rs_perf_ops)
			rs_breakpoint_distrust(event);
		else if (trial.first == 0)
			distrust_zero(event, backend);
		return !trial.excludes_hv;
	}
	explain_trial(event, &trial, backend, cpu);
	return false;
}

/* The events of group that are listed before end, then extra. */
static size_t members(const struct rs_event **out, const struct rs_event_list *list,
		      size_t end, unsigned int group, const struct rs_event *extra)
{
	size_t n = 0;
	for (size_t i = 0; i < end; i++) {
		const struct rs_event *const event = &list->events[i];
		if (!rs_event_is_clock(event) && event->status == RS_STATUS_OK &&
		    event->group == group)
			out[n++] = event;
	}
	if (extra)
		out[n++] = extra;
	return n;
}

static bool fits(const struct rs_event_list *list, size_t end, unsigned int group,
		 const struct rs_event *extra, const struct rs_backend *backend)
{
	const struct rs_event *events[RS_MAX_EVENTS];
	const size_t n = members(events, list, end, group, extra);
	if (n == 0)
		return true;
	const struct trial trial = try_set(backend, events, n);
	return is_good(&trial);
}

/*
 * First fit, in the user's order: the common case of a set that fits as a whole is one
 * trial, otherwise each event joins the first group that still runs with it.
 */
static void split(struct rs_event_list *list, const struct rs_backend *backend)
{
	list->n_groups = 1;
	if (fits(list, list->n_events, 0, NULL, backend))
		return;
	for (size_t i = 0; i < list->n_events; i++) {
		struct rs_event *const event = &list->events[i];
		if (rs_event_is_clock(event) || event->status != RS_STATUS_OK)
			continue;
		unsigned int group = 0;
		while (group < list->n_groups && !fits(list, i, group, event, backend))
			group++;
		event->group = group;
		if (group == list->n_groups)
			list->n_groups++;
	}
}

#define HV_NOTE "hypervisor mode is not excluded"

/* One member that refuses the bit takes it from its whole group, so all say so. */
static void note_hv(struct rs_event_list *list, const bool *refuses_hv)
{
	for (size_t i = 0; i < list->n_events; i++) {
		struct rs_event *const event = &list->events[i];
		bool is_counted = false;
		for (size_t j = 0; j < list->n_events; j++)
			is_counted |=
			    refuses_hv[j] && list->events[j].group == event->group;
		if (is_counted && !rs_event_is_clock(event) &&
		    event->status == RS_STATUS_OK && !strstr(event->note, HV_NOTE))
			rs_text_append(event->note, sizeof(event->note), "%s" HV_NOTE,
				       *event->note ? "; " : "");
	}
}

int rs_event_list_plan(struct rs_event_list *list, const struct rs_backend *backend,
		       unsigned int cpu, struct rs_err *err)
{
	if (list->n_events == 0)
		return rs_err_set(err, -EINVAL, "there is no event to plan for");
	bool refuses_hv[RS_MAX_EVENTS] = {false};
	for (size_t i = 0; i < list->n_events; i++) {
		struct rs_event *const event = &list->events[i];
		event->group = 0;
		if (!rs_event_is_clock(event) && event->status == RS_STATUS_OK)
			refuses_hv[i] = try_alone(event, backend, cpu);
	}
	split(list, backend);
	note_hv(list, refuses_hv);
	return 0;
}
