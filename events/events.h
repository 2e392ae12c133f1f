#ifndef EVENTS_EVENTS_H
#define EVENTS_EVENTS_H

/*
 * Door of events/: names -> counters -> readings. Includes nothing of ours but
 * src/base.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/err.h"
#include "src/base/reading.h"

#define RS_EVENT_TEXT 128
#define RS_MAX_EVENTS 64 /* of one run, the two clocks included */

/* What an event's name says it should count in known code; for plausibility. */
enum rs_meaning {
	RS_MEANING_OTHER,
	RS_MEANING_NS,
	RS_MEANING_TICKS,
	RS_MEANING_CYCLES,
	RS_MEANING_INSTRUCTIONS,
	RS_MEANING_BRANCHES,
	RS_MEANING_BRANCH_MISSES,
	RS_MEANING_RETURNS,
	RS_MEANING_RETURN_MISSES,
};

/*
 * One event, resolved. name is what the user said (an alias, or any other form);
 * chosen is the event that it became on this PMU. Where it cannot be counted, status
 * is not ok and reason is one sentence with the cause that was checked and the remedy.
 */
struct rs_event {
	char name[RS_EVENT_TEXT];
	char chosen[RS_EVENT_TEXT];
	char source[RS_EVENT_TEXT]; /* PMU name, "software", "breakpoint", "clock" */
	char note[RS_EVENT_TEXT]; /* what the chosen event counts that the name does not
				     say; may be "" */
	enum rs_meaning meaning;
	uint32_t type; /* perf_event_attr.type; meaningless for clocks */
	uint64_t config;
	uint64_t config1;
	uint64_t config2;
	uint64_t breakpoint_address; /* for breakpoints */
	uint32_t breakpoint_kind;    /* bits of HW_BREAKPOINT_* */
	uint32_t breakpoint_bytes;
	bool has_config;     /* false for clocks: there is no raw code */
	bool is_kernel_too;  /* counts kernel mode as well (":uk", ":k"); default is
				user only */
	bool is_kernel_only; /* ":k": kernel mode and nothing else */
	enum rs_status status;
	char reason[512];
	unsigned int
	    group; /* set by rs_event_list_plan: which repetition measures it */
};

/* The events of a run, in the user's order after the two clocks. */
struct rs_event_list {
	struct rs_event events[RS_MAX_EVENTS];
	size_t n_events;
	unsigned int n_groups; /* at least 1: the clocks are in every group */
};

/* Where counters come from. Opaque; see rs_backend_perf and rs_backend_replay. */
struct rs_backend;

/*
 * The kernel's perf_event_open. ticks reads the tick clock, NULL if there is none.
 * hypervisor is the signature of the one this runs under ("KVMKVMKVM"), for
 * explanations;
 * "" where none is known. One per process.
 */
const struct rs_backend *rs_backend_perf(uint64_t (*ticks)(void),
					 const char *hypervisor);

/*
 * Plays readings and errnos from a text file (docs/replay.md has the format).
 * Returns 0 or a negative errno with file and line in err. Free with rs_backend_free.
 */
int rs_backend_replay(const char *path, struct rs_backend **out, struct rs_err *err);
void rs_backend_free(struct rs_backend *backend);
/* A host fact that the replay file states ("host NAME VALUE"); NULL if it does not. */
const char *rs_backend_host_fact(const struct rs_backend *backend, const char *name);
bool rs_backend_is_replay(const struct rs_backend *backend);

#define RS_IDENTITY_BYTES 160

/*
 * What a CPU is, and the kernel's PMU of it: "GenuineIntel-6-97/cpu_core" (decimal
 * family, hexadecimal model), "arm-41-d0c/armv8_pmuv3_0", "POWER9/cpu",
 * "riscv-0x0-0x1/". Each side of the slash is empty where it is not known.
 */
void rs_cpu_identity(const struct rs_backend *backend, unsigned int cpu,
		     char out[RS_IDENTITY_BYTES]);

/*
 * Loads the alias tables: those built in, then every *.ini of DATA_DIR/alias when
 * data_dir is not NULL (its rows come first). Returns 0 or a negative errno with file
 * and line in err.
 */
struct rs_alias_table;
int rs_alias_table_load(const char *data_dir, struct rs_alias_table **out,
			struct rs_err *err);
void rs_alias_table_free(struct rs_alias_table *table);

/*
 * Resolves a comma-separated list (commas inside slashes and braces do not split)
 * for the PMUs of cpu and appends to list. An event that does not exist under any
 * form is -EINVAL with a sentence; one that exists but cannot be counted here is a
 * row with a status. The two clocks, "ns" and "ticks", are put first if the list is
 * empty.
 */
int rs_event_list_add(struct rs_event_list *list, const char *text,
		      const struct rs_alias_table *aliases,
		      const struct rs_backend *backend, unsigned int cpu,
		      struct rs_err *err);

/* The list that `run` counts when -e is not given. */
const char *rs_event_default_list(void);

/*
 * Tries every event on cpu, sets status and reason, and splits those that open into
 * groups that fit the PMU together: list->n_groups and each event's group.
 */
int rs_event_list_plan(struct rs_event_list *list, const struct rs_backend *backend,
		       unsigned int cpu, struct rs_err *err);

/* The open counters of one group, for the calling thread. Opaque. */
struct rs_group;

/*
 * Opens and enables the events of list that belong to group (the clocks always do).
 * The list must outlive the group. Returns 0 or a negative errno. rs_group_close
 * accepts NULL.
 */
int rs_group_open(struct rs_group **out, const struct rs_event_list *list,
		  unsigned int group, const struct rs_backend *backend,
		  unsigned int cpu, struct rs_err *err);
void rs_group_close(struct rs_group *group);

/*
 * Read all counters before and after the timed code, the clocks innermost. end writes
 * one reading per event of the list, in its order: what was counted in between, and
 * for an event of another group a reading with status not-counted. Neither allocates.
 * label is "WORKLOAD/VARIANT/DEPTH/PLACEMENT" and only replay looks at it.
 */
void rs_group_begin(struct rs_group *group, const char *label);
void rs_group_end(struct rs_group *group, struct rs_reading *readings);

/*
 * The software events whose firing spoils a repetition.
 */
enum rs_disturbance {
	RS_DISTURBANCE_NONE,
	RS_DISTURBANCE_CONTEXT_SWITCH,
	RS_DISTURBANCE_MIGRATION,
	RS_DISTURBANCE_PAGE_FAULT,
	RS_DISTURBANCE_NO_SWITCH, /* fewer context switches than were to be */
	RS_N_DISTURBANCE
};

/* "context-switch", "cpu-migration", "page-fault", "no-switch"; "" for none. */
const char *rs_disturbance_name(enum rs_disturbance disturbance);

struct rs_watch; /* opaque */
int rs_watch_open(struct rs_watch **out, const struct rs_backend *backend,
		  struct rs_err *err);
void rs_watch_close(struct rs_watch *watch);
/* "perf software events" or "getrusage and getcpu", where perf is not permitted. */
const char *rs_watch_source(const struct rs_watch *watch);
void rs_watch_begin(struct rs_watch *watch, const char *label);
/*
 * n_switches: how many context switches of this thread belong to what was timed. Where
 * some do, more of them are no disturbance: whose they were is not known.
 */
enum rs_disturbance rs_watch_end(struct rs_watch *watch, uint64_t n_switches);

/* A PMU that the kernel shows in /sys/bus/event_source/devices. */
struct rs_pmu {
	char name[64];
	uint32_t type;
	char cpus[256]; /* the kernel's list; "" if the PMU is not bound to CPUs */
	bool is_core;   /* counts what a CPU core executes */
};

/* Writes up to max rows; returns how many there are, or a negative errno. */
int rs_pmu_list(struct rs_pmu *pmus, size_t max);

/* The core PMU of one CPU; -ENOENT where the kernel shows none. */
int rs_pmu_of_cpu(unsigned int cpu, struct rs_pmu *out);

/*
 * Every alias, as resolved and tried on cpu, for `list events` and `doctor`. Appends
 * to list like rs_event_list_add.
 */
int rs_event_list_add_all_aliases(struct rs_event_list *list,
				  const struct rs_alias_table *aliases,
				  const struct rs_backend *backend, unsigned int cpu,
				  struct rs_err *err);

/*
 * What libpfm4 knows: its version as text, and the name of the core PMU that it
 * detected ("amd64_fam19h_zen4"), or NULL.
 */
const char *rs_pfm_version(void);
const char *rs_pfm_pmu(void);

/*
 * Counts executions of the instruction at address with a breakpoint event while
 * run(user) runs. Returns 0 and *count, or a negative errno with the reason in err.
 */
int rs_breakpoint_count(const void *address, void (*run)(void *user), void *user,
			uint64_t *count, struct rs_err *err);

#endif
