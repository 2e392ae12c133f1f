#include "src/host_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "src/base/text.h"
#include "src/hostfs.h"

#define VALUE_BYTES 256

void rs_host_add_files(struct rs_facts *facts, const struct rs_file_fact *rows,
		       unsigned int cpu)
{
	for (const struct rs_file_fact *row = rows; row->name; row++) {
		char value[1024];
		char folder[64] = "";
		if (row->is_per_cpu)
			rs_text_append(folder, sizeof(folder),
				       "/sys/devices/system/cpu/cpu%u/", cpu);
		const int ret =
		    rs_hostfs_text(value, sizeof(value), "%s%s", folder, row->path);
		if (ret >= 0)
			rs_facts_add(facts, row->name, ret > 0 ? value : "none", NULL);
		else
			rs_facts_add(facts, row->name, NULL,
				     row->absent ? row->absent
						 : "this kernel does not show it");
	}
}

/*
 * The part of /proc/cpuinfo about one CPU: from its "processor : N" (s390x: "cpu
 * number : N") to the empty line. Ends that part in place; NULL when there is none.
 */
static char *own_block(char *cpuinfo, unsigned int cpu)
{
	static const char *const keys[] = {"processor", "cpu number"};
	char *block = cpuinfo;
	while (block) {
		char *const end = strstr(block, "\n\n");
		if (end)
			*end = '\0';
		for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
			char text[VALUE_BYTES];
			uint64_t number = 0;
			if (rs_hostfs_field(block, keys[i], text, sizeof(text)) &&
			    rs_text_u64(text, 0, UINT32_MAX, &number) == 0 &&
			    number == cpu)
				return block;
		}
		block = end ? end + 2 : NULL;
	}
	return NULL;
}

struct field {
	const char *label; /* in front of the value; NULL: the value alone */
	const char *key;
};

/* What each ISA's kernel calls it. */
static const struct field model_fields[] = {
    {NULL, "model name"}, {NULL, "cpu"},   {NULL, "Model Name"},
    {NULL, "cpu model"},  {NULL, "uarch"}, {"machine", "machine"},
    {NULL, NULL},
};

static const struct field vendor_fields[] = {
    {NULL, "vendor_id"},
    {"implementer", "CPU implementer"},
    {"mvendorid", "mvendorid"},
    {NULL, NULL},
};

static const struct field revision_fields[] = {
    {"family", "cpu family"},     {"model", "model"},
    {"stepping", "stepping"},     {"implementer", "CPU implementer"},
    {"part", "CPU part"},         {"variant", "CPU variant"},
    {"revision", "CPU revision"}, {"revision", "revision"},
    {"marchid", "marchid"},       {"mimpid", "mimpid"},
    {"machine", "machine"},       {NULL, NULL},
};

/* Joins the fields that block has, at most max of them. */
static void join_fields(const char *block, const struct field *fields, unsigned int max,
			char out[VALUE_BYTES])
{
	unsigned int n_found = 0;
	out[0] = '\0';
	for (const struct field *field = fields; block && field->key && n_found < max;
	     field++) {
		char value[VALUE_BYTES];
		if (!rs_hostfs_field(block, field->key, value, sizeof(value)))
			continue;
		n_found++;
		rs_text_append(out, VALUE_BYTES, "%s%s%s%s", out[0] ? " " : "",
			       field->label ? field->label : "",
			       field->label ? " " : "", value);
	}
}

static void add_or_unknown(struct rs_facts *facts, const char *name, const char *value,
			   const char *absent)
{
	if (value[0])
		rs_facts_add(facts, name, value, NULL);
	else
		rs_facts_add(facts, name, NULL, absent);
}

/* Arm's kernels name no model; a device tree does ("arm,cortex-a72"). */
static void add_model(struct rs_facts *facts, const char *block, unsigned int cpu)
{
	char model[VALUE_BYTES];
	join_fields(block, model_fields, 1, model);
	if (!model[0])
		rs_hostfs_text(model, sizeof(model),
			       "/sys/devices/system/cpu/cpu%u/of_node/compatible", cpu);
	add_or_unknown(facts, "cpu_model", model,
		       "neither /proc/cpuinfo nor a device tree names one");
}

static void add_identity(struct rs_facts *facts, unsigned int cpu)
{
	static const char absent[] = "/proc/cpuinfo does not say";
	char *const cpuinfo = rs_hostfs_all("/proc/cpuinfo");
	const char *const block = cpuinfo ? own_block(cpuinfo, cpu) : NULL;
	char value[VALUE_BYTES];
	add_model(facts, block, cpu);
	join_fields(block, vendor_fields, 1, value);
	add_or_unknown(facts, "cpu_vendor", value, absent);
	join_fields(block, revision_fields, 4, value);
	add_or_unknown(facts, "cpu_family_model_stepping", value, absent);
	rs_hostfs_field(block ? block : "", "microcode", value, sizeof(value));
	add_or_unknown(facts, "microcode", value,
		       "/proc/cpuinfo shows a microcode revision on x86 only");
	free(cpuinfo);
}

static void add_smt(struct rs_facts *facts)
{
	char value[64];
	if (rs_hostfs_text(value, sizeof(value),
			   "/sys/devices/system/cpu/smt/control") <= 0)
		rs_facts_add(facts, "smt", NULL, "this kernel does not show it");
	else
		rs_facts_add(facts, "smt", value, NULL);
}

/*
 * Turbo or boost: cpufreq's switch, a CPU's own one, or intel_pstate's, which says the
 * opposite.
 */
static void add_boost(struct rs_facts *facts, unsigned int cpu)
{
	char value[16];
	const char *state = NULL;
	if (rs_hostfs_text(value, sizeof(value),
			   "/sys/devices/system/cpu/cpu%u/cpufreq/boost", cpu) > 0 ||
	    rs_hostfs_text(value, sizeof(value),
			   "/sys/devices/system/cpu/cpufreq/boost") > 0)
		state = strcmp(value, "0") == 0 ? "off" : "on";
	else if (rs_hostfs_text(value, sizeof(value),
				"/sys/devices/system/cpu/intel_pstate/no_turbo") > 0)
		state = strcmp(value, "0") == 0 ? "on" : "off";
	rs_facts_add(facts, "boost", state,
		     state ? NULL : "no cpufreq or pstate switch is visible");
}

static void add_max_mhz(struct rs_facts *facts, unsigned int cpu)
{
	char text[32];
	uint64_t khz = 0;
	const bool is_known =
	    rs_hostfs_text(text, sizeof(text),
			   "/sys/devices/system/cpu/cpu%u/cpufreq/cpuinfo_max_freq",
			   cpu) > 0 &&
	    rs_text_u64(text, 1, UINT64_MAX, &khz) == 0;
	if (is_known)
		rs_facts_print(facts, "cpu_mhz_max", NULL, "%llu",
			       (unsigned long long)khz / 1000);
	else
		rs_facts_add(facts, "cpu_mhz_max", NULL,
			     "no cpufreq driver is visible");
}

static const struct rs_file_fact frequency_files[] = {
    RS_FILE_FACT("smt_siblings", "topology/thread_siblings_list", true, NULL),
    RS_FILE_FACT("governor", "cpufreq/scaling_governor", true,
		 "no cpufreq driver is visible"),
    RS_FILE_FACT("driver", "cpufreq/scaling_driver", true,
		 "no cpufreq driver is visible"),
    RS_END_OF_FILE_FACTS,
};

void rs_host_add_cpu(struct rs_facts *facts, unsigned int cpu)
{
	add_identity(facts, cpu);
	rs_facts_add(facts, "isa", rs_isa_host()->name, NULL);
	add_smt(facts);
	rs_host_add_files(facts, frequency_files, cpu);
	add_boost(facts, cpu);
	add_max_mhz(facts, cpu);
}
