#include "events/pmu.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "events/alias.h"
#include "events/backend.h"
#include "tests/unit/event_tree.h"

#define DEVICES "sys/bus/event_source/devices/"

static const struct tree_file hybrid[] = {
    {DEVICES "cpu_core/type", "4\n"},
    {DEVICES "cpu_core/cpus", "0-3,8\n"},
    {DEVICES "cpu_core/format/event", "config:0-7\n"},
    {DEVICES "cpu_core/format/umask", "config:8-15\n"},
    {DEVICES "cpu_core/format/wide", "config:0-7,32-35\n"},
    {DEVICES "cpu_core/format/edge", "config:18\n"},
    {DEVICES "cpu_core/format/ldlat", "config1:0-15\n"},
    {DEVICES "cpu_core/format/whole", "config2:0-63\n"},
    {DEVICES "cpu_core/format/broken", "config:7-0\n"},
    {DEVICES "cpu_core/events/branches", "event=0xc4,umask=0x20\n"},
    {DEVICES "cpu_core/events/slots", "event=0x00,umask=0x4\n"},
    {DEVICES "cpu_core/events/loop", "loop\n"},
    {DEVICES "cpu_atom/type", "10\n"},
    {DEVICES "cpu_atom/cpus", "4-7\n"},
    {DEVICES "cpu_atom/format/event", "config:0-7\n"},
    {DEVICES "software/type", "1\n"},
    {DEVICES "uncore_imc/type", "20\n"},
    {DEVICES "uncore_imc/cpumask", "0\n"},
    {"proc/cpuinfo",
     "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 151\n"
     "model name\t: made up\n"},
    {NULL, NULL},
};

static const struct tree_file big_little[] = {
    {DEVICES "armv8_cortex_a53/type", "8\n"},
    {DEVICES "armv8_cortex_a53/cpus", "0-3\n"},
    {DEVICES "armv8_cortex_a76/type", "9\n"},
    {DEVICES "armv8_cortex_a76/cpus", "4-5\n"},
    {"sys/devices/system/cpu/cpu0/regs/identification/midr_el1",
     "0x00000000410fd034\n"},
    {"sys/devices/system/cpu/cpu4/regs/identification/midr_el1",
     "0x00000000414fd0b1\n"},
    {"proc/cpuinfo", "processor\t: 0\n"},
    {NULL, NULL},
};

static const struct tree_file power9[] = {
    {DEVICES "cpu/type", "4\n"},
    {"proc/cpuinfo", "processor\t: 0\ncpu\t\t: POWER9 (architected), altivec\n"},
    {NULL, NULL},
};

static const struct tree_file rocket[] = {
    {"proc/cpuinfo",
     "processor\t: 0\nisa\t\t: rv64imafdc\nmvendorid\t: 0x0\nmarchid\t\t: 0x1\n"},
    {NULL, NULL},
};

static const struct tree_file c910[] = {
    {"proc/cpuinfo",
     "processor\t: 0\nuarch\t\t: thead,c910\nmvendorid\t: 0x5b7\nmarchid\t: 0x0\n"},
    {NULL, NULL},
};

struct pmu_case {
	const struct tree_file *files;
	unsigned int cpu;
	const char *pmu; /* NULL: none */
	uint32_t type;
	const char *identity;
	bool is_hybrid;
};

static const struct tree_file nothing[] = {
    {NULL, NULL},
};

static const struct pmu_case pmu_cases[] = {
    {hybrid, 0, "cpu_core", 4, "GenuineIntel-6-97/cpu_core", true},
    {hybrid, 8, "cpu_core", 4, "GenuineIntel-6-97/cpu_core", true},
    {hybrid, 5, "cpu_atom", 10, "GenuineIntel-6-97/cpu_atom", true},
    {hybrid, 9, NULL, 0, "GenuineIntel-6-97/", true},
    {big_little, 0, "armv8_cortex_a53", 8, "arm-41-d03/armv8_cortex_a53", true},
    {big_little, 4, "armv8_cortex_a76", 9, "arm-41-d0b/armv8_cortex_a76", true},
    {power9, 0, "cpu", 4, "POWER9/cpu", false},
    {rocket, 0, NULL, 0, "riscv-0x0-0x1/", false},
    {c910, 0, NULL, 0, "thead,c910/", false},
    {nothing, 0, NULL, 0, "/", false},
};

static void the_pmu_of_the_pinned_cpu_is_taken(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(pmu_cases) / sizeof(pmu_cases[0]); i++) {
		const struct pmu_case *const c = &pmu_cases[i];
		struct tree tree;
		tree_plant(&tree, c->files);
		print_message("cpu %u: %s\n", c->cpu, c->identity);
		struct rs_machine machine;
		rs_machine_read(&machine, NULL, rs_backend_perf(NULL, ""), c->cpu);
		assert_string_equal(machine.identity, c->identity);
		char identity[RS_IDENTITY_BYTES];
		rs_cpu_identity(rs_backend_perf(NULL, ""), c->cpu, identity);
		assert_string_equal(identity, c->identity);
		assert_string_equal(machine.pfm_pmu, "");
		assert_int_equal(machine.has_pmu, c->pmu != NULL);
		assert_int_equal(machine.is_hybrid, c->is_hybrid);
		struct rs_pmu pmu;
		const int ret = rs_pmu_of_cpu(c->cpu, &pmu);
		if (c->pmu) {
			assert_int_equal(ret, 0);
			assert_string_equal(pmu.name, c->pmu);
			assert_int_equal(pmu.type, c->type);
			assert_true(pmu.is_core);
		} else {
			assert_int_equal(ret, -ENOENT);
		}
		tree_fell(&tree);
	}
}

static void all_pmus_are_listed(void **state)
{
	(void)state;
	struct tree tree;
	tree_plant(&tree, hybrid);
	struct rs_pmu pmus[2];
	assert_int_equal(rs_pmu_list(pmus, 2), 4);
	assert_string_equal(pmus[0].name, "cpu_atom");
	assert_string_equal(pmus[1].name, "cpu_core");
	char names[64];
	rs_pmu_names(names, sizeof(names));
	assert_string_equal(names, "cpu_atom, cpu_core, software, uncore_imc");
	tree_fell(&tree);
}

struct bits_case {
	const char *format;
	uint64_t value;
	int code;
	uint64_t config[3];
};

static const struct bits_case bits_cases[] = {
    {"config:0-7", 0xc5, 0, {0xc5}},
    {"config:8-15", 0x08, 0, {0x0800}},
    {"config:0-7,32-35", 0xabc, 0, {0xa000000bcULL}},
    {"config:0-7,32-35", 0x1000, -ERANGE, {0x00}},
    {"config:18", 1, 0, {1 << 18}},
    {"config:18", 2, -ERANGE, {0}},
    {"config1:0-15", 0x1234, 0, {0, 0x1234}},
    {"config2:0-63", UINT64_MAX, 0, {0, 0, UINT64_MAX}},
    {"config:63", 1, 0, {UINT64_C(1) << 63}},
    {"config3:0-7", 1, -EINVAL, {0}},
    {"config:", 1, -EINVAL, {0}},
    {"config:7-0", 1, -EINVAL, {0}},
    {"config:64", 1, -EINVAL, {0}},
    {"config:0-7;", 1, -EINVAL, {1}},
    {"0-7", 1, -EINVAL, {0}},
    {"", 1, -EINVAL, {0}},
};

static void bit_ranges_are_filled_in_order(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(bits_cases) / sizeof(bits_cases[0]); i++) {
		const struct bits_case *const c = &bits_cases[i];
		uint64_t config[3] = {0, 0, 0};
		print_message("'%s' 0x%llx\n", c->format, (unsigned long long)c->value);
		assert_int_equal(rs_pmu_put_bits(c->format, c->value, config), c->code);
		for (size_t w = 0; w < 3; w++)
			assert_int_equal(config[w], c->config[w]);
	}
}

struct terms_case {
	const char *terms;
	const char *sentence; /* NULL: it encodes */
	uint64_t config[3];
};

static const struct terms_case terms_cases[] = {
    {"event=0xc5,umask=0x08", NULL, {0x08c5}},
    {"event=197,umask=8,edge", NULL, {0x408c5}},
    {"branches", NULL, {0x20c4}},
    {"branches,edge=1", NULL, {0x420c4}},
    {"config=0x12,config1=3,config2=4", NULL, {0x12, 3, 4}},
    {"event=1,ldlat=0x10,whole=5", NULL, {1, 0x10, 5}},
    {"wide=0xabc", NULL, {0xa000000bcULL}},
    {"event=0x1c5", "does not fit its bits (config:0-7)", {0}},
    {"nosuch=1", "PMU cpu_core has no term 'nosuch'", {0}},
    {"event=x", "needs a number", {0}},
    {"event=", "needs a number", {0}},
    {"", "an empty term", {0}},
    {"event=1,", "an empty term", {0}},
    {"broken=1", "which is no bit range", {0}},
    {"loop", "PMU cpu_core has no term 'loop'", {0}},
    {"../type", "PMU cpu_core has no term '../type'", {0}},
};

static void terms_encode_through_sysfs(void **state)
{
	(void)state;
	struct tree tree;
	tree_plant(&tree, hybrid);
	struct rs_pmu pmu;
	assert_int_equal(rs_pmu_find("cpu_core", &pmu), 0);
	assert_int_equal(rs_pmu_find("no_such_pmu", &pmu), -ENOENT);
	assert_int_equal(rs_pmu_find("../devices/cpu_core", &pmu), -ENOENT);
	assert_int_equal(rs_pmu_find("cpu_core", &pmu), 0);
	for (size_t i = 0; i < sizeof(terms_cases) / sizeof(terms_cases[0]); i++) {
		const struct terms_case *const c = &terms_cases[i];
		uint64_t config[3];
		struct rs_err err = {""};
		const int ret = rs_pmu_encode(&pmu, c->terms, config, &err);
		print_message("'%s': %s\n", c->terms, err.text);
		if (c->sentence) {
			assert_int_equal(ret, -EINVAL);
			assert_non_null(strstr(err.text, c->sentence));
			continue;
		}
		assert_int_equal(ret, 0);
		for (size_t w = 0; w < 3; w++)
			assert_int_equal(config[w], c->config[w]);
	}
	tree_fell(&tree);
}

static void cpu_lists_are_read(void **state)
{
	(void)state;
	assert_true(rs_cpulist_has("0-3,8", 3));
	assert_true(rs_cpulist_has("0-3,8", 8));
	assert_false(rs_cpulist_has("0-3,8", 4));
	assert_false(rs_cpulist_has("", 0));
	assert_false(rs_cpulist_has("x", 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_pmu_of_the_pinned_cpu_is_taken),
	    cmocka_unit_test(all_pmus_are_listed),
	    cmocka_unit_test(bit_ranges_are_filled_in_order),
	    cmocka_unit_test(terms_encode_through_sysfs),
	    cmocka_unit_test(cpu_lists_are_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
