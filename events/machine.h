#ifndef EVENTS_MACHINE_H
#define EVENTS_MACHINE_H

#include <stdbool.h>

#include "events/events.h"

/* Where the kernel's file trees are; tests put made-up trees there. */
struct rs_roots {
	const char *sys;  /* "/sys" */
	const char *proc; /* "/proc" */
};

const struct rs_roots *rs_roots_get(void);
/* Keeps the pointer; NULL restores the real trees. For tests only. */
void rs_roots_set(const struct rs_roots *roots);
/* false: what the hardware itself says (CPUID, libpfm4) is not to be mixed in. */
bool rs_roots_are_real(void);

/*
 * What the resolution of names depends on: the core PMU of one CPU and what that
 * core is.
 */
struct rs_machine {
	unsigned int cpu;
	struct rs_pmu pmu; /* its core PMU, when has_pmu */
	bool has_pmu;
	bool is_hybrid; /* cores of more than one kind: generic events need the type */
	char identity[RS_IDENTITY_BYTES]; /* see rs_cpu_identity */
	char pfm_pmu[64]; /* libpfm's name of the PMU, "" when libpfm does not know it
			   */
};

/*
 * Fills machine for cpu from the backend: the real machine, or what the replay file
 * states. table helps to tell hybrid PMUs apart.
 */
void rs_machine_read(struct rs_machine *machine, const struct rs_alias_table *table,
		     const struct rs_backend *backend, unsigned int cpu);

#endif
