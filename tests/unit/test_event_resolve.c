#include "events/resolve.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "tests/unit/event_tree.h"

#define DEVICES "sys/bus/event_source/devices/"

static const struct tree_file hybrid[] = {
    {DEVICES "cpu_core/type", "4\n"},
    {DEVICES "cpu_core/cpus", "0-3\n"},
    {DEVICES "cpu_core/format/event", "config:0-7\n"},
    {DEVICES "cpu_core/format/umask", "config:8-15\n"},
    {DEVICES "cpu_core/events/slots", "event=0x00,umask=0x4\n"},
    {DEVICES "cpu_atom/type", "10\n"},
    {DEVICES "cpu_atom/cpus", "4-7\n"},
    {DEVICES "cpu_atom/format/event", "config:0-7\n"},
    {"proc/cpuinfo", "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 151\n"},
    {NULL, NULL},
};

static struct rs_alias_table *aliases;

static int load(void **state)
{
	(void)state;
	struct rs_err err;
	return rs_alias_table_load(NULL, &aliases, &err);
}

static int unload(void **state)
{
	(void)state;
	rs_alias_table_free(aliases);
	return 0;
}

/* Names on a chip with two kinds of cores, nothing being opened. */
struct name_case {
	unsigned int cpu;
	const char *name;
	uint32_t type;
	uint64_t config;
	const char *source;
	enum rs_meaning meaning;
	bool is_kernel_too;
	bool is_kernel_only;
	enum rs_status status;
};

static const struct name_case name_cases[] = {
    {0, "return-misses", 4, 0x08c5, "cpu_core", RS_MEANING_RETURN_MISSES, false, false,
     RS_STATUS_OK},
    {4, "return-misses", 10, 0xf7c5, "cpu_atom", RS_MEANING_RETURN_MISSES, false, false,
     RS_STATUS_OK},
    {4, "return-misses:uk", 10, 0xf7c5, "cpu_atom", RS_MEANING_RETURN_MISSES, true,
     false, RS_STATUS_OK},
    {0, "cycles:k", 4, 0x3c, "cpu_core", RS_MEANING_CYCLES, true, true, RS_STATUS_OK},
    {0, "cycles:u:k", 4, 0x3c, "cpu_core", RS_MEANING_CYCLES, true, false,
     RS_STATUS_OK},
    {0, "cycles:u", 4, 0x3c, "cpu_core", RS_MEANING_CYCLES, false, false, RS_STATUS_OK},
    {0, "cpu-cycles", 0, 0x400000000, "cpu_core", RS_MEANING_CYCLES, false, false,
     RS_STATUS_OK},
    {4, "cpu-cycles", 0, 0xa00000000, "cpu_atom", RS_MEANING_CYCLES, false, false,
     RS_STATUS_OK},
    {4, "branch-instructions", 0, 0xa00000004, "cpu_atom", RS_MEANING_BRANCHES, false,
     false, RS_STATUS_OK},
    {0, "L1-dcache-load-misses", 3, 0x400010000, "cpu_core", RS_MEANING_OTHER, false,
     false, RS_STATUS_OK},
    {0, "task-clock", 1, 1, "software", RS_MEANING_OTHER, false, false, RS_STATUS_OK},
    {0, "page-faults:u", 1, 2, "software", RS_MEANING_OTHER, false, false,
     RS_STATUS_OK},
    {0, "context-switches", 1, 3, "software", RS_MEANING_OTHER, true, false,
     RS_STATUS_OK},
    {0, "context-switches:u", 1, 3, "software", RS_MEANING_OTHER, false, false,
     RS_STATUS_NOT_SUPPORTED},
    {0, "cpu-migrations", 1, 4, "software", RS_MEANING_OTHER, true, false,
     RS_STATUS_OK},
    {4, "r08c5", 10, 0x08c5, "cpu_atom", RS_MEANING_OTHER, false, false, RS_STATUS_OK},
    {0, "rFFFFFFFFFFFFFFFF", 4, UINT64_MAX, "cpu_core", RS_MEANING_OTHER, false, false,
     RS_STATUS_OK},
    {0, "cpu_core/event=0xc5,umask=8/", 4, 0x08c5, "cpu_core", RS_MEANING_OTHER, false,
     false, RS_STATUS_OK},
    {0, "cpu_core/event=0xc5,umask=8/k", 4, 0x08c5, "cpu_core", RS_MEANING_OTHER, true,
     true, RS_STATUS_OK},
    {0, "cpu_core/slots,event=0xc5/:uk", 4, 0x04c5, "cpu_core", RS_MEANING_OTHER, true,
     false, RS_STATUS_OK},
    {0, "cpu_atom/event=1/", 10, 1, "cpu_atom", RS_MEANING_OTHER, false, false,
     RS_STATUS_NOT_SUPPORTED},
    {0, "slots", 4, 0x0400, "cpu_core", RS_MEANING_OTHER, false, false, RS_STATUS_OK},
    {0, "nopmu/event=1/", 0, 0, "nopmu", RS_MEANING_OTHER, false, false,
     RS_STATUS_NOT_SUPPORTED},
    {0, "link-stack-misses", 0, 0, "", RS_MEANING_OTHER, false, false,
     RS_STATUS_NOT_SUPPORTED},
    {0, "return-resteers", 0, 0, "", RS_MEANING_OTHER, false, false,
     RS_STATUS_NOT_SUPPORTED},
};

static void names_resolve_for_the_pinned_cpu(void **state)
{
	(void)state;
	struct tree tree;
	tree_plant(&tree, hybrid);
	for (size_t i = 0; i < sizeof(name_cases) / sizeof(name_cases[0]); i++) {
		const struct name_case *const c = &name_cases[i];
		struct rs_machine machine;
		rs_machine_read(&machine, aliases, rs_backend_perf(NULL, ""), c->cpu);
		const struct rs_resolver resolver = {
		    .aliases = aliases, .machine = &machine, .reads_sysfs = true};
		struct rs_event event;
		struct rs_err err = {""};
		print_message("cpu %u '%s'\n", c->cpu, c->name);
		if (rs_resolve(&resolver, c->name, &event, &err))
			fail_msg("%s", err.text);
		assert_string_equal(event.name, c->name);
		assert_string_equal(event.source, c->source);
		assert_int_equal(event.type, c->type);
		assert_int_equal(event.config, c->config);
		assert_int_equal(event.meaning, c->meaning);
		assert_int_equal(event.is_kernel_too, c->is_kernel_too);
		assert_int_equal(event.is_kernel_only, c->is_kernel_only);
		assert_int_equal(event.status, c->status);
		assert_int_equal(*event.reason != '\0', c->status != RS_STATUS_OK);
	}
	tree_fell(&tree);
}

/* Names on a Skylake that libpfm4 knows, and on a machine with nothing. */
struct pfm_case {
	const char *pfm_pmu;
	const char *name;
	const char *chosen;
	uint64_t config;
	enum rs_status status;
};

static const struct pfm_case pfm_cases[] = {
    {"skl", "BR_MISP_RETIRED:RET", "skl::BR_MISP_RETIRED:RET", 0x08c5, RS_STATUS_OK},
    {"skl", "BR_MISP_RETIRED:RET:c=1", "skl::BR_MISP_RETIRED:RET:c=1", 0x10008c5,
     RS_STATUS_OK},
    {"skl", "skl::BR_MISP_RETIRED:RET", "skl::BR_MISP_RETIRED:RET", 0x08c5,
     RS_STATUS_OK},
    {"skl", "amd64_fam19h_zen4::RETIRED_NEAR_RETURNS",
     "amd64_fam19h_zen4::RETIRED_NEAR_RETURNS", 0xc8, RS_STATUS_NOT_SUPPORTED},
    {"skl", "return-misses", "skl::BR_MISP_RETIRED:RET", 0x08c5, RS_STATUS_OK},
    {"icl", "return-misses", "r08c5", 0x08c5, RS_STATUS_OK},
    {"", "amd64_fam19h_zen4::RETIRED_NEAR_RETURNS",
     "amd64_fam19h_zen4::RETIRED_NEAR_RETURNS", 0xc8, RS_STATUS_NOT_SUPPORTED},
    {"", "return-misses", "perf::PERF_COUNT_HW_BRANCH_MISSES", 5, RS_STATUS_OK},
};

static void libpfm_names_resolve(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(pfm_cases) / sizeof(pfm_cases[0]); i++) {
		const struct pfm_case *const c = &pfm_cases[i];
		struct rs_machine machine = {.identity = "/"};
		strcpy(machine.pfm_pmu, c->pfm_pmu);
		const struct rs_resolver resolver = {.aliases = aliases,
						     .machine = &machine};
		struct rs_event event;
		struct rs_err err = {""};
		print_message("%s '%s'\n", c->pfm_pmu, c->name);
		if (rs_resolve(&resolver, c->name, &event, &err)) {
			print_message("skipped, this libpfm4 has no such table: %s\n",
				      err.text);
			skip();
		}
		assert_string_equal(event.chosen, c->chosen);
		assert_int_equal(event.config, c->config);
		assert_int_equal(event.status, c->status);
	}
}

struct mem_case {
	const char *name;
	uint64_t address;
	uint32_t kind;
	uint32_t bytes;
};

static const struct mem_case mem_cases[] = {
    {"mem:0x401000:x", 0x401000, 4, sizeof(long)},
    {"mem:401000:x", 0x401000, 4, sizeof(long)},
    {"mem:0x1000", 0x1000, 3, 4},
    {"mem:0x1000/8:w", 0x1000, 2, 8},
    {"mem:0x1000/1:r:u", 0x1000, 1, 1},
    {"mem:ffffffffffffff00/2:rw", 0xffffffffffffff00, 3, 2},
};

static void breakpoints_are_spelled_like_perf_does(void **state)
{
	(void)state;
	const struct rs_machine machine = {.identity = "/"};
	const struct rs_resolver resolver = {.aliases = aliases, .machine = &machine};
	for (size_t i = 0; i < sizeof(mem_cases) / sizeof(mem_cases[0]); i++) {
		const struct mem_case *const c = &mem_cases[i];
		struct rs_event event;
		struct rs_err err;
		print_message("'%s'\n", c->name);
		assert_int_equal(rs_resolve(&resolver, c->name, &event, &err), 0);
		assert_string_equal(event.source, "breakpoint");
		assert_int_equal(event.type, 5);
		assert_int_equal(event.breakpoint_address, c->address);
		assert_int_equal(event.breakpoint_kind, c->kind);
		assert_int_equal(event.breakpoint_bytes, c->bytes);
		assert_false(event.has_config);
	}
}

struct bad_case {
	const char *list;
	const char *sentence;
};

static const struct bad_case bad_cases[] = {
    {"", "the list of events is empty"},
    {"  ", "the list of events is empty"},
    {",", "an empty event name"},
    {"cycles,", "an empty event name"},
    {"cycles,,branches", "an empty event name"},
    {"cycles,cycles", "event 'cycles' is given twice"},
    {"cycels", "did you mean 'cycles'?"},
    {"return-mises", "did you mean 'return-misses'?"},
    {"no-such-thing-at-all", "unknown event 'no-such-thing-at-all': neither"},
    {"cycles:pp", "the modifier ':pp' is not one of :u, :k and :uk"},
    {"cycles:h", "hypervisor, guest and host modes"},
    {"{cycles,branches}", "leave the braces out"},
    {"{cycles,branches", "a brace without its partner"},
    {"cycles}", "a brace without its partner"},
    {"cpu/event=1,cycles", "a slash without its partner"},
    {"/event=1/", "the form is PMU/TERM=VALUE,.../"},
    {"cpu/event=1/x", "the form is PMU/TERM=VALUE,.../"},
    {"cpu/a/b/", "a slash without its partner"},
    {"r11112222333344445", "at most 16 hexadecimal"},
    {"mem:", "the address is not a number"},
    {"mem:xyz:x", "the address is not a number"},
    {"mem:0x1000/3:w", "the length is wrong"},
    {"mem:0x1000/", "the length is wrong"},
    {"mem:0x1000:z", "the access is wrong"},
    {"mem:0x1000:rwx", "the access is wrong"},
    {"cy\tcles", "blanks, control or non-ASCII"},
    {"perf::no-such", "unknown event 'perf::no-such'"},
    {"skl::BR_MISP_RETIRED:NOSUCH", "libpfm4 says"},
};

static void bad_lists_get_one_sentence(void **state)
{
	(void)state;
	const struct rs_machine machine = {.identity = "/"};
	const struct rs_resolver resolver = {.aliases = aliases, .machine = &machine};
	for (size_t i = 0; i < sizeof(bad_cases) / sizeof(bad_cases[0]); i++) {
		struct rs_event_list list = {.n_events = 0};
		struct rs_err err = {""};
		const int ret =
		    rs_event_list_parse(&list, bad_cases[i].list, &resolver, &err);
		print_message("'%s': %s\n", bad_cases[i].list, err.text);
		assert_int_equal(ret, -EINVAL);
		assert_int_equal(list.n_events, 0);
		assert_non_null(strstr(err.text, bad_cases[i].sentence));
	}
}

static void lists_split_outside_slashes(void **state)
{
	(void)state;
	const struct rs_machine machine = {.identity = "/"};
	const struct rs_resolver resolver = {.aliases = aliases, .machine = &machine};
	struct rs_event_list list = {.n_events = 0};
	struct rs_err err = {""};
	static const char *const wanted[] = {"ns",          "ticks",        "cycles",
					     "x/a=1,b=2/u", "mem:0x10/8:w", "r3c:k"};
	assert_int_equal(rs_event_list_parse(
			     &list, "cycles, ns,x/a=1,b=2/u,mem:0x10/8:w ,r3c:k,ticks",
			     &resolver, &err),
			 0);
	assert_int_equal(list.n_events, sizeof(wanted) / sizeof(wanted[0]));
	for (size_t i = 0; i < list.n_events; i++)
		assert_string_equal(list.events[i].name, wanted[i]);
}

static void names_and_lists_have_limits(void **state)
{
	(void)state;
	const struct rs_machine machine = {.identity = "/"};
	const struct rs_resolver resolver = {.aliases = aliases, .machine = &machine};
	static char name[4097];
	memset(name, 'x', sizeof(name) - 1);
	struct rs_event_list list = {.n_events = 0};
	struct rs_err err = {""};
	assert_int_equal(rs_event_list_parse(&list, name, &resolver, &err), -EINVAL);
	assert_non_null(strstr(err.text, "4096 characters"));
	assert_true(strlen(err.text) < 300);
	char many[8 * RS_MAX_EVENTS] = "";
	for (unsigned int i = 0; i < RS_MAX_EVENTS - 1; i++)
		snprintf(many + strlen(many), 8, "%sr%x", i ? "," : "", i);
	assert_int_equal(rs_event_list_parse(&list, many, &resolver, &err), -E2BIG);
	assert_int_equal(list.n_events, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(names_resolve_for_the_pinned_cpu),
	    cmocka_unit_test(libpfm_names_resolve),
	    cmocka_unit_test(breakpoints_are_spelled_like_perf_does),
	    cmocka_unit_test(bad_lists_get_one_sentence),
	    cmocka_unit_test(lists_split_outside_slashes),
	    cmocka_unit_test(names_and_lists_have_limits),
	};
	return cmocka_run_group_tests(tests, load, unload);
}
