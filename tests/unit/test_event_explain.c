#include "events/explain.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "src/base/err.h"
#include "tests/unit/event_tree.h"

/* One line of the table errno x facts, with what has to be said. An int fact of 0 is an
 * unknown one. */
struct explain_case {
	int errnum;
	struct rs_perf_facts facts;
	uint32_t type;
	enum rs_status status;
	const char *cause;
	const char *remedy;
};

#define ROOT    .knows_capabilities = true, .capabilities = UINT64_MAX
#define NOBODY  .knows_capabilities = true
#define PERFMON .knows_capabilities = true, .capabilities = UINT64_C(1) << 38

static const struct explain_case cases[] = {
    {ENOENT,
     {.hypervisor = "KVM"},
     4,
     RS_STATUS_NOT_SUPPORTED,
     "(hypervisor: KVM)",
     "ns and ticks work without"},
    {EOPNOTSUPP,
     {.hypervisor = "Hyper-V"},
     4,
     RS_STATUS_NOT_SUPPORTED,
     "(hypervisor: Hyper-V)",
     "virtual PMU"},
    {ENODEV,
     {.pmus = "software"},
     4,
     RS_STATUS_NOT_SUPPORTED,
     "no PMU of a CPU core (only: software)",
     "kernel log"},
    {ENXIO,
     {.has_core_pmu = true, .hypervisor = "KVM"},
     4,
     RS_STATUS_NOT_SUPPORTED,
     "PMU 'cpu' does not have this event",
     "list events"},
    {ENOENT,
     {.hypervisor = "KVM"},
     1,
     RS_STATUS_NOT_SUPPORTED,
     "this kernel does not have the software event",
     "leave it out"},
    {ENODEV,
     {.hypervisor = "KVM"},
     5,
     RS_STATUS_NOT_SUPPORTED,
     "no hardware breakpoints",
     "another event"},
    {EACCES,
     {.paranoid = 3, NOBODY},
     4,
     RS_STATUS_NOT_PERMITTED,
     "perf_event_paranoid is 3",
     "CAP_PERFMON"},
    {EACCES,
     {.paranoid = 2},
     4,
     RS_STATUS_NOT_PERMITTED,
     "does not reveal its capabilities",
     "lower"},
    {EACCES,
     {.paranoid = 4, PERFMON},
     4,
     RS_STATUS_NOT_PERMITTED,
     "yet kernel.perf_event_paranoid 4",
     "ignore the capability"},
    {EACCES, {NOBODY}, 4, RS_STATUS_NOT_PERMITTED, "cannot be read", "mount /proc"},
    {EACCES,
     {.paranoid = 2, .seccomp = 2, NOBODY},
     4,
     RS_STATUS_NOT_PERMITTED,
     "perf_event_paranoid is 2",
     "lower"},
    {EPERM,
     {.paranoid = 2, .seccomp = 2, NOBODY},
     4,
     RS_STATUS_NOT_PERMITTED,
     "Seccomp: 2",
     "no sysctl helps"},
    {ENOSYS, {.seccomp = 2}, 4, RS_STATUS_NOT_PERMITTED, "Seccomp: 2", "profile"},
    {ENOSYS,
     {.paranoid = 0},
     4,
     RS_STATUS_NOT_SUPPORTED,
     "no perf_event_open",
     "CONFIG_PERF_EVENTS"},
    {EPERM,
     {.paranoid = 2, .lockdown = "confidentiality", ROOT},
     4,
     RS_STATUS_NOT_PERMITTED,
     "lockdown is 'confidentiality'",
     "boot without"},
    {EPERM,
     {.paranoid = 2, .lockdown = "none", ROOT},
     4,
     RS_STATUS_NOT_PERMITTED,
     "holds CAP_PERFMON",
     "sysctl"},
    {EPERM,
     {.paranoid = 2, .lockdown = "integrity", NOBODY},
     4,
     RS_STATUS_NOT_PERMITTED,
     "perf_event_paranoid is 2",
     "lower"},
    {EACCES,
     {.paranoid = 2, .selinux_enforcing = 1, ROOT},
     4,
     RS_STATUS_NOT_PERMITTED,
     "SELinux is enforcing",
     "audit log"},
    {EBUSY,
     {.nmi_watchdog = 1},
     4,
     RS_STATUS_NOT_COUNTED,
     "NMI watchdog (nmi_watchdog is 1)",
     "kernel.nmi_watchdog=0"},
    {EBUSY,
     {.paranoid = 0},
     4,
     RS_STATUS_NOT_COUNTED,
     "another user holds",
     "stop other profilers"},
    {ENOSPC,
     {.paranoid = 0},
     5,
     RS_STATUS_FAILED,
     "all breakpoint registers",
     "debugger"},
    {ENOSPC,
     {.paranoid = 0},
     4,
     RS_STATUS_FAILED,
     "no fact that is looked up",
     "perf_event_open(2)"},
    {EMFILE,
     {.soft_descriptors = 8},
     4,
     RS_STATUS_FAILED,
     "needs 9 descriptors and the limit of open files is 8",
     "ulimit -n"},
    {ENFILE,
     {.soft_descriptors = 8},
     4,
     RS_STATUS_FAILED,
     "needs 9 descriptors",
     "ulimit -n"},
    {E2BIG,
     {.paranoid = 0},
     4,
     RS_STATUS_FAILED,
     "perf_event_attr of 96 bytes",
     "newer kernel"},
    {EINVAL,
     {.has_core_pmu = true},
     4,
     RS_STATUS_NOT_SUPPORTED,
     "cannot count user mode alone",
     "':uk'"},
    {EINVAL,
     {.paranoid = 0},
     5,
     RS_STATUS_NOT_SUPPORTED,
     "address, length or kind of access",
     "align"},
    {ENODATA,
     {.nmi_watchdog = 1},
     4,
     RS_STATUS_FAILED,
     "NMI watchdog holds one",
     "fewer events"},
    {ENODATA,
     {.paranoid = 0},
     4,
     RS_STATUS_FAILED,
     "could not be placed",
     "fewer events"},
    {ENOMEM,
     {.paranoid = 0},
     4,
     RS_STATUS_FAILED,
     "no fact that is looked up",
     "errno"},
    {EINTR, {.paranoid = 0}, 4, RS_STATUS_FAILED, "no fact that is looked up", "errno"},
};

static struct rs_perf_facts with_unknowns(struct rs_perf_facts facts)
{
	int *const numbers[] = {&facts.paranoid, &facts.seccomp, &facts.nmi_watchdog,
				&facts.selinux_enforcing};
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (*numbers[i] == 0)
			*numbers[i] = RS_UNKNOWN;
	return facts;
}

static void each_errno_has_its_cause(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct explain_case *const c = &cases[i];
		const struct rs_event event = {.name = "some-event",
					       .source = "cpu",
					       .type = c->type,
					       .config = 0x8c5,
					       .breakpoint_address = 0x8c5};
		const struct rs_failure failure = {.event = &event,
						   .cpu = 7,
						   .errnum = c->errnum,
						   .doing = "open",
						   .n_descriptors = 9,
						   .kernel_attr_bytes = 96};
		const struct rs_perf_facts facts = with_unknowns(c->facts);
		char text[512];
		const enum rs_status status =
		    rs_explain(text, sizeof(text), &failure, &facts);
		print_message("%s\n", text);
		char number[32];
		snprintf(number, sizeof(number), "%s (%d); ", rs_err_name(c->errnum),
			 c->errnum);
		assert_int_equal(status, c->status);
		assert_non_null(strstr(text, "cannot open event 'some-event'"));
		assert_non_null(strstr(text, "0x8c5"));
		assert_non_null(strstr(text, "on cpu 7: "));
		assert_non_null(strstr(text, number));
		assert_non_null(strstr(text, c->cause));
		assert_non_null(strstr(text, c->remedy));
	}
}

static const struct tree_file guarded[] = {
    {"proc/sys/kernel/perf_event_paranoid", "-1\n"},
    {"proc/sys/kernel/nmi_watchdog", "1\n"},
    {"proc/self/status",
     "Name:\tx\nCapEff:\t0000004000000000\nSeccomp:\t2\nSeccomp_filters:\t1\n"},
    {"proc/cpuinfo", "flags\t: fpu hypervisor lahf_lm\n"},
    {"sys/kernel/security/lockdown", "none [integrity] confidentiality\n"},
    {"sys/fs/selinux/enforce", "0\n"},
    {"sys/class/dmi/id/product_name", "KVM\n"},
    {"sys/bus/event_source/devices/cpu/type", "4\n"},
    {NULL, NULL},
};

static const struct tree_file unnamed_guest[] = {
    {"proc/cpuinfo", "flags\t: fpu hypervisor lahf_lm\n"},
    {NULL, NULL},
};

static const struct tree_file nothing[] = {
    {NULL, NULL},
};

static void facts_are_read_from_the_trees(void **state)
{
	(void)state;
	struct tree tree;
	struct rs_perf_facts facts;
	tree_plant(&tree, guarded);
	rs_perf_facts_read(&facts);
	tree_fell(&tree);
	assert_int_equal(facts.paranoid, -1);
	assert_int_equal(facts.nmi_watchdog, 1);
	assert_int_equal(facts.selinux_enforcing, 0);
	assert_int_equal(facts.seccomp, 2);
	assert_true(facts.knows_capabilities);
	assert_true(rs_perf_facts_are_privileged(&facts));
	assert_string_equal(facts.lockdown, "integrity");
	assert_string_equal(facts.hypervisor, "KVM");
	assert_true(facts.has_core_pmu);
	assert_string_equal(facts.pmus, "cpu");
	assert_true(facts.soft_descriptors > 0);

	tree_plant(&tree, unnamed_guest);
	rs_perf_facts_read(&facts);
	tree_fell(&tree);
	assert_string_equal(facts.hypervisor, "unknown hypervisor");

	tree_plant(&tree, nothing);
	rs_perf_facts_read(&facts);
	tree_fell(&tree);
	assert_int_equal(facts.paranoid, RS_UNKNOWN);
	assert_int_equal(facts.seccomp, RS_UNKNOWN);
	assert_int_equal(facts.nmi_watchdog, RS_UNKNOWN);
	assert_int_equal(facts.selinux_enforcing, RS_UNKNOWN);
	assert_false(facts.knows_capabilities);
	assert_false(rs_perf_facts_are_privileged(&facts));
	assert_string_equal(facts.lockdown, "");
	assert_string_equal(facts.hypervisor, "");
	assert_false(facts.has_core_pmu);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_errno_has_its_cause),
	    cmocka_unit_test(facts_are_read_from_the_trees),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
