#include "src/host.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/hostfs.h"
#include "tests/unit/fixture.h"

#define CPU0  "/sys/devices/system/cpu/cpu0/"
#define CPU5  "/sys/devices/system/cpu/cpu5/"
#define VULN  "/sys/devices/system/cpu/vulnerabilities/"
#define CLOCK "/sys/devices/system/clocksource/clocksource0/"

struct expectation {
	const char *fact;  /* NULL ends a list */
	const char *value; /* NULL: unknown, with a note */
};

#define FACT(name, is)                                                                 \
	{                                                                              \
		.fact = (name), .value = (is)                                          \
	}
#define END_OF_FACTS FACT(NULL, NULL)

static const struct fixture_file intel_files[] = {
    FIXTURE(
	"/proc/cpuinfo",
	"processor\t: 0\nvendor_id\t: Other\nmodel name\t: other\n\n"
	"processor\t: 5\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 151\n"
	"model name\t: 12th Gen Intel(R) Core(TM) i9-12900K\nstepping\t: 2\n"
	"microcode\t: 0x2c\nflags\t\t: fpu tsc constant_tsc nonstop_tsc\n\n"),
    FIXTURE("/etc/os-release", "ID=x\nPRETTY_NAME=\"Some Linux 12\"\n"),
    FIXTURE("/sys/devices/system/cpu/smt/control", "on\n"),
    FIXTURE("/sys/devices/system/cpu/online", "0-15\n"),
    FIXTURE("/sys/devices/system/cpu/isolated", "\n"),
    FIXTURE("/sys/devices/system/cpu/intel_pstate/no_turbo", "1\n"),
    FIXTURE(CPU5 "topology/thread_siblings_list", "4-5\n"),
    FIXTURE(CPU5 "cpufreq/scaling_governor", "powersave\n"),
    FIXTURE(CPU5 "cpufreq/scaling_driver", "intel_pstate\n"),
    FIXTURE(CPU5 "cpufreq/cpuinfo_max_freq", "5100000\n"),
    FIXTURE(VULN "spectre_v2", "Mitigation: Enhanced IBRS; RSB filling\n"),
    FIXTURE(CLOCK "current_clocksource", "tsc\n"),
    FIXTURE("/proc/self/status", "TracerPid:\t77\nx86_Thread_features:\tshstk \n"),
    FIXTURE("/proc/self/exe", "->/usr/bin/retstack"),
    FIXTURE("/proc/thread-self/exe", "->/usr/bin/retstack"),
    FIXTURE("/proc/sys/kernel/nmi_watchdog", "1\n"),
    FIXTURE("/proc/sys/kernel/perf_event_paranoid", "4\n"),
    FIXTURE("/proc/loadavg", "1.25 0.50 0.10 1/89 5230\n"),
    FIXTURE("/proc/stat",
	    "cpu  1 2 3\ncpu5 1 2 3 4 5 6 7 50 0 0\ncpu51 1 2 3 4 5 6 7 9\n"),
    END_OF_FIXTURES,
};

static const struct expectation intel_facts[] = {
    FACT("cpu_model", "12th Gen Intel(R) Core(TM) i9-12900K"),
    FACT("cpu_vendor", "GenuineIntel"),
    FACT("cpu_family_model_stepping", "family 6 model 151 stepping 2"),
    FACT("microcode", "0x2c"),
    FACT("os", "Some Linux 12"),
    FACT("smt", "on"),
    FACT("smt_siblings", "4-5"),
    FACT("governor", "powersave"),
    FACT("driver", "intel_pstate"),
    FACT("boost", "off"),
    FACT("cpu_mhz_max", "5100"),
    FACT("isolated_cpus", "none"),
    FACT("n_cpus_online", "16"),
    FACT("tick_invariance", "constant nonstop"),
    FACT("link_stack_flush", "RSB filling"),
    FACT("shadow_stack", "on"),
    FACT("traced", "yes"),
    FACT("hypervisor", "none"),
    FACT("emulator", "none"),
    FACT("load_average_before", "1.25"),
    FACT("mitigation_retbleed", NULL),
    FACT("throttled_before", NULL),
    END_OF_FACTS,
};

static const struct fixture_file power_files[] = {
    FIXTURE("/proc/cpuinfo",
	    "processor\t: 0\ncpu\t\t: POWER9 (architected), altivec supported\n"
	    "clock\t\t: 2200.000000MHz\nrevision\t: 2.2 (pvr 004e 1202)\n\n"
	    "timebase\t: 512000000\nplatform\t: pSeries\n"
	    "model\t\t: IBM pSeries (emulated by qemu)\n"
	    "machine\t\t: CHRP IBM pSeries (emulated by qemu)\nMMU\t\t: Hash\n"),
    FIXTURE(VULN "spectre_v2", "Mitigation: Software count cache flush (hardware "
			       "accelerated), Software link stack flush\n"),
    FIXTURE(CLOCK "current_clocksource", "timebase\n"),
    FIXTURE("/proc/self/status", "TracerPid:\t0\n"),
    FIXTURE("/proc/self/cgroup", "1:cpu,cpuacct:/lim/it\n0::/unified\n"),
    FIXTURE("/proc/self/mountinfo",
	    "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n"
	    "32 31 0:29 / /sys/fs/cgroup/cpu rw,nosuid - cgroup cgroup rw,cpuacct,cpu\n"
	    "33 31 0:30 /lim /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"),
    FIXTURE("/sys/fs/cgroup/cpu/lim/it/cpu.stat",
	    "nr_periods 9\nnr_throttled 2\nthrottled_time 1500000\n"),
    FIXTURE("/sys/fs/cgroup/cpu/lim/cpu.stat",
	    "nr_throttled 1\nthrottled_time 1000000\n"),
    FIXTURE("/sys/fs/cgroup/cpu/cpu.stat", "nr_periods 0\nnr_throttled 0\n"),
    END_OF_FIXTURES,
};

static const struct expectation power_facts[] = {
    FACT("cpu_model", "POWER9 (architected), altivec supported"),
    FACT("cpu_vendor", NULL),
    FACT("cpu_family_model_stepping", "revision 2.2 (pvr 004e 1202)"),
    FACT("microcode", NULL),
    FACT("clocksource", "timebase"),
    FACT("tick_invariance", NULL),
    FACT("hypervisor", "QEMU (KVM or an emulator)"),
    FACT("link_stack_flush", "Software link stack flush"),
    FACT("mitigation_spectre_v2", "Mitigation: Software count cache flush (hardware "
				  "accelerated), Software link stack flush"),
    FACT("traced", "no"),
    FACT("throttled_before", "2.50 ms"),
    FACT("steal_before", NULL),
    END_OF_FACTS,
};

/* big.LITTLE: the two CPUs differ; a device tree; control groups of version 2. */
static const struct fixture_file arm_files[] = {
    FIXTURE("/proc/cpuinfo",
	    "processor\t: 0\nCPU implementer\t: 0x41\nCPU variant\t: 0x0\n"
	    "CPU part\t: 0xd03\nCPU revision\t: 4\n\n"
	    "processor\t: 5\nCPU implementer\t: 0x41\nCPU variant\t: 0x1\n"
	    "CPU part\t: 0xd09\nCPU revision\t: 2\n\n"),
    FIXTURE(CPU0 "of_node/compatible", "arm,cortex-a53"),
    FIXTURE(CPU5 "of_node/compatible", "arm,cortex-a73"),
    FIXTURE(CPU5 "cpufreq/boost", "1\n"),
    FIXTURE(CLOCK "current_clocksource", "arch_sys_counter\n"),
    FIXTURE("/sys/devices/system/cpu/isolated", "4-5\n"),
    FIXTURE("/proc/self/cgroup", "0::/box/job\n"),
    FIXTURE(
	"/proc/self/mountinfo",
	"32 31 0:29 /box /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"),
    FIXTURE("/sys/fs/cgroup/job/cpu.stat",
	    "usage_usec 5\nnr_periods 3\nnr_throttled 2\nthrottled_usec 4500\n"),
    FIXTURE("/sys/fs/cgroup/cpu.stat", "usage_usec 5\n"),
    FIXTURE("/proc/device-tree/hypervisor/compatible", "linux,kvm"),
    FIXTURE("/proc/self/exe", "->/usr/bin/retstack"),
    FIXTURE("/proc/thread-self/exe", "->/usr/bin/qemu-aarch64-static"),
    END_OF_FIXTURES,
};

static const struct expectation arm_facts[] = {
    FACT("cpu_model", "arm,cortex-a73"),
    FACT("cpu_vendor", "implementer 0x41"),
    FACT("cpu_family_model_stepping",
	 "implementer 0x41 part 0xd09 variant 0x1 revision 2"),
    FACT("boost", "on"),
    FACT("isolated_cpus", "4-5"),
    FACT("hypervisor", "KVM"),
    FACT("emulator", "qemu-user"),
    FACT("throttled_before", "4.50 ms"),
    FACT("link_stack_flush", NULL),
    END_OF_FACTS,
};

static const struct fixture_file s390_files[] = {
    FIXTURE("/proc/cpuinfo",
	    "vendor_id       : IBM/S390\n# processors    : 1\n"
	    "processor 0: version = FF,  identification = 0133E8,  machine = 3931\n\n"
	    "cpu number      : 0\nversion         : FF\nidentification  : 0133E8\n"
	    "machine         : 3931\n\n"),
    FIXTURE("/proc/sysinfo",
	    "VM00 Name:            guest\nVM00 Control Program: KVM/Linux\n"),
    FIXTURE(VULN "spectre_v2", "Mitigation: etokens\n"),
    FIXTURE("/proc/self/exe", "->/usr/bin/retstack"),
    FIXTURE("/proc/thread-self/exe", "->/usr/libexec/valgrind/none-s390x-linux"),
    END_OF_FIXTURES,
};

static const struct expectation s390_facts[] = {
    FACT("cpu_model", "machine 3931"),
    FACT("cpu_family_model_stepping", "machine 3931"),
    FACT("hypervisor", "KVM"),
    FACT("link_stack_flush", "none"),
    FACT("emulator", "Valgrind"),
    END_OF_FACTS,
};

static const struct fixture_file no_files[] = {{NULL, NULL}};

/* Nothing to read: nothing is known, and nothing is guessed. */
static const struct expectation no_facts[] = {
    FACT("cpu_model", NULL),
    FACT("cpu_vendor", NULL),
    FACT("cpu_family_model_stepping", NULL),
    FACT("microcode", NULL),
    FACT("os", NULL),
    FACT("clocksource", NULL),
    FACT("clocksource_available", NULL),
    FACT("tick_invariance", NULL),
    FACT("smt", NULL),
    FACT("smt_siblings", NULL),
    FACT("governor", NULL),
    FACT("boost", NULL),
    FACT("cpu_mhz_max", NULL),
    FACT("hypervisor", NULL),
    FACT("mitigation_spectre_v2", NULL),
    FACT("link_stack_flush", NULL),
    FACT("shadow_stack", NULL),
    FACT("emulator", NULL),
    FACT("perf_event_paranoid", NULL),
    FACT("nmi_watchdog", NULL),
    FACT("load_average_before", NULL),
    FACT("steal_before", NULL),
    FACT("throttled_before", NULL),
    END_OF_FACTS,
};

static const struct {
	const char *name;
	unsigned int cpu;
	const struct fixture_file *files;
	const struct expectation *facts;
} machines[] = {
    {"Intel desktop", 5, intel_files, intel_facts},
    {"POWER9 guest", 0, power_files, power_facts},
    {"arm64 big core", 5, arm_files, arm_facts},
    {"s390x guest", 0, s390_files, s390_facts},
    {"nothing visible", 0, no_files, no_facts},
};

static const struct rs_fact *find_fact(const struct rs_host *host, const char *name)
{
	size_t n_facts = 0;
	const struct rs_fact *const facts = rs_host_facts(host, &n_facts);
	for (size_t i = 0; i < n_facts; i++) {
		if (strcmp(facts[i].name, name) == 0)
			return &facts[i];
	}
	return NULL;
}

static void check_facts(const struct rs_host *host, const struct expectation *row)
{
	for (; row->fact; row++) {
		const struct rs_fact *const fact = find_fact(host, row->fact);
		print_message("  %s: %s\n", row->fact,
			      fact && fact->value ? fact->value : "-");
		assert_non_null(fact);
		if (row->value) {
			assert_non_null(fact->value);
			assert_string_equal(fact->value, row->value);
		} else {
			assert_null(fact->value);
			assert_non_null(fact->note);
		}
	}
}

static void every_machine_is_read_as_described(void **state)
{
	(void)state;
	unsetenv("RUNNING_UNDER_RR");
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		print_message("%s\n", machines[i].name);
		make_root(machines[i].files);
		struct rs_host *host = NULL;
		struct rs_err err;
		assert_int_equal(rs_host_read(&host, machines[i].cpu, &err), 0);
		check_facts(host, machines[i].facts);
		assert_null(rs_host_fact(host, "no_such_fact"));
		rs_host_free(host);
		remove_tree();
	}
	rs_hostfs_set_root("");
}

static const struct fixture_file quiet[] = {
    FIXTURE(CLOCK "current_clocksource", "tsc\n"),
    FIXTURE("/sys/devices/system/cpu/online", "0-1\n"),
    FIXTURE("/proc/loadavg", "2.00 0.50 0.10 1/89 5230\n"),
    FIXTURE("/proc/stat", "cpu  1 2\ncpu0 1 2 3 4 5 6 7 50 0 0\n"),
    FIXTURE("/proc/self/cgroup", "0::/\n"),
    FIXTURE("/proc/self/mountinfo", "32 31 0:29 / /cg rw - cgroup2 cgroup2 rw\n"),
    FIXTURE("/cg/cpu.stat", "nr_throttled 2\nthrottled_usec 4500\n"),
    END_OF_FIXTURES,
};

#define CHANGE(where, what, told)                                                      \
	{                                                                              \
		.change = FIXTURE(where, what), .note = (told)                         \
	}

static const struct {
	struct fixture_file change; /* path NULL: nothing changes */
	const char *note;           /* a part of the only sentence; NULL: none */
} changes[] = {
    CHANGE(NULL, NULL, NULL),
    CHANGE(CLOCK "current_clocksource", "hpet\n", "changed from tsc to hpet"),
    CHANGE("/proc/stat", "cpu  1 2\ncpu0 1 2 3 4 5 6 7 53 0 0\n", "took cpu 0 away"),
    CHANGE("/cg/cpu.stat", "nr_throttled 5\nthrottled_usec 9500\n",
	   "3 times for 5.0 ms"),
    CHANGE("/proc/loadavg", "2.01 0.50 0.10 1/89 5230\n", "2.01 on 2 online CPUs"),
    /* Counters that went backwards or vanished say nothing. */
    CHANGE("/proc/stat", "cpu  1 2\ncpu0 1 2 3 4 5 6 7 20 0 0\n", NULL),
    CHANGE("/cg/cpu.stat", "", NULL),
};

static void what_changed_during_the_run_is_told(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		make_root(quiet);
		struct rs_host *host = NULL;
		struct rs_err err;
		assert_int_equal(rs_host_read(&host, 0, &err), 0);
		if (changes[i].change.path)
			write_fixture(&changes[i].change);
		const char *notes[8];
		const size_t n = rs_host_read_after(host, notes, 8);
		print_message("row %zu: %s\n", i, n ? notes[0] : "-");
		assert_int_equal(n, changes[i].note ? 1 : 0);
		if (n)
			assert_non_null(strstr(notes[0], changes[i].note));
		assert_non_null(find_fact(host, "steal_after"));
		assert_non_null(find_fact(host, "clocksource_after"));
		rs_host_free(host);
		remove_tree();
	}
	rs_hostfs_set_root("");
}

/* Whatever machine runs the test: facts have names, and a value or a reason. */
static void this_machine_has_a_value_or_a_reason_for_each(void **state)
{
	(void)state;
	struct rs_host *host = NULL;
	struct rs_err err;
	assert_int_equal(rs_host_read(&host, 0, &err), 0);
	size_t n_facts = 0;
	const struct rs_fact *const facts = rs_host_facts(host, &n_facts);
	assert_true(n_facts > 30);
	for (size_t i = 0; i < n_facts; i++) {
		print_message("  %s: %s\n", facts[i].name,
			      facts[i].value ? facts[i].value : "-");
		assert_true(facts[i].value || facts[i].note);
		assert_ptr_equal(find_fact(host, facts[i].name), &facts[i]);
	}
	assert_non_null(rs_host_fact(host, "kernel_release"));
	rs_host_free(host);
	rs_host_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_machine_is_read_as_described),
	    cmocka_unit_test(what_changed_during_the_run_is_told),
	    cmocka_unit_test(this_machine_has_a_value_or_a_reason_for_each),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
