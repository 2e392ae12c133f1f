#include "src/doctor_parts.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/text.h"
#include "src/hostfs.h"

/* Bits of CapEff (capabilities(7)); either of them lifts the paranoid level. */
static const struct {
	const char *name;
	unsigned int bit;
} capabilities[] = {
    {"sys_admin", 21},
    {"perfmon", 38},
};

#define LIFTING ((UINT64_C(1) << 21) | (UINT64_C(1) << 38))

static bool read_capabilities(const char *status, uint64_t *effective)
{
	char hex[32];
	char number[40];
	if (!rs_hostfs_field(status, "CapEff", hex, sizeof(hex)))
		return false;
	snprintf(number, sizeof(number), "0x%s", hex);
	return rs_text_u64(number, 0, UINT64_MAX, effective) == 0;
}

static void append_names(char *value, size_t size, uint64_t effective)
{
	const char *separator = ", with ";
	for (size_t i = 0; i < sizeof(capabilities) / sizeof(capabilities[0]); i++) {
		if (!(effective >> capabilities[i].bit & 1))
			continue;
		rs_text_append(value, size, "%s%s", separator, capabilities[i].name);
		separator = " ";
	}
}

/*
 * What the level means above 2 is a matter of the distribution's kernel, so that only
 * the event checks, which try, can call anything bad.
 */
static void add_permission(struct rs_checks *checks, const struct rs_host *host,
			   const char *status)
{
	const char *const level_text = rs_host_fact(host, "perf_event_paranoid");
	struct rs_check check = {.name = "permission", .state = RS_CHECK_GOOD};
	char value[256] = "";
	uint64_t effective = 0;
	const bool has_capabilities = read_capabilities(status, &effective);
	if (!level_text) {
		check.state = RS_CHECK_UNKNOWN;
		check.cause = "kernel.perf_event_paranoid cannot be read";
		rs_checks_add(checks, &check);
		return;
	}
	rs_text_append(value, sizeof(value), "perf_event_paranoid %s", level_text);
	if (has_capabilities)
		append_names(value, sizeof(value), effective);
	check.value = value;
	if (strtol(level_text, NULL, 10) > 2 && !(effective & LIFTING)) {
		check.state = RS_CHECK_WARN;
		check.cause = "above 2 some kernels refuse all counting";
		check.remedy =
		    "sysctl kernel.perf_event_paranoid=2, or grant CAP_PERFMON";
	}
	rs_checks_add(checks, &check);
}

static void add_seccomp(struct rs_checks *checks, const char *status)
{
	char mode[16];
	struct rs_check check = {.name = "seccomp", .state = RS_CHECK_GOOD};
	if (!rs_hostfs_field(status, "Seccomp", mode, sizeof(mode))) {
		check.state = RS_CHECK_UNKNOWN;
		check.cause = "/proc/self/status does not say";
	} else if (strcmp(mode, "0") == 0) {
		check.value = "none";
	} else {
		check.state = RS_CHECK_INFO;
		check.value = strcmp(mode, "2") == 0 ? "filter" : "strict";
		check.cause = "it may refuse perf_event_open or ptrace with EPERM";
		check.remedy = "allow them in the container's profile; no sysctl helps";
	}
	rs_checks_add(checks, &check);
}

void rs_doctor_add_rights(struct rs_checks *checks, const struct rs_host *host)
{
	char *const status = rs_hostfs_all("/proc/self/status");
	add_permission(checks, host, status ? status : "");
	add_seccomp(checks, status ? status : "");
	free(status);
}
