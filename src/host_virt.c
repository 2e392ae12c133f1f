#include "src/host_parts.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "src/base/text.h"
#include "src/hostfs.h"

struct known_name {
	const char *mark; /* NULL ends a list */
	const char *name;
};

/* CPUID signatures, each as its vendor documents it. */
static const struct known_name signatures[] = {
    {"KVMKVMKVM", "KVM"},
    {"Linux KVM Hv", "KVM (Hyper-V interface)"},
    {"Microsoft Hv", "Hyper-V"},
    {"VMwareVMware", "VMware"},
    {"XenVMMXenVMM", "Xen"},
    {"TCGTCGTCGTCG", "QEMU TCG (an emulator)"},
    {"VBoxVBoxVBox", "VirtualBox"},
    {"bhyve bhyve ", "bhyve"},
    {"ACRNACRNACRN", "ACRN"},
    {" lrpepyh  vr", "Parallels"},
    {"prl hyperv  ", "Parallels"},
    {"QNXQVMBSQG", "QNX"},
    {NULL, NULL},
};

static const char *exact_name(const struct known_name *names, const char *text)
{
	for (; names->mark; names++) {
		if (strcmp(names->mark, text) == 0)
			return names->name;
	}
	return NULL;
}

static const char *name_inside(const struct known_name *names, const char *text)
{
	for (; names->mark; names++) {
		if (strstr(text, names->mark))
			return names->name;
	}
	return NULL;
}

/* Files in which other platforms name their hypervisor, and what to look for. */
static const struct known_name any_type[] = {{"xen", "Xen"}, {NULL, NULL}};
static const struct known_name device_tree[] = {
    {"linux,kvm", "KVM"},
    {"xen", "Xen"},
    {"vmware", "VMware"},
    {NULL, NULL},
};
static const struct known_name dmi[] = {
    {"QEMU", "QEMU (KVM or an emulator)"},
    {"KVM", "KVM"},
    {"VMware", "VMware"},
    {"VirtualBox", "VirtualBox"},
    {"Virtual Machine", "Hyper-V"},
    {NULL, NULL},
};
static const struct known_name control_program[] = {
    {"KVM/Linux", "KVM"},
    {"z/VM", "z/VM"},
    {NULL, NULL},
};
static const struct known_name power_platform[] = {
    {"emulated by qemu", "QEMU (KVM or an emulator)"},
    {"PowerNV", "none"},
    {"pSeries", "PowerVM or another pSeries hypervisor"},
    {NULL, NULL},
};

static const struct {
	const char *path;
	const struct known_name *names;
} evidence[] = {
    {"/sys/hypervisor/type", any_type},
    {"/proc/device-tree/hypervisor/compatible", device_tree},
    {"/proc/sysinfo", control_program},
    {"/sys/class/dmi/id/product_name", dmi},
    {"/sys/class/dmi/id/sys_vendor", dmi},
};

static const char *name_from_files(void)
{
	for (size_t i = 0; i < sizeof(evidence) / sizeof(evidence[0]); i++) {
		char *const text = rs_hostfs_all(evidence[i].path);
		const char *const name =
		    text ? name_inside(evidence[i].names, text) : NULL;
		free(text);
		if (name)
			return name;
	}
	return NULL;
}

/* x86: the kernel shows CPUID's hypervisor bit as a flag, so its absence counts. */
static const char *name_from_flags(const char *cpuinfo, bool *is_guest)
{
	char *const flags = malloc(strlen(cpuinfo) + 1);
	const char *name = NULL;
	if (flags && rs_hostfs_field(cpuinfo, "flags", flags, strlen(cpuinfo) + 1) &&
	    rs_hostfs_has_word(flags, "fpu", " ")) {
		*is_guest = rs_hostfs_has_word(flags, "hypervisor", " ");
		name = *is_guest ? NULL : "none";
	}
	free(flags);
	return name;
}

static const char *name_from_platform(const char *cpuinfo)
{
	char text[256];
	const char *name = NULL;
	if (rs_hostfs_field(cpuinfo, "model", text, sizeof(text)))
		name = name_inside(power_platform, text);
	if (!name && rs_hostfs_field(cpuinfo, "platform", text, sizeof(text)))
		name = name_inside(power_platform, text);
	return name;
}

void rs_host_add_hypervisor(struct rs_facts *facts, unsigned int cpu)
{
	(void)cpu;
	char *const cpuinfo = rs_hostfs_all("/proc/cpuinfo");
	bool is_guest = false;
	char id[RS_HYPERVISOR_ID_BYTES] = "";
	const char *name = cpuinfo ? name_from_flags(cpuinfo, &is_guest) : NULL;
	if (is_guest && rs_hypervisor_id(id)) {
		name = exact_name(signatures, id);
		name = name ? name : id;
	}
	if (!name)
		name = name_from_files();
	if (!name && cpuinfo)
		name = name_from_platform(cpuinfo);
	if (!name && is_guest)
		name = "one that does not say its name";
	rs_facts_add(facts, "hypervisor", name,
		     name ? NULL
			  : "neither the CPU, a device tree nor the firmware tells");
	free(cpuinfo);
}

/*
 * Emulators and binary translators show a program the executable that it believes to
 * be under /proc/self/exe, but /proc/thread-self/exe slips through and names the
 * translator (tried with qemu-user 7.2 and Valgrind 3.19). Others leave a library in
 * the address space.
 */
static const struct known_name translators[] = {
    {"qemu", "qemu-user"},
    {"valgrind", "Valgrind"},
    {NULL, NULL},
};

static const struct known_name mapped[] = {
    {"/valgrind/", "Valgrind"},    {"/vgpreload_", "Valgrind"},
    {"librrpage", "rr"},           {"librrpreload", "rr"},
    {"libdynamorio", "DynamoRIO"}, {"/pinbin", "Intel Pin"},
    {"qemu-", "qemu-user"},        {NULL, NULL},
};

static const struct known_name emulated_cpus[] = {
    {"VirtualApple", "Rosetta"},
    {"QEMU Virtual CPU", "QEMU TCG"},
    {NULL, NULL},
};

static const char *translator_of_exe(char other[PATH_MAX])
{
	char self[PATH_MAX];
	if (rs_hostfs_link(self, sizeof(self), "/proc/self/exe") < 0 ||
	    rs_hostfs_link(other, PATH_MAX, "/proc/thread-self/exe") < 0 ||
	    strcmp(self, other) == 0)
		return NULL;
	const char *const name = name_inside(translators, other);
	if (name)
		return name;
	const char *const slash = strrchr(other, '/');
	return slash ? slash + 1 : other;
}

static const char *name_in_file(const char *path, const struct known_name *names)
{
	char *const text = rs_hostfs_all(path);
	const char *const name = text ? name_inside(names, text) : NULL;
	free(text);
	return name;
}

void rs_host_add_emulator(struct rs_facts *facts, unsigned int cpu)
{
	(void)cpu;
	char other[PATH_MAX] = "";
	const char *name = translator_of_exe(other);
	if (!name)
		name = name_in_file("/proc/self/maps", mapped);
	if (!name)
		name = name_in_file("/proc/cpuinfo", emulated_cpus);
	if (!name && getenv("RUNNING_UNDER_RR"))
		name = "rr";
	char self[PATH_MAX];
	const bool could_tell =
	    rs_hostfs_link(self, sizeof(self), "/proc/self/exe") >= 0;
	if (name)
		rs_facts_add(facts, "emulator", name,
			     "results describe it, not the processor");
	else
		rs_facts_add(facts, "emulator", could_tell ? "none" : NULL,
			     could_tell ? NULL : "/proc/self cannot be read");
}
