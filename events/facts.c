#include "events/facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "events/machine.h"
#include "events/pmu.h"
#include "src/base/file.h"
#include "src/base/text.h"

#define CAP_BIT_SYS_ADMIN 21 /* linux/capability.h */
#define CAP_BIT_PERFMON   38

bool rs_perf_facts_are_privileged(const struct rs_perf_facts *facts)
{
	const uint64_t enough =
	    UINT64_C(1) << CAP_BIT_SYS_ADMIN | UINT64_C(1) << CAP_BIT_PERFMON;
	return facts->knows_capabilities && (facts->capabilities & enough);
}

/* A small file with one number, which may be negative. */
static int number_in(const char *root, const char *path)
{
	char text[32];
	if (rs_file_read_text(text, sizeof(text), "%s/%s", root, path) <= 0)
		return RS_UNKNOWN;
	char *end = NULL;
	const long value = strtol(text, &end, 10);
	return *end || end == text ? RS_UNKNOWN : (int)value;
}

/* The text behind "NAME:\t" in /proc/self/status; NULL when there is none. */
static const char *status_field(const char *status, const char *name)
{
	const char *const found = strstr(status, name);
	if (!found)
		return NULL;
	const char *const value = found + strlen(name);
	return value + strspn(value, " \t");
}

static void read_status(struct rs_perf_facts *facts)
{
	char status[8192];
	if (rs_file_read_text(status, sizeof(status), "%s/self/status",
			      rs_roots_get()->proc) < 0)
		return;
	const char *const seccomp = status_field(status, "\nSeccomp:");
	if (seccomp)
		facts->seccomp = (int)strtol(seccomp, NULL, 10);
	const char *const caps = status_field(status, "\nCapEff:");
	if (caps) {
		facts->capabilities = strtoull(caps, NULL, 16);
		facts->knows_capabilities = true;
	}
}

/* The kernel marks the state in force: "none [integrity] confidentiality". */
static void read_lockdown(struct rs_perf_facts *facts)
{
	char text[128];
	if (rs_file_read_text(text, sizeof(text), "%s/kernel/security/lockdown",
			      rs_roots_get()->sys) <= 0)
		return;
	char *const start = strchr(text, '[');
	char *const end = start ? strchr(start, ']') : NULL;
	if (!end)
		return;
	*end = '\0';
	rs_text_copy(facts->lockdown, sizeof(facts->lockdown), start + 1);
}

struct word {
	const char *found; /* in a signature or a file */
	const char *name;
};

static const struct word hypervisors[] = {
    {"KVMKVMKVM", "KVM"},
    {"Microsoft Hv", "Hyper-V"},
    {"VMwareVMware", "VMware"},
    {"XenVMMXenVMM", "Xen"},
    {"VBoxVBoxVBox", "VirtualBox"},
    {"bhyve bhyve ", "bhyve"},
    {"TCGTCGTCGTCG", "QEMU TCG"},
    {"ACRNACRNACRN", "ACRN"},
    {" lrpepyh vr", "Parallels"},
    {"xen", "Xen"},
    {"Amazon EC2", "Amazon EC2"},
    {"Google", "Google Cloud"},
    {"QEMU", "QEMU"},
    {"KVM", "KVM"},
    {NULL, "unknown hypervisor"},
};

static const char *hypervisor_name(const char *text)
{
	const struct word *word = hypervisors;
	while (word->found && strncmp(text, word->found, strlen(word->found)) != 0)
		word++;
	return word->name;
}

static const char *const vendor_files[] = {
    "hypervisor/type",
    "class/dmi/id/product_name",
    "class/dmi/id/sys_vendor",
    "firmware/devicetree/base/hypervisor/compatible",
    NULL,
};

/* Whether the first "flags" line of /proc/cpuinfo has the bit that guests see. */
static bool has_guest_flag(void)
{
	char path[256];
	snprintf(path, sizeof(path), "%s/cpuinfo", rs_roots_get()->proc);
	char *text = NULL;
	size_t n_bytes = 0;
	if (rs_file_read_all(path, 16u << 20, &text, &n_bytes))
		return false;
	const bool found = strstr(text, " hypervisor") != NULL;
	free(text);
	return found;
}

static void read_hypervisor(struct rs_perf_facts *facts)
{
	const char *const unknown = hypervisor_name("");
	for (size_t i = 0; vendor_files[i]; i++) {
		char text[128];
		if (rs_file_read_text(text, sizeof(text), "%s/%s", rs_roots_get()->sys,
				      vendor_files[i]) <= 0)
			continue;
		const char *const name = hypervisor_name(text);
		if (name == unknown)
			continue;
		rs_text_copy(facts->hypervisor, sizeof(facts->hypervisor), name);
		return;
	}
	if (has_guest_flag())
		rs_text_copy(facts->hypervisor, sizeof(facts->hypervisor), unknown);
}

static void read_pmus(struct rs_perf_facts *facts)
{
	struct rs_pmu pmus[64];
	const int n = rs_pmu_list(pmus, sizeof(pmus) / sizeof(pmus[0]));
	for (int i = 0; i < n && i < 64; i++)
		facts->has_core_pmu |= pmus[i].is_core;
	rs_pmu_names(facts->pmus, sizeof(facts->pmus));
}

void rs_perf_facts_read(struct rs_perf_facts *facts)
{
	memset(facts, 0, sizeof(*facts));
	const struct rs_roots *const roots = rs_roots_get();
	facts->paranoid = number_in(roots->proc, "sys/kernel/perf_event_paranoid");
	facts->nmi_watchdog = number_in(roots->proc, "sys/kernel/nmi_watchdog");
	facts->selinux_enforcing = number_in(roots->sys, "fs/selinux/enforce");
	facts->seccomp = RS_UNKNOWN;
	read_status(facts);
	read_lockdown(facts);
	read_hypervisor(facts);
	read_pmus(facts);
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0)
		facts->soft_descriptors = limit.rlim_cur;
}

void rs_perf_facts_name_hypervisor(struct rs_perf_facts *facts, const char *signature)
{
	if (*signature)
		rs_text_copy(facts->hypervisor, sizeof(facts->hypervisor),
			     hypervisor_name(signature));
}
