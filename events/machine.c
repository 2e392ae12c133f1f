#include "events/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/alias.h"
#include "events/backend.h"
#include "events/pfm.h"
#include "src/base/file.h"
#include "src/base/text.h"

#define CPUINFO_MAX (16u << 20) /* some 3 KiB for each of a few thousand CPUs */

/* The value of the first "name : value" line of text; false when there is none. */
static bool field(const char *text, const char *name, char *out, size_t size)
{
	const size_t length = strlen(name);
	for (const char *line = text; line && *line;
	     line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
		if (strncmp(line, name, length) != 0)
			continue;
		const char *value = line + length + strspn(line + length, " \t");
		if (*value++ != ':')
			continue;
		value += strspn(value, " \t");
		const size_t n = strcspn(value, "\n");
		snprintf(out, size, "%.*s", (int)n, value);
		return true;
	}
	return false;
}

/* perf's map files spell x86 as vendor, decimal family, hexadecimal model. */
static bool x86_identity(const char *cpuinfo, char *out, size_t size)
{
	char vendor[32];
	char family[16];
	char model[16];
	if (!field(cpuinfo, "vendor_id", vendor, sizeof(vendor)) ||
	    !field(cpuinfo, "cpu family", family, sizeof(family)) ||
	    !field(cpuinfo, "model", model, sizeof(model)))
		return false;
	snprintf(out, size, "%s-%s-%lX", vendor, family, strtoul(model, NULL, 10));
	return true;
}

/* MIDR_EL1: implementer in bits 31:24, part number in bits 15:4. */
static bool arm_identity(unsigned int cpu, char *out, size_t size)
{
	char text[32];
	uint64_t midr = 0;
	if (rs_file_read_text(
		text, sizeof(text),
		"%s/devices/system/cpu/cpu%u/regs/identification/midr_el1",
		rs_roots_get()->sys, cpu) < 0 ||
	    rs_text_u64(text, 0, UINT64_MAX, &midr))
		return false;
	snprintf(out, size, "arm-%02x-%03x", (unsigned int)(midr >> 24 & 0xff),
		 (unsigned int)(midr >> 4 & 0xfff));
	return true;
}

/* "cpu : POWER9 (architected), altivec supported". */
static bool power_identity(const char *cpuinfo, char *out, size_t size)
{
	if (!field(cpuinfo, "cpu", out, size) || strncmp(out, "POWER", 5) != 0)
		return false;
	out[strcspn(out, " ,+(")] = '\0';
	return true;
}

/* The name in the device tree where it has one; else the two identity registers. */
static bool riscv_identity(const char *cpuinfo, char *out, size_t size)
{
	char vendor[24]; /* 64 bits in hexadecimal */
	char arch[24];
	if (field(cpuinfo, "uarch", out, size))
		return true;
	if (!field(cpuinfo, "mvendorid", vendor, sizeof(vendor)) ||
	    !field(cpuinfo, "marchid", arch, sizeof(arch)))
		return false;
	snprintf(out, size, "riscv-%s-%s", vendor, arch);
	return true;
}

static void read_identity(unsigned int cpu, char *out, size_t size)
{
	out[0] = '\0';
	if (arm_identity(cpu, out, size))
		return;
	char path[256];
	snprintf(path, sizeof(path), "%s/cpuinfo", rs_roots_get()->proc);
	char *cpuinfo = NULL;
	size_t n_bytes = 0;
	if (rs_file_read_all(path, CPUINFO_MAX, &cpuinfo, &n_bytes))
		return;
	if (!x86_identity(cpuinfo, out, size) && !power_identity(cpuinfo, out, size) &&
	    !riscv_identity(cpuinfo, out, size))
		out[0] = '\0';
	free(cpuinfo);
}

static bool is_hybrid(void)
{
	struct rs_pmu pmus[64];
	const int n = rs_pmu_list(pmus, sizeof(pmus) / sizeof(pmus[0]));
	int n_core = 0;
	for (int i = 0; i < n && i < 64; i++)
		n_core += pmus[i].is_core;
	return n_core > 1;
}

void rs_machine_of_cpu(const struct rs_backend *backend, unsigned int cpu,
		       struct rs_machine *machine)
{
	(void)backend;
	machine->has_pmu = rs_pmu_of_cpu(cpu, &machine->pmu) == 0;
	machine->is_hybrid = is_hybrid();
	char identity[80];
	read_identity(cpu, identity, sizeof(identity));
	snprintf(machine->identity, sizeof(machine->identity), "%s/%s", identity,
		 machine->has_pmu ? machine->pmu.name : "");
}

/*
 * libpfm4 lists every core PMU of a hybrid chip as present. The one of this CPU is the
 * one whose section names the identity; with a single PMU there is nothing to tell
 * apart.
 */
static bool is_pmu_of(const struct rs_alias_table *table, const char *pfm_pmu,
		      const struct rs_machine *machine)
{
	for (size_t i = 0; table && i < table->n_sections; i++) {
		const struct rs_alias_section *const section = &table->sections[i];
		if (section->cpus && rs_alias_section_has_pmu(section, pfm_pmu) &&
		    rs_alias_section_fits(section, machine))
			return true;
	}
	return false;
}

static void find_pfm_pmu(struct rs_machine *machine, const struct rs_alias_table *table)
{
	const char *only = NULL;
	size_t n_present = 0;
	bool is_present;
	const char *name;
	for (size_t i = 0; (name = rs_pfm_core_pmu(i, &is_present)); i++) {
		if (!is_present || strcmp(name, "ix86arch") == 0)
			continue;
		n_present++;
		only = name;
		if (is_pmu_of(table, name, machine)) {
			rs_text_copy(machine->pfm_pmu, sizeof(machine->pfm_pmu), name);
			return;
		}
	}
	if (n_present == 1)
		rs_text_copy(machine->pfm_pmu, sizeof(machine->pfm_pmu), only);
}

void rs_machine_read(struct rs_machine *machine, const struct rs_alias_table *table,
		     const struct rs_backend *backend, unsigned int cpu)
{
	memset(machine, 0, sizeof(*machine));
	machine->cpu = cpu;
	backend->ops->machine(backend, cpu, machine);
	if (!backend->replay && rs_roots_are_real())
		find_pfm_pmu(machine, table);
}

void rs_cpu_identity(const struct rs_backend *backend, unsigned int cpu,
		     char out[RS_IDENTITY_BYTES])
{
	struct rs_machine machine = {.cpu = cpu};
	backend->ops->machine(backend, cpu, &machine);
	rs_text_copy(out, RS_IDENTITY_BYTES, machine.identity);
}
