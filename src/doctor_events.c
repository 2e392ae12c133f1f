#include "src/doctor_parts.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "events/events.h"
#include "src/base/text.h"
#include "src/counters.h"

#define VALUE_BYTES (3 * RS_EVENT_TEXT)

static void add_unknown(struct rs_checks *checks, const char *name, const char *reason)
{
	rs_checks_add(checks, &(struct rs_check){
				  .name = name,
				  .state = RS_CHECK_UNKNOWN,
				  .cause = reason,
			      });
}

static void add_pmu(struct rs_checks *checks, unsigned int cpu)
{
	struct rs_pmu pmu;
	const char *const known = rs_pfm_pmu();
	char value[VALUE_BYTES];
	const int ret = rs_pmu_of_cpu(cpu, &pmu);
	snprintf(value, sizeof(value), "%s; libpfm %s detects %s",
		 ret ? "none" : pmu.name, rs_pfm_version(), known ? known : "none");
	rs_checks_add(
	    checks,
	    &(struct rs_check){
		.name = "pmu",
		.state = ret ? RS_CHECK_BAD : RS_CHECK_GOOD,
		.value = value,
		.cause =
		    ret ? "the kernel shows no core PMU: ns and ticks remain" : NULL,
		.remedy =
		    ret ? "in a guest, ask for a virtual PMU; or use the host" : NULL,
	    });
}

static struct rs_check check_of_event(const struct rs_event *event,
				      char value[VALUE_BYTES])
{
	const bool is_ok = event->status == RS_STATUS_OK;
	if (is_ok)
		snprintf(value, VALUE_BYTES, "%s (%s)", event->chosen, event->source);
	else
		snprintf(value, VALUE_BYTES, "%s", rs_status_name(event->status));
	return (struct rs_check){
	    .name = event->name,
	    .state = !is_ok ? RS_CHECK_BAD : RS_CHECK_GOOD,
	    .value = value,
	    .cause = is_ok ? (event->note[0] ? event->note : NULL) : event->reason,
	};
}

/* Past what names an event in a sentence: 'QUOTED' words and (codes). */
static const char *skip_names(const char *at)
{
	while (*at == '\'' || *at == '(') {
		const char *const end = strchr(at + 1, *at == '(' ? ')' : '\'');
		if (!end)
			break;
		at = end + 1;
	}
	return at;
}

static bool is_same_reason(const char *a, const char *b)
{
	for (;;) {
		a = skip_names(a);
		b = skip_names(b);
		if (*a != *b)
			return false;
		if (*a == '\0')
			return true;
		a++;
		b++;
	}
}

/* An earlier event that fails for the same reason; NULL when there is none. */
static const struct rs_event *same_reason(const struct rs_event_list *list,
					  size_t index)
{
	const struct rs_event *const event = &list->events[index];
	for (size_t i = 0; event->status != RS_STATUS_OK && i < index; i++) {
		if (list->events[i].status == event->status &&
		    is_same_reason(list->events[i].reason, event->reason))
			return &list->events[i];
	}
	return NULL;
}

/* The events that `run` counts unless told otherwise get a line each. */
static bool is_default(const struct rs_event *event)
{
	const char *const list = rs_event_default_list();
	const size_t n = strlen(event->name);
	for (const char *at = strstr(list, event->name); at;
	     at = strstr(at + 1, event->name)) {
		const bool begins = at == list || at[-1] == ',';
		if (begins && (at[n] == ',' || !at[n]))
			return true;
	}
	return false;
}

static void add_event(struct rs_checks *checks, const struct rs_event_list *list,
		      size_t i)
{
	char value[VALUE_BYTES];
	struct rs_check check = check_of_event(&list->events[i], value);
	const struct rs_event *const earlier = same_reason(list, i);
	if (earlier) {
		rs_text_append(value, sizeof(value), ", as for %s", earlier->name);
		check.cause = NULL;
	}
	rs_checks_add(checks, &check);
}

static void add_finer_events(struct rs_checks *checks, const struct rs_event_list *list)
{
	char value[VALUE_BYTES];
	size_t n = 0;
	size_t n_ok = 0;
	for (size_t i = 0; i < list->n_events; i++) {
		const struct rs_event *const event = &list->events[i];
		if (strcmp(event->source, "clock") == 0 || is_default(event))
			continue;
		n++;
		n_ok += event->status == RS_STATUS_OK;
	}
	snprintf(value, sizeof(value), "%zu of %zu can be counted", n_ok, n);
	rs_checks_add(checks, &(struct rs_check){
				  .name = "finer-events",
				  .state = RS_CHECK_INFO,
				  .value = value,
				  .cause = "`retstack list events' tells each",
			      });
}

static void add_list(struct rs_checks *checks, const struct rs_event_list *list)
{
	for (size_t i = 0; i < list->n_events; i++) {
		if (is_default(&list->events[i]))
			add_event(checks, list, i);
	}
	add_finer_events(checks, list);
}

static int add_aliases(struct rs_checks *checks, unsigned int cpu, struct rs_err *err)
{
	struct rs_event_list *const list = calloc(1, sizeof(*list));
	if (!list)
		return rs_err_set(err, -ENOMEM, "no memory for the events");
	int ret = rs_counters_list_aliases(list, cpu, NULL, err);
	if (!ret)
		ret = rs_event_list_plan(list, rs_counters_of_host(), cpu, err);
	if (!ret)
		add_list(checks, list);
	free(list);
	return ret;
}

#define SELF_TEST_CALLS 1000

static void call_empty_loop(void *user)
{
	const struct rs_kernel *const kernel = user;
	for (int i = 0; i < SELF_TEST_CALLS; i++) {
		unsigned long kargs[RS_N_KARGS] = {[RS_KARG_CALLS] = 1};
		rs_kernel_call(kernel->entry[0], kargs);
	}
}

static struct rs_check check_of_count(uint64_t count, char value[VALUE_BYTES])
{
	const bool is_exact = count == SELF_TEST_CALLS;
	snprintf(value, VALUE_BYTES, "%llu of %d kernel calls counted",
		 (unsigned long long)count, SELF_TEST_CALLS);
	return (struct rs_check){
	    .name = "self-test",
	    .state = is_exact ? RS_CHECK_GOOD : RS_CHECK_BAD,
	    .value = value,
	    .cause = is_exact ? NULL : "a breakpoint event must count each call once",
	    .remedy = is_exact ? NULL
			       : "the hypervisor hides debug exceptions: do not use "
				 "mem:ADDR events here",
	};
}

/* A breakpoint event needs no PMU, so it proves the way from open to read anywhere. */
static void add_self_test(struct rs_checks *checks)
{
	const struct rs_isa *const isa = rs_isa_host();
	if (!isa->empty) {
		add_unknown(checks, "self-test",
			    isa->absent ? isa->absent : "no kernel to call");
		return;
	}
	struct rs_kernel kernel = *isa->empty;
	struct rs_err err = {""};
	uint64_t count = 0;
	if (rs_breakpoint_count(kernel.entry[0], call_empty_loop, &kernel, &count,
				&err)) {
		add_unknown(checks, "self-test", err.text);
		return;
	}
	char value[VALUE_BYTES];
	const struct rs_check check = check_of_count(count, value);
	rs_checks_add(checks, &check);
}

void rs_doctor_add_events(struct rs_checks *checks, unsigned int cpu)
{
	struct rs_err err = {""};
	add_pmu(checks, cpu);
	if (add_aliases(checks, cpu, &err))
		add_unknown(checks, "events", err.text);
	add_self_test(checks);
}
