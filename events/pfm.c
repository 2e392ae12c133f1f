#include "events/pfm.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perfmon/pfmlib_perf_event.h>

#include "src/base/text.h"

/*
 * libpfm4 reads its environment once, in pfm_initialize. Tables of other PMUs are
 * wanted always (an event of another CPU is then "not supported here" rather than
 * unknown, and replays resolve alike everywhere), and the variable must not reach
 * child programs.
 */
static bool pfm_is_ready(void)
{
	static int state = -1;
	if (state >= 0)
		return state;
	const char *const name = "LIBPFM_ENCODE_INACTIVE";
	const bool was_set = getenv(name) != NULL;
	if (!was_set)
		setenv(name, "1", 0);
	state = pfm_initialize() == PFM_SUCCESS;
	if (!was_set)
		unsetenv(name);
	return state;
}

static bool pmu_info(int id, pfm_pmu_info_t *info)
{
	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	return pfm_get_pmu_info((pfm_pmu_t)id, info) == PFM_SUCCESS;
}

/*
 * libpfm4 spells every modifier out behind the event ("...:RET:e=0:i=0:u=1"); what
 * comes before the first of them names the event.
 */
static void cut_modifiers(char *text)
{
	char *const equals = strchr(text, '=');
	if (!equals)
		return;
	*equals = '\0';
	char *const colon = strrchr(text, ':');
	if (colon)
		*colon = '\0';
}

static void describe(struct rs_pfm_code *out, const char *text, char *full, int idx)
{
	pfm_event_info_t event = {.size = sizeof(event)};
	pfm_pmu_info_t pmu;
	if (pfm_get_event_info(idx, PFM_OS_PERF_EVENT, &event) == PFM_SUCCESS &&
	    pmu_info((int)event.pmu, &pmu)) {
		rs_text_copy(out->pmu, sizeof(out->pmu), pmu.name);
		out->is_core = pmu.type == PFM_PMU_TYPE_CORE;
		out->is_generic = pmu.type == PFM_PMU_TYPE_OS_GENERIC;
		out->is_present = pmu.is_present;
	}
	if (full && !strchr(text, '='))
		cut_modifiers(full);
	rs_text_copy(out->full, sizeof(out->full),
		     full && !strchr(text, '=') ? full : text);
}

int rs_pfm_encode(const char *text, struct rs_pfm_code *out, const char **why)
{
	memset(out, 0, sizeof(*out));
	*why = "libpfm4 did not initialise";
	if (!pfm_is_ready())
		return -ENOENT;
	struct perf_event_attr attr;
	memset(&attr, 0, sizeof(attr));
	char *full = NULL;
	pfm_perf_encode_arg_t arg = {
	    .attr = &attr,
	    .fstr = &full,
	    .size = sizeof(arg),
	};
	const int code =
	    pfm_get_os_event_encoding(text, PFM_PLM3, PFM_OS_PERF_EVENT, &arg);
	if (code != PFM_SUCCESS) {
		*why = pfm_strerror(code);
		return code == PFM_ERR_NOTFOUND ? -ENOENT : -EINVAL;
	}
	out->type = attr.type;
	out->config = attr.config;
	out->config1 = attr.config1;
	out->config2 = attr.config2;
	out->counts_user = !attr.exclude_user;
	out->counts_kernel = !attr.exclude_kernel;
	describe(out, text, full, arg.idx);
	free(full);
	return 0;
}

const char *rs_pfm_core_pmu(size_t i, bool *is_present)
{
	if (!pfm_is_ready())
		return NULL;
	pfm_pmu_info_t info;
	for (int id = PFM_PMU_NONE; id < PFM_PMU_MAX; id++) {
		if (!pmu_info(id, &info) || info.type != PFM_PMU_TYPE_CORE)
			continue;
		if (i-- > 0)
			continue;
		*is_present = info.is_present;
		return info.name;
	}
	return NULL;
}

const char *rs_pfm_version(void)
{
	static char text[16];
	const int version = pfm_get_version();
	snprintf(text, sizeof(text), "%d.%d", PFM_MAJ_VERSION(version),
		 PFM_MIN_VERSION(version));
	return text;
}

const char *rs_pfm_pmu(void)
{
	const char *generic = NULL;
	bool is_present;
	const char *name;
	for (size_t i = 0; (name = rs_pfm_core_pmu(i, &is_present)); i++) {
		if (!is_present)
			continue;
		if (strcmp(name, "ix86arch") != 0)
			return name;
		generic = name;
	}
	return generic;
}
