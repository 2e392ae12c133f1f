#include "events/replay.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/backend.h"
#include "src/base/file.h"
#include "src/base/text.h"

#define REPLAY_FILE_MAX (16u << 20)
#define PLAN_LABEL      "plan"
#define PLAN_TIME_NS    UINT64_C(1000)
#define FIRST_VALUE     (UINT64_C(1) << 62) /* room for scripted steps backwards */

static const char *host_fact(const struct rs_replay *replay, const char *name)
{
	for (size_t i = 0; i < replay->n_hosts; i++)
		if (strcmp(replay->hosts[i].name, name) == 0)
			return replay->hosts[i].value;
	return NULL;
}

/* Whether a file's event word means this event: its name or what was chosen for it. */
static bool names_event(const char *word, const char *name, const char *chosen)
{
	if (rs_text_glob(word, name))
		return true;
	const char *const scope = strstr(chosen, "::");
	return rs_text_glob(word, chosen) || (scope && rs_text_glob(word, scope + 2));
}

static const struct rs_replay_answer *answer_to(const struct rs_replay *replay,
						const char *name, const char *chosen)
{
	for (size_t i = 0; i < replay->n_answers; i++)
		if (names_event(replay->answers[i].event, name, chosen))
			return &replay->answers[i];
	return NULL;
}

/* Whether a counter is in a comma-separated list. */
static bool is_in(const char *list, const struct rs_replay_counter *counter)
{
	while (*list) {
		const size_t length = strcspn(list, ",");
		char word[RS_REPLAY_NAME];
		snprintf(word, sizeof(word), "%.*s", (int)length, list);
		if (names_event(word, counter->name, counter->chosen))
			return true;
		list += length + (list[length] == ',');
	}
	return false;
}

static bool is_member(const struct rs_replay_counter *counter, int leader)
{
	return counter->is_open && counter->leader == leader;
}

static bool all_in(const struct rs_replay *replay, int leader, const char *list)
{
	for (size_t i = 0; i < RS_REPLAY_COUNTERS; i++)
		if (is_member(&replay->counters[i], leader) &&
		    !is_in(list, &replay->counters[i]))
			return false;
	return true;
}

/* As the kernel does when a sibling is opened: could the whole group ever run? */
static bool group_fits(const struct rs_replay *replay, int leader)
{
	size_t n = 0;
	for (size_t i = 0; i < RS_REPLAY_COUNTERS; i++)
		n += is_member(&replay->counters[i], leader) &&
		     replay->counters[i].is_pmu;
	if (replay->counters_limit && n > replay->counters_limit)
		return false;
	if (replay->n_fits == 0 || n < 2)
		return true;
	for (size_t i = 0; i < replay->n_fits; i++)
		if (all_in(replay, leader, replay->fits[i]))
			return true;
	return false;
}

static int replay_open(const struct rs_backend *backend, struct rs_open_how *how,
		       struct rs_counter *out)
{
	struct rs_replay *const replay = backend->replay;
	const struct rs_event *const event = how->event;
	const struct rs_replay_answer *const answer =
	    answer_to(replay, event->name, event->chosen);
	if (answer && answer->refuses_hv && how->exclude_hv)
		return -EINVAL;
	if (answer && answer->open_code) {
		const char *const bytes = host_fact(replay, "perf_attr_bytes");
		how->kernel_attr_bytes = bytes ? (uint32_t)strtoul(bytes, NULL, 10) : 0;
		return answer->open_code;
	}
	int fd = 0;
	while (fd < RS_REPLAY_COUNTERS && replay->counters[fd].is_open)
		fd++;
	if (fd == RS_REPLAY_COUNTERS)
		return -EMFILE;
	struct rs_replay_counter *const counter = &replay->counters[fd];
	*counter = (struct rs_replay_counter){
	    .is_open = true,
	    .leader = how->leader_fd < 0 ? fd : how->leader_fd,
	    .id = ++replay->next_id,
	    .value = FIRST_VALUE,
	    .is_pmu = strcmp(event->source, "software") != 0 &&
		      strcmp(event->source, "breakpoint") != 0,
	};
	rs_text_copy(counter->name, sizeof(counter->name), event->name);
	rs_text_copy(counter->chosen, sizeof(counter->chosen), event->chosen);
	if (!group_fits(replay, counter->leader)) {
		counter->is_open = false;
		return -EINVAL;
	}
	*out = (struct rs_counter){.fd = fd, .id = counter->id};
	return 0;
}

static int replay_enable(const struct rs_backend *backend,
			 const struct rs_counter *leader)
{
	const struct rs_replay *const replay = backend->replay;
	for (size_t i = 0; i < RS_REPLAY_COUNTERS; i++) {
		const struct rs_replay_counter *const counter = &replay->counters[i];
		if (!is_member(counter, leader->fd))
			continue;
		const struct rs_replay_answer *const answer =
		    answer_to(replay, counter->name, counter->chosen);
		if (answer && answer->enable_code)
			return answer->enable_code;
	}
	return 0;
}

static int replay_disable(const struct rs_backend *backend,
			  const struct rs_counter *leader)
{
	(void)backend;
	(void)leader;
	return 0;
}

/* FNV-1a over the label, started from the script's number so that each has its own. */
static uint64_t cursor_key(size_t script, const char *label)
{
	uint64_t hash = UINT64_C(14695981039346656037) ^ script;
	hash *= UINT64_C(1099511628211);
	for (; *label; label++) {
		hash ^= (unsigned char)*label;
		hash *= UINT64_C(1099511628211);
	}
	return hash ? hash : 1;
}

/* The next value of a script for the current label. A full table starts over. */
static const struct rs_replay_value *next_value(struct rs_replay *replay,
						size_t script_index)
{
	const struct rs_replay_script *const script = &replay->scripts[script_index];
	const uint64_t key = cursor_key(script_index, replay->label);
	size_t slot = key % RS_REPLAY_CURSORS;
	for (size_t tries = 0; tries < RS_REPLAY_CURSORS; tries++) {
		struct rs_replay_cursor *const cursor = &replay->cursors[slot];
		if (cursor->key == 0 || cursor->key == key) {
			cursor->key = key;
			return &replay->values[script->first +
					       cursor->next++ % script->n];
		}
		slot = (slot + 1) % RS_REPLAY_CURSORS;
	}
	return &replay->values[script->first];
}

/* "*" means every workload, not the trials of the planner, which must be named. */
static bool is_for_label(const struct rs_replay_script *script, const char *label)
{
	if (strcmp(label, PLAN_LABEL) == 0)
		return strcmp(script->label, PLAN_LABEL) == 0;
	return rs_text_glob(script->label, label);
}

/* The next value for the current label and an event ("" for disturbances). */
static const struct rs_replay_value *scripted(struct rs_replay *replay,
					      const char *name, const char *chosen)
{
	for (size_t i = 0; i < replay->n_scripts; i++) {
		const struct rs_replay_script *const script = &replay->scripts[i];
		const bool same =
		    *script->event ? *name && names_event(script->event, name, chosen)
				   : !*name;
		if (same && is_for_label(script, replay->label))
			return next_value(replay, i);
	}
	return NULL;
}

/* Lets a counter run once over the timed code; false when nothing is scripted. */
static bool advance(struct rs_replay *replay, struct rs_replay_counter *counter,
		    int *code)
{
	static const struct rs_replay_value planned = {
	    .value = 1,
	    .enabled_ns = PLAN_TIME_NS,
	    .running_ns = PLAN_TIME_NS,
	};
	const struct rs_replay_value *value =
	    scripted(replay, counter->name, counter->chosen);
	if (!value && strcmp(replay->label, PLAN_LABEL) == 0)
		value = &planned;
	if (!value)
		return false;
	if (value->code)
		*code = value->code;
	counter->value += (uint64_t)value->value;
	counter->enabled_ns += value->enabled_ns;
	counter->running_ns += value->running_ns;
	return true;
}

static int replay_read(const struct rs_backend *backend,
		       const struct rs_counter *leader, size_t n,
		       struct rs_samples *out)
{
	struct rs_replay *const replay = backend->replay;
	int code = 0;
	out->n = 0;
	for (size_t i = 0; i < RS_REPLAY_COUNTERS && out->n < n; i++) {
		struct rs_replay_counter *const counter = &replay->counters[i];
		if (!is_member(counter, leader->fd))
			continue;
		if (replay->is_end && !advance(replay, counter, &code))
			continue;
		out->samples[out->n++] = (struct rs_sample){
		    .id = counter->id,
		    .value = counter->value,
		    .time_enabled_ns = counter->enabled_ns,
		    .time_running_ns = counter->running_ns,
		};
	}
	return code;
}

static void replay_close(const struct rs_backend *backend, struct rs_counter *counter)
{
	backend->replay->counters[counter->fd].is_open = false;
	counter->fd = -1;
}

/*
 * A clock that nothing is scripted for reads lower at the end than at the beginning,
 * which makes the reading a failed one.
 */
static uint64_t clock_now(struct rs_replay *replay, uint64_t *clock, const char *name)
{
	if (!replay->is_end)
		return ++*clock;
	const struct rs_replay_value *const value = scripted(replay, name, name);
	if (!value || value->code)
		return 0;
	*clock += (uint64_t)value->value;
	return *clock;
}

static uint64_t replay_ns(const struct rs_backend *backend)
{
	return clock_now(backend->replay, &backend->replay->ns, "ns");
}

static uint64_t replay_ticks(const struct rs_backend *backend)
{
	return clock_now(backend->replay, &backend->replay->ticks, "ticks");
}

static void replay_mark(const struct rs_backend *backend, const char *label,
			bool is_end)
{
	backend->replay->label = label;
	backend->replay->is_end = is_end;
}

static int fact_number(const struct rs_replay *replay, const char *name)
{
	const char *const value = host_fact(replay, name);
	return value ? (int)strtol(value, NULL, 10) : RS_UNKNOWN;
}

static void copy_fact(const struct rs_replay *replay, const char *name, char *out,
		      size_t size)
{
	const char *const value = host_fact(replay, name);
	rs_text_copy(out, size, value ? value : "");
}

static void replay_facts(const struct rs_backend *backend, struct rs_perf_facts *facts)
{
	const struct rs_replay *const replay = backend->replay;
	memset(facts, 0, sizeof(*facts));
	facts->paranoid = fact_number(replay, "perf_event_paranoid");
	facts->seccomp = fact_number(replay, "seccomp");
	facts->nmi_watchdog = fact_number(replay, "nmi_watchdog");
	facts->selinux_enforcing = fact_number(replay, "selinux_enforcing");
	const char *const capabilities = host_fact(replay, "capabilities");
	facts->knows_capabilities = capabilities != NULL;
	facts->capabilities = capabilities ? strtoull(capabilities, NULL, 16) : 0;
	copy_fact(replay, "hypervisor", facts->hypervisor, sizeof(facts->hypervisor));
	copy_fact(replay, "lockdown", facts->lockdown, sizeof(facts->lockdown));
	copy_fact(replay, "pmu", facts->pmus, sizeof(facts->pmus));
	facts->has_core_pmu = host_fact(replay, "pmu") != NULL;
	const char *const descriptors = host_fact(replay, "descriptors");
	facts->soft_descriptors = descriptors ? strtoull(descriptors, NULL, 10) : 0;
}

static void replay_machine(const struct rs_backend *backend, unsigned int cpu,
			   struct rs_machine *machine)
{
	const struct rs_replay *const replay = backend->replay;
	machine->cpu = cpu;
	machine->has_pmu = host_fact(replay, "pmu") != NULL;
	machine->is_hybrid = fact_number(replay, "pmu_is_hybrid") == 1;
	copy_fact(replay, "pmu", machine->pmu.name, sizeof(machine->pmu.name));
	machine->pmu.is_core = machine->has_pmu;
	const int type = fact_number(replay, "pmu_type");
	machine->pmu.type = type >= 0 ? (uint32_t)type : 4;
	copy_fact(replay, "pfm_pmu", machine->pfm_pmu, sizeof(machine->pfm_pmu));
	const char *const identity = host_fact(replay, "cpu_identity");
	snprintf(machine->identity, sizeof(machine->identity), "%.90s/%s",
		 identity ? identity : "", machine->pmu.name);
}

static int replay_disturbance(const struct rs_backend *backend, const char *label)
{
	struct rs_replay *const replay = backend->replay;
	const char *const before = replay->label;
	replay->label = label;
	const struct rs_replay_value *const value = scripted(replay, "", "");
	replay->label = before;
	return value ? (int)value->value : RS_DISTURBANCE_NONE;
}

static const struct rs_backend_ops replay_ops = {
    .open = replay_open,
    .enable = replay_enable,
    .disable = replay_disable,
    .read = replay_read,
    .close = replay_close,
    .ns = replay_ns,
    .ticks = replay_ticks,
    .mark = replay_mark,
    .facts = replay_facts,
    .machine = replay_machine,
    .disturbance = replay_disturbance,
};

struct rs_backend *rs_backend_of_replay(struct rs_replay *replay)
{
	struct rs_backend *const backend = calloc(1, sizeof(*backend));
	if (!backend)
		return NULL;
	replay->label = "";
	*backend = (struct rs_backend){.ops = &replay_ops, .replay = replay};
	return backend;
}

int rs_backend_replay(const char *path, struct rs_backend **out, struct rs_err *err)
{
	*out = NULL;
	char *text = NULL;
	size_t n_bytes = 0;
	int ret = rs_file_read_all(path, REPLAY_FILE_MAX, &text, &n_bytes);
	if (ret)
		return rs_err_set(err, ret, "cannot read replay file %s: %s", path,
				  strerror(-ret));
	struct rs_replay *replay = NULL;
	ret = rs_replay_parse(path, text, n_bytes, &replay, err);
	free(text);
	if (ret)
		return ret;
	*out = rs_backend_of_replay(replay);
	if (*out)
		return 0;
	rs_replay_free(replay);
	return rs_err_set(err, -ENOMEM, "%s: not enough memory", path);
}

void rs_backend_free(struct rs_backend *backend)
{
	if (!backend)
		return;
	rs_replay_free(backend->replay);
	free(backend);
}

const char *rs_backend_host_fact(const struct rs_backend *backend, const char *name)
{
	return backend->replay ? host_fact(backend->replay, name) : NULL;
}

bool rs_backend_is_replay(const struct rs_backend *backend)
{
	return backend->replay != NULL;
}
