#ifndef EVENTS_FACTS_H
#define EVENTS_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#define RS_UNKNOWN INT32_MIN /* of the int facts below */

/* What decides whether counters may be opened here, looked up when one failed. */
struct rs_perf_facts {
	int paranoid;          /* kernel.perf_event_paranoid */
	int seccomp;           /* mode of this process: 0, 1, 2 */
	int nmi_watchdog;      /* 0, 1 */
	int selinux_enforcing; /* 0, 1 */
	bool knows_capabilities;
	uint64_t capabilities; /* effective set */
	char hypervisor[64];   /* "KVM", "unknown hypervisor"; "": none is visible */
	char lockdown[32];     /* "none", "integrity", "confidentiality"; "": unknown */
	bool has_core_pmu;
	char pmus[256];            /* names of the PMUs that the kernel shows */
	uint64_t soft_descriptors; /* limit of open files; 0: unknown */
};

/* Reads them from this machine. */
void rs_perf_facts_read(struct rs_perf_facts *facts);

/* Puts the name that belongs to a hypervisor's own signature; "" changes nothing. */
void rs_perf_facts_name_hypervisor(struct rs_perf_facts *facts, const char *signature);

/* Whether the effective capabilities hold CAP_PERFMON or CAP_SYS_ADMIN. */
bool rs_perf_facts_are_privileged(const struct rs_perf_facts *facts);

#endif
