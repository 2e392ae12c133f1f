#include "src/doctor_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/affinity.h"
#include "src/busy.h"
#include "src/hostfs.h"
#include "tests/unit/fixture.h"

#define CPU0  "/sys/devices/system/cpu/cpu0/"
#define CLOCK "/sys/devices/system/clocksource/clocksource0/current_clocksource"
#define BOOST "/sys/devices/system/cpu/cpufreq/boost"
#define VULN  "/sys/devices/system/cpu/vulnerabilities/"

/* One file of an otherwise invisible machine, and what a check makes of it. */
struct case_row {
	struct fixture_file file;
	const char *check;
	enum rs_check_state state;
	const char *value; /* NULL: unknown */
};

#define CASE(where, what, name, as, is)                                                \
	{                                                                              \
		.file = FIXTURE(where, what), .check = (name), .state = (as),          \
		.value = (is)                                                          \
	}

static const struct case_row rows[] = {
    CASE(CLOCK, "tsc\n", "clock-source", RS_CHECK_GOOD, "tsc"),
    CASE(CLOCK, "timebase\n", "clock-source", RS_CHECK_GOOD, "timebase"),
    CASE(CLOCK, "hpet\n", "clock-source", RS_CHECK_WARN, "hpet"),
    CASE(CLOCK, "acpi_pm\n", "clock-source", RS_CHECK_WARN, "acpi_pm"),
    CASE(CLOCK, "xen\n", "clock-source", RS_CHECK_WARN, "xen"),
    CASE(CLOCK, "jiffies\n", "clock-source", RS_CHECK_WARN, "jiffies"),
    CASE(CLOCK, "sundial\n", "clock-source", RS_CHECK_INFO, "sundial"),
    CASE("/x", "", "clock-source", RS_CHECK_UNKNOWN, NULL),
    CASE(CPU0 "cpufreq/scaling_governor", "performance\n", "governor", RS_CHECK_GOOD,
	 "performance"),
    CASE(CPU0 "cpufreq/scaling_governor", "schedutil\n", "governor", RS_CHECK_WARN,
	 "schedutil"),
    CASE("/x", "", "governor", RS_CHECK_UNKNOWN, NULL),
    CASE(BOOST, "0\n", "boost", RS_CHECK_GOOD, "off"),
    CASE(BOOST, "1\n", "boost", RS_CHECK_INFO, "on"),
    CASE("/sys/hypervisor/type", "xen\n", "hypervisor", RS_CHECK_INFO, "Xen"),
    CASE("/sys/class/dmi/id/sys_vendor", "QEMU\n", "hypervisor", RS_CHECK_WARN,
	 "QEMU (KVM or an emulator)"),
    CASE("/proc/cpuinfo", "processor : 0\nflags : fpu tsc\n", "hypervisor",
	 RS_CHECK_GOOD, "none"),
    CASE("/proc/self/maps", "1-2 r-xp 0 0:0 1 /usr/lib/valgrind/x.so\n", "emulator",
	 RS_CHECK_BAD, "Valgrind"),
    CASE("/proc/self/status", "TracerPid:\t12\n", "traced", RS_CHECK_WARN, "yes"),
    CASE("/proc/self/status", "TracerPid:\t0\n", "traced", RS_CHECK_GOOD, "no"),
    CASE("/proc/self/status", "x86_Thread_features:\tshstk\n", "shadow-stack",
	 RS_CHECK_WARN, "on"),
    CASE("/proc/self/status", "x86_Thread_features:\t\n", "shadow-stack", RS_CHECK_GOOD,
	 "off"),
    CASE(VULN "spectre_v2", "Mitigation: x, Software link stack flush\n",
	 "link-stack-flush", RS_CHECK_INFO, "Software link stack flush"),
    CASE(VULN "retbleed", "Mitigation: untrained return thunk\n", "mitigations",
	 RS_CHECK_INFO, "retbleed"),
    CASE(VULN "retbleed", "Not affected\n", "mitigations", RS_CHECK_INFO, "none"),
    CASE("/x", "", "mitigations", RS_CHECK_UNKNOWN, NULL),
    CASE("/proc/sys/kernel/nmi_watchdog", "1\n", "nmi-watchdog", RS_CHECK_INFO, "1"),
    CASE("/proc/stat", "cpu0 1 1 1 1 1 1 1 0\n", "steal", RS_CHECK_GOOD, "0.00 ms"),
    CASE("/proc/stat", "cpu0 1 1 1 1 1 1 1 3\n", "steal", RS_CHECK_INFO, "30.00 ms"),
    CASE("/x", "", "steal", RS_CHECK_UNKNOWN, NULL),
    CASE("/x", "", "throttling", RS_CHECK_UNKNOWN, NULL),
    CASE(CPU0 "topology/thread_siblings_list", "0\n", "smt", RS_CHECK_GOOD,
	 "this core's"),
    CASE("/x", "", "smt", RS_CHECK_UNKNOWN, NULL),
    CASE("/proc/self/status", "Seccomp:\t0\n", "seccomp", RS_CHECK_GOOD, "none"),
    CASE("/proc/self/status", "Seccomp:\t2\n", "seccomp", RS_CHECK_INFO, "filter"),
    CASE("/x", "", "seccomp", RS_CHECK_UNKNOWN, NULL),
    CASE("/proc/sys/kernel/perf_event_paranoid", "2\n", "permission", RS_CHECK_GOOD,
	 "perf_event_paranoid 2"),
    CASE("/proc/sys/kernel/perf_event_paranoid", "3\n", "permission", RS_CHECK_WARN,
	 "perf_event_paranoid 3"),
    CASE("/x", "", "permission", RS_CHECK_UNKNOWN, NULL),
};

static const struct rs_check *find_check(const struct rs_checks *checks,
					 const char *name)
{
	for (size_t i = 0; i < checks->n_rows; i++) {
		if (strcmp(checks->rows[i].name, name) == 0)
			return &checks->rows[i];
	}
	return NULL;
}

static struct rs_checks examine(const struct fixture_file *files,
				const struct rs_bystanders *bystanders)
{
	make_root(files);
	struct rs_host *host = NULL;
	struct rs_err err;
	struct rs_checks checks = {0};
	assert_int_equal(rs_host_read(&host, 0, &err), 0);
	rs_doctor_add_rights(&checks, host);
	rs_doctor_add_state(&checks, host, bystanders);
	rs_doctor_add_facts(&checks, host);
	rs_host_free(host);
	remove_tree();
	rs_hostfs_set_root("");
	assert_int_equal(checks.code, 0);
	return checks;
}

/* What every check owes its reader, whatever the machine. */
static void check_manners(const struct rs_checks *checks)
{
	for (size_t i = 0; i < checks->n_rows; i++) {
		const struct rs_check *const check = &checks->rows[i];
		print_message("  %s: %s, %s; %s\n", check->name,
			      check->value ? check->value : "-",
			      check->cause ? check->cause : "-",
			      check->remedy ? check->remedy : "-");
		assert_ptr_equal(find_check(checks, check->name), check);
		if (check->state == RS_CHECK_WARN || check->state == RS_CHECK_BAD) {
			assert_non_null(check->cause);
			assert_non_null(check->remedy);
		}
		if (check->state == RS_CHECK_UNKNOWN) {
			assert_null(check->value);
			assert_non_null(check->cause);
		}
		if (check->state == RS_CHECK_GOOD)
			assert_null(check->remedy);
	}
}

static void each_fact_is_judged(void **state)
{
	(void)state;
	static const struct rs_bystanders unseen = {0};
	unsetenv("RUNNING_UNDER_RR");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct case_row *const row = &rows[i];
		const struct fixture_file files[] = {row->file, {NULL, NULL}};
		struct rs_checks checks = examine(files, &unseen);
		const struct rs_check *const check = find_check(&checks, row->check);
		print_message("%s with %s\n", row->check, row->file.path);
		assert_non_null(check);
		check_manners(&checks);
		assert_int_equal(check->state, row->state);
		if (row->value)
			assert_string_equal(check->value, row->value);
		else
			assert_null(check->value);
		rs_checks_free(&checks);
	}
}

static const struct fixture_file shared_core[] = {
    FIXTURE(CPU0 "topology/thread_siblings_list", "0,4\n"),
    FIXTURE("/sys/devices/system/cpu/smt/control", "on\n"),
    FIXTURE("/sys/devices/system/cpu/online", "0-7\n"),
    FIXTURE("/proc/loadavg", "0.50 0.50 0.10 1/89 5230\n"),
    FIXTURE("/proc/self/status", "CapEff:\t0000004000000000\n"),
    FIXTURE("/proc/sys/kernel/perf_event_paranoid", "4\n"),
    END_OF_FIXTURES,
};

static void busy_neighbours_are_a_warning(void **state)
{
	(void)state;
	static const struct rs_bystanders busy = {
	    .own = {.known = true, .value = 0.35},
	    .sibling = {.known = true, .value = 0.8},
	};
	static const struct rs_bystanders idle = {
	    .own = {.known = true, .value = 0.05},
	    .sibling = {.known = true, .value = 0},
	};
	struct rs_checks checks = examine(shared_core, &busy);
	check_manners(&checks);
	const struct rs_check *const smt = find_check(&checks, "smt");
	assert_int_equal(smt->state, RS_CHECK_WARN);
	assert_string_equal(smt->value,
			    "on, cpus 0,4 share the core, sibling 80 % busy");
	const struct rs_check *const load = find_check(&checks, "load");
	assert_int_equal(load->state, RS_CHECK_WARN);
	assert_string_equal(load->value, "0.50 on 8 CPUs, cpu 0 35 % busy");
	/* CAP_PERFMON lifts the level. */
	assert_int_equal(find_check(&checks, "permission")->state, RS_CHECK_GOOD);
	assert_string_equal(find_check(&checks, "permission")->value,
			    "perf_event_paranoid 4, with perfmon");
	rs_checks_free(&checks);
	checks = examine(shared_core, &idle);
	assert_int_equal(find_check(&checks, "smt")->state, RS_CHECK_INFO);
	assert_int_equal(find_check(&checks, "load")->state, RS_CHECK_GOOD);
	rs_checks_free(&checks);
}

static void busy_shares_leave_out_waiting(void **state)
{
	(void)state;
	static const struct fixture_file before[] = {
	    {"/proc/stat", "cpu  0 9 9 9 9 9 9 9\ncpu0 1 1 1 100 50 1 1 1 7 7\n"
			   "cpu10 5 5 5 5 5 5 5 5\nintr 5\n"},
	    {NULL, NULL},
	};
	/* 10 busy of 40: user 4, system 3, steal 3; idle 20, iowait 10. */
	static const struct fixture_file after = {
	    "/proc/stat", "cpu0 5 1 4 120 60 1 1 4 9 9\ncpu10 9 9 9 9 9 9 9 9\n"};
	struct rs_cpus cpus = {0};
	assert_int_equal(rs_cpus_parse("0", &cpus), 0);
	make_root(before);
	const struct rs_cpu_time first = rs_cpu_time_read(&cpus);
	assert_false(rs_busy_share(&first, &first).known);
	write_fixture(&after);
	const struct rs_cpu_time last = rs_cpu_time_read(&cpus);
	const struct rs_maybe share = rs_busy_share(&first, &last);
	assert_true(share.known && share.value == 0.25);
	assert_int_equal(last.steal - first.steal, 3);
	assert_false(rs_busy_share(&last, &first).known);
	remove_tree();
	assert_int_equal(rs_cpu_time_read(&cpus).total, 0);
	rs_hostfs_set_root("");
	rs_cpus_free(&cpus);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_fact_is_judged),
	    cmocka_unit_test(busy_neighbours_are_a_warning),
	    cmocka_unit_test(busy_shares_leave_out_waiting),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
