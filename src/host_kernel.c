#include "src/host_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "src/base/text.h"
#include "src/hostfs.h"

#define VULNERABILITIES "/sys/devices/system/cpu/vulnerabilities/"

/* PR_GET_SHADOW_STACK_STATUS of Linux 6.13, which older headers lack. */
#define GET_SHADOW_STACK_STATUS 74

static const char no_such_file[] = "this kernel does not know of it";

/* Those whose mitigation touches a branch, return or call predictor. */
static const struct rs_file_fact files[] = {
    RS_FILE_FACT("mitigation_spectre_v2", VULNERABILITIES "spectre_v2", false,
		 no_such_file),
    RS_FILE_FACT("mitigation_retbleed", VULNERABILITIES "retbleed", false,
		 no_such_file),
    RS_FILE_FACT("mitigation_spec_rstack_overflow",
		 VULNERABILITIES "spec_rstack_overflow", false, no_such_file),
    RS_FILE_FACT("mitigation_indirect_target_selection",
		 VULNERABILITIES "indirect_target_selection", false, no_such_file),
    RS_FILE_FACT("mitigation_vmscape", VULNERABILITIES "vmscape", false, no_such_file),
    RS_FILE_FACT("perf_event_paranoid", "/proc/sys/kernel/perf_event_paranoid", false,
		 "this kernel has no perf events, or /proc/sys is hidden"),
    RS_FILE_FACT("nmi_watchdog", "/proc/sys/kernel/nmi_watchdog", false,
		 "this kernel has no such watchdog"),
    RS_FILE_FACT("isolated_cpus", "/sys/devices/system/cpu/isolated", false, NULL),
    RS_END_OF_FILE_FACTS,
};

static void add_os(struct rs_facts *facts)
{
	char *text = rs_hostfs_all("/etc/os-release");
	if (!text)
		text = rs_hostfs_all("/usr/lib/os-release");
	const char *value = NULL;
	for (char *line = text; line && *line;) {
		char *const end = strchr(line, '\n');
		if (end)
			*end = '\0';
		if (strncmp(line, "PRETTY_NAME=", 12) == 0)
			value = line + 12;
		line = end ? end + 1 : NULL;
	}
	char name[256] = "";
	if (value) {
		rs_text_copy(name, sizeof(name), value + strspn(value, "\"'"));
		name[strcspn(name, "\"'")] = '\0';
	}
	rs_facts_add(facts, "os", name[0] ? name : NULL,
		     name[0] ? NULL : "no os-release file names it");
	free(text);
}

static void add_kernel(struct rs_facts *facts)
{
	struct utsname name;
	if (uname(&name)) {
		rs_facts_add(facts, "hostname", NULL, "uname(2) failed");
		rs_facts_add(facts, "kernel_release", NULL, "uname(2) failed");
		rs_facts_add(facts, "kernel_version", NULL, "uname(2) failed");
		return;
	}
	rs_facts_add(facts, "hostname", name.nodename, NULL);
	rs_facts_add(facts, "kernel_release", name.release, NULL);
	rs_facts_add(facts, "kernel_version", name.version, NULL);
}

/*
 * What the kernel does to the link stack between tasks: POWER reports a "link stack
 * flush", x86 a stuffing of the return buffer.
 */
static void add_link_stack_flush(struct rs_facts *facts)
{
	static const char *const words[] = {
	    "Hardware link stack flush",
	    "Software link stack flush",
	    "link stack flush",
	    "RSB filling",
	};
	const char *const text = rs_facts_value(facts, "mitigation_spectre_v2");
	const char *value = text ? "none" : NULL;
	for (size_t i = 0; text && i < sizeof(words) / sizeof(words[0]); i++) {
		if (strstr(text, words[i])) {
			value = words[i];
			break;
		}
	}
	rs_facts_add(facts, "link_stack_flush", value,
		     value ? "at switches between tasks or guests, not inside one"
			   : "this kernel does not report spectre_v2");
}

/*
 * x86 lists a thread's features in /proc; arm64 and riscv answer a prctl. Where neither
 * exists the kernel cannot have switched one on.
 */
static void add_shadow_stack(struct rs_facts *facts)
{
	char *const status = rs_hostfs_all("/proc/self/status");
	if (!status) {
		rs_facts_add(facts, "shadow_stack", NULL,
			     "/proc/self/status cannot be read");
		return;
	}
	char features[256];
	unsigned long enabled = 0;
	bool is_on = false;
	if (rs_hostfs_field(status, "x86_Thread_features", features, sizeof(features)))
		is_on = rs_hostfs_has_word(features, "shstk", " ");
	else if (prctl(GET_SHADOW_STACK_STATUS, &enabled, 0, 0, 0) == 0)
		is_on = enabled & 1;
	rs_facts_add(facts, "shadow_stack", is_on ? "on" : "off", NULL);
	free(status);
}

static void add_aslr(struct rs_facts *facts)
{
	static const char *const levels[] = {"off", "without heap", "full"};
	char text[16];
	uint64_t level = 0;
	const int persona = personality(0xffffffff);
	if (persona != -1 && (persona & ADDR_NO_RANDOMIZE)) {
		rs_facts_add(facts, "aslr", "off",
			     "by the personality of this process");
		return;
	}
	if (rs_hostfs_text(text, sizeof(text), "/proc/sys/kernel/randomize_va_space") >
		0 &&
	    rs_text_u64(text, 0, 2, &level) == 0)
		rs_facts_add(facts, "aslr", levels[level], NULL);
	else
		rs_facts_add(facts, "aslr", NULL, "randomize_va_space cannot be read");
}

/* A tracer sees every system call, and only one may trace a process. */
static void add_tracer(struct rs_facts *facts)
{
	char *const status = rs_hostfs_all("/proc/self/status");
	char pid[32] = "";
	if (status && rs_hostfs_field(status, "TracerPid", pid, sizeof(pid)))
		rs_facts_add(facts, "traced", strcmp(pid, "0") == 0 ? "no" : "yes",
			     NULL);
	else
		rs_facts_add(facts, "traced", NULL, "/proc/self/status does not say");
	free(status);
}

void rs_host_add_kernel(struct rs_facts *facts, unsigned int cpu)
{
	add_os(facts);
	add_kernel(facts);
	rs_host_add_files(facts, files, cpu);
	add_link_stack_flush(facts);
	add_shadow_stack(facts);
	add_aslr(facts);
	add_tracer(facts);
	rs_facts_print(facts, "page_size", NULL, "%ld", sysconf(_SC_PAGESIZE));
}
