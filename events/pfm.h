#ifndef EVENTS_PFM_H
#define EVENTS_PFM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "events/events.h"

/* What libpfm4 makes of an event name. */
struct rs_pfm_code {
	uint64_t config;
	uint64_t config1;
	uint64_t config2;
	uint32_t type; /* as libpfm4 sees it; for core PMUs the kernel's may differ */
	bool counts_user;
	bool counts_kernel;
	bool is_core;             /* of a core PMU, as opposed to generic or uncore */
	bool is_generic;          /* one of the kernel's own events ("perf::...") */
	bool is_present;          /* libpfm4 detected that PMU here */
	char pmu[64];             /* "skl" */
	char full[RS_EVENT_TEXT]; /* "skl::BR_MISP_RETIRED:RET" */
};

/*
 * Encodes "[pmu::]event[:attribute...]" for user mode unless attributes say more; the
 * tables of PMUs that are not here are searched only for an explicit pmu. Returns 0,
 * -ENOENT (no such event or PMU) or -EINVAL (bad attribute) with libpfm4's words in
 * *why.
 */
int rs_pfm_encode(const char *text, struct rs_pfm_code *out, const char **why);

/* Name of the i-th core PMU that libpfm4 has a table for; NULL after the last. */
const char *rs_pfm_core_pmu(size_t i, bool *is_present);

#endif
