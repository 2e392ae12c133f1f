#include "events/explain.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "src/base/err.h"
#include "src/base/text.h"

/* perf_event_attr.type values of the kernel's ABI that explanations tell apart. */
enum {
	TYPE_SOFTWARE = 1,
	TYPE_BREAKPOINT = 5,
};

/* What a cause is decided from and written about. */
struct context {
	const struct rs_failure *failure;
	const struct rs_perf_facts *facts;
};

static bool is_software(const struct context *c)
{
	return c->failure->event->type == TYPE_SOFTWARE;
}

static bool is_breakpoint(const struct context *c)
{
	return c->failure->event->type == TYPE_BREAKPOINT;
}

static bool is_hidden_by_hypervisor(const struct context *c)
{
	return !c->facts->has_core_pmu && *c->facts->hypervisor;
}

static bool has_no_pmu(const struct context *c)
{
	return !c->facts->has_core_pmu;
}

static bool is_filtered(const struct context *c)
{
	return c->facts->seccomp == 2;
}

static bool is_privileged(const struct context *c)
{
	return rs_perf_facts_are_privileged(c->facts);
}

static bool is_locked_down(const struct context *c)
{
	return is_privileged(c) && *c->facts->lockdown &&
	       strcmp(c->facts->lockdown, "none") != 0;
}

static bool is_under_selinux(const struct context *c)
{
	return is_privileged(c) && c->facts->selinux_enforcing == 1;
}

static bool knows_paranoid(const struct context *c)
{
	return c->facts->paranoid != RS_UNKNOWN;
}

static bool is_privileged_and_paranoid(const struct context *c)
{
	return is_privileged(c) && knows_paranoid(c);
}

static bool has_watchdog(const struct context *c)
{
	return c->facts->nmi_watchdog == 1 && !is_software(c) && !is_breakpoint(c);
}

static bool is_read(const struct context *c)
{
	return strcmp(c->failure->doing, "read") == 0;
}

static bool excludes_kernel(const struct context *c)
{
	return !c->failure->event->is_kernel_too && !is_software(c) &&
	       !is_breakpoint(c);
}

static bool knows_attr_size(const struct context *c)
{
	return c->failure->kernel_attr_bytes != 0;
}

/* Writers of what a fixed text cannot say. */
static void say_hypervisor(const struct context *c, char *out, size_t size)
{
	rs_text_append(out, size, "no hardware PMU is visible here (hypervisor: %s)",
		       c->facts->hypervisor);
}

static void say_pmus(const struct context *c, char *out, size_t size)
{
	rs_text_append(out, size, "the kernel shows no PMU of a CPU core (only: %s)",
		       *c->facts->pmus ? c->facts->pmus : "none at all");
}

static void say_lacking(const struct context *c, char *out, size_t size)
{
	rs_text_append(out, size, "PMU '%s' does not have this event",
		       c->failure->event->source);
}

static void say_paranoid(const struct context *c, char *out, size_t size)
{
	rs_text_append(
	    out, size, "kernel.perf_event_paranoid is %d and this process %s",
	    c->facts->paranoid,
	    c->facts->knows_capabilities ? "has neither CAP_PERFMON nor CAP_SYS_ADMIN"
					 : "does not reveal its capabilities");
}

static void say_capable(const struct context *c, char *out, size_t size)
{
	rs_text_append(out, size,
		       "this process holds CAP_PERFMON or CAP_SYS_ADMIN, yet "
		       "kernel.perf_event_paranoid %d stops it",
		       c->facts->paranoid);
}

static void say_lockdown(const struct context *c, char *out, size_t size)
{
	rs_text_append(out, size,
		       "this process is privileged, but kernel lockdown is '%s'",
		       c->facts->lockdown);
}

static void say_descriptors(const struct context *c, char *out, size_t size)
{
	rs_text_append(out, size,
		       "the group needs %zu descriptors and the limit of open files is "
		       "%" PRIu64 ", already raised as far as allowed",
		       c->failure->n_descriptors, c->facts->soft_descriptors);
}

static void say_attr_size(const struct context *c, char *out, size_t size)
{
	rs_text_append(out, size,
		       "this kernel knows a perf_event_attr of %" PRIu32 " bytes only",
		       c->failure->kernel_attr_bytes);
}

#define MAX_ERRNOS 5

/* One cause. The first row whose errno and test fit is it. */
struct cause {
	int errnos[MAX_ERRNOS];                   /* ended by 0; none: any errno */
	bool (*applies)(const struct context *c); /* NULL: always */
	enum rs_status status;
	const char *cause; /* or say, which writes it */
	void (*say)(const struct context *c, char *out, size_t size);
	const char *remedy;
};

#define ABSENT  ENOENT, ENODEV, ENXIO, EOPNOTSUPP
#define REFUSED EACCES, EPERM

static const char elsewhere[] =
    "ns and ticks work without; enable the virtual PMU or measure on the host";
static const char lower[] = "lower that sysctl as root, or run with CAP_PERFMON";

static const struct cause causes[] = {
    {{ABSENT},
     is_breakpoint,
     RS_STATUS_NOT_SUPPORTED,
     "this machine or kernel has no hardware breakpoints",
     NULL,
     "count with another event"},
    {{ABSENT},
     is_software,
     RS_STATUS_NOT_SUPPORTED,
     "this kernel does not have the software event",
     NULL,
     "leave it out"},
    {{ABSENT},
     is_hidden_by_hypervisor,
     RS_STATUS_NOT_SUPPORTED,
     NULL,
     say_hypervisor,
     elsewhere},
    {{ABSENT},
     has_no_pmu,
     RS_STATUS_NOT_SUPPORTED,
     NULL,
     say_pmus,
     "ns and ticks work without; look in the kernel log for its PMU driver"},
    {{ABSENT},
     NULL,
     RS_STATUS_NOT_SUPPORTED,
     NULL,
     say_lacking,
     "choose one of 'retstack list events'"},
    {{EPERM, ENOSYS},
     is_filtered,
     RS_STATUS_NOT_PERMITTED,
     "a seccomp filter is active (Seccomp: 2 in /proc/self/status)",
     NULL,
     "allow perf_event_open in the container's profile; no sysctl helps"},
    {{ENOSYS},
     NULL,
     RS_STATUS_NOT_SUPPORTED,
     "the kernel has no perf_event_open, and no seccomp filter is active",
     NULL,
     "use a kernel built with CONFIG_PERF_EVENTS"},
    {{REFUSED},
     is_locked_down,
     RS_STATUS_NOT_PERMITTED,
     NULL,
     say_lockdown,
     "boot without lockdown, or go without counters"},
    {{REFUSED},
     is_under_selinux,
     RS_STATUS_NOT_PERMITTED,
     "this process is privileged, but SELinux is enforcing",
     NULL,
     "grant its domain the perf_event permissions; the audit log names them"},
    {{REFUSED},
     is_privileged_and_paranoid,
     RS_STATUS_NOT_PERMITTED,
     NULL,
     say_capable,
     "some kernels ignore the capability from level 3 up: lower the sysctl as root"},
    {{REFUSED}, knows_paranoid, RS_STATUS_NOT_PERMITTED, NULL, say_paranoid, lower},
    {{REFUSED},
     NULL,
     RS_STATUS_NOT_PERMITTED,
     "kernel.perf_event_paranoid cannot be read, so what refuses is unknown",
     NULL,
     "mount /proc, or run with CAP_PERFMON"},
    {{EBUSY},
     has_watchdog,
     RS_STATUS_NOT_COUNTED,
     "counters are taken, one of them by the NMI watchdog (nmi_watchdog is 1)",
     NULL,
     "count fewer events, or set kernel.nmi_watchdog=0 as root"},
    {{EBUSY},
     NULL,
     RS_STATUS_NOT_COUNTED,
     "another user holds the counters, and it is not the NMI watchdog",
     NULL,
     "stop other profilers"},
    {{ENOSPC},
     is_breakpoint,
     RS_STATUS_FAILED,
     "all breakpoint registers are taken",
     NULL,
     "ask for fewer breakpoints, or detach the debugger"},
    {{EMFILE, ENFILE},
     NULL,
     RS_STATUS_FAILED,
     NULL,
     say_descriptors,
     "raise it with 'ulimit -n', or count fewer events"},
    {{E2BIG},
     knows_attr_size,
     RS_STATUS_FAILED,
     NULL,
     say_attr_size,
     "leave out what needs the newer kernel"},
    {{EINVAL},
     is_breakpoint,
     RS_STATUS_NOT_SUPPORTED,
     "the kernel refuses this address, length or kind of access",
     NULL,
     "align the address to the length; execution needs ':x' alone"},
    {{EINVAL},
     excludes_kernel,
     RS_STATUS_NOT_SUPPORTED,
     "the PMU refuses this code, or cannot count user mode alone",
     NULL,
     "check the code; ':uk' asks for both modes"},
    {{EINVAL},
     NULL,
     RS_STATUS_NOT_SUPPORTED,
     "the PMU refuses this code",
     NULL,
     "check the code against the PMU's manual"},
    {{ENODATA},
     has_watchdog,
     RS_STATUS_FAILED,
     "the pinned group lost its counters, and the NMI watchdog holds one",
     NULL,
     "count fewer events, or set kernel.nmi_watchdog=0 as root"},
    {{ENODATA},
     NULL,
     RS_STATUS_FAILED,
     "the pinned group could not be placed on the PMU",
     NULL,
     "count fewer events, and stop other profilers"},
    {{0},
     is_read,
     RS_STATUS_FAILED,
     "the counters opened but cannot be read",
     NULL,
     "run 'retstack doctor' for what can"},
    {{0},
     NULL,
     RS_STATUS_FAILED,
     "no fact that is looked up here explains it",
     NULL,
     "see perf_event_open(2) for this errno"},
};

static bool has_errno(const struct cause *cause, int errnum)
{
	if (cause->errnos[0] == 0)
		return true;
	for (size_t i = 0; i < MAX_ERRNOS && cause->errnos[i]; i++)
		if (cause->errnos[i] == errnum)
			return true;
	return false;
}

static const struct cause *cause_of(const struct context *context)
{
	const struct cause *cause = causes;
	while (!has_errno(cause, context->failure->errnum) ||
	       (cause->applies && !cause->applies(context)))
		cause++;
	return cause;
}

static const char *scope_word(const struct rs_event *event)
{
	if (event->is_kernel_only)
		return "kernel mode";
	return event->is_kernel_too ? "user and kernel mode" : "user mode only";
}

static void say_what(char *out, size_t size, const char *doing,
		     const struct rs_event *event, unsigned int cpu)
{
	out[0] = '\0';
	rs_text_append(out, size, "cannot %s event '%s' (", doing, event->name);
	if (event->type == TYPE_BREAKPOINT)
		rs_text_append(out, size, "address 0x%" PRIx64,
			       event->breakpoint_address);
	else
		rs_text_append(out, size, "type %" PRIu32 " config 0x%" PRIx64,
			       event->type, event->config);
	rs_text_append(out, size, ", %s) on cpu %u: ", scope_word(event), cpu);
}

enum rs_status rs_explain(char *out, size_t size, const struct rs_failure *failure,
			  const struct rs_perf_facts *facts)
{
	const struct context context = {.failure = failure, .facts = facts};
	const struct cause *const cause = cause_of(&context);
	say_what(out, size, failure->doing, failure->event, failure->cpu);
	rs_text_append(out, size, "%s (%d); ", rs_err_name(failure->errnum),
		       failure->errnum);
	if (cause->say)
		cause->say(&context, out, size);
	else
		rs_text_append(out, size, "%s", cause->cause);
	rs_text_append(out, size, "; %s", cause->remedy);
	return cause->status;
}

enum rs_status rs_explain_not_counted(char *out, size_t size,
				      const struct rs_event *event, unsigned int cpu,
				      const struct rs_perf_facts *facts)
{
	say_what(out, size, "count", event, cpu);
	rs_text_append(out, size, "it opens but never runs; ");
	const struct rs_failure failure = {
	    .event = event, .errnum = EBUSY, .doing = "count"};
	const struct context context = {.failure = &failure, .facts = facts};
	const struct cause *const cause = cause_of(&context);
	rs_text_append(out, size, "%s; %s", cause->cause, cause->remedy);
	return RS_STATUS_NOT_COUNTED;
}

void rs_explain_reading(char *out, size_t size, const struct rs_event *event,
			unsigned int cpu, enum rs_status status)
{
	say_what(out, size, "count", event, cpu);
	if (status == RS_STATUS_MULTIPLEXED)
		rs_text_append(out, size,
			       "it ran only part of the time although it was pinned; "
			       "stop other profilers");
	else
		rs_text_append(out, size,
			       "its value or its times went backwards; do not trust "
			       "this counter");
}
