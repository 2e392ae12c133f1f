#include "src/doctor_parts.h"

#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

#include "src/base/text.h"

#define VALUE_BYTES 256

/* A share of busy time above this disturbs; 200 ms resolve 5 %. */
#define BUSY_SHARE 0.1

static void add_cpu(struct rs_checks *checks, const struct rs_host *host)
{
	const char *const model = rs_host_fact(host, "cpu_model");
	rs_checks_add(checks, &(struct rs_check){
				  .name = "processor",
				  .state = model ? RS_CHECK_INFO : RS_CHECK_UNKNOWN,
				  .value = model,
				  .cause = model ? NULL
						 : "neither /proc/cpuinfo nor a device "
						   "tree names it",
			      });
}

static void add_tick_clock(struct rs_checks *checks, const struct rs_host *host)
{
	const char *const name = rs_host_fact(host, "tick_clock");
	const char *const hz = rs_host_fact(host, "tick_hz");
	const char *const invariance = rs_host_fact(host, "tick_invariance");
	struct rs_check check = {.name = "tick-clock", .state = RS_CHECK_GOOD};
	char value[VALUE_BYTES] = "";
	double rate = 0;
	if (name && hz && rs_text_double(hz, 1, 1e12, &rate) == 0) {
		rs_text_append(value, sizeof(value), "%s at %.1f MHz%s%s", name,
			       rate / 1e6, invariance ? ", " : "",
			       invariance ? invariance : "");
		check.value = value;
	}
	if (!check.value) {
		check.state = RS_CHECK_UNKNOWN;
		check.cause = name ? "it does not advance, or no clock to compare with"
				   : "retstack reads no tick counter on this ISA";
	} else if (invariance && strcmp(invariance, "constant nonstop") != 0) {
		check.state = RS_CHECK_WARN;
		check.cause = "its rate follows the CPU's clock or it stops in sleep";
		check.remedy = "trust ns rather than ticks";
	}
	rs_checks_add(checks, &check);
}

static bool shares_core(const char *siblings)
{
	return siblings && strpbrk(siblings, ",-");
}

static void add_smt(struct rs_checks *checks, const struct rs_host *host,
		    const struct rs_maybe *busy)
{
	const char *const smt = rs_host_fact(host, "smt");
	const char *const siblings = rs_host_fact(host, "smt_siblings");
	struct rs_check check = {.name = "smt", .state = RS_CHECK_GOOD};
	char value[VALUE_BYTES];
	snprintf(value, sizeof(value), "%s", smt ? smt : "this core's");
	if (shares_core(siblings)) {
		rs_text_append(value, sizeof(value), ", cpus %s share the core",
			       siblings);
		check.state = RS_CHECK_INFO;
		check.cause = "a busy sibling would share the predictors";
	}
	if (shares_core(siblings) && busy->known) {
		rs_text_append(value, sizeof(value), ", sibling %.0f %% busy",
			       100 * busy->value);
		if (busy->value > BUSY_SHARE) {
			check.state = RS_CHECK_WARN;
			check.cause = "the busy sibling shares the predictors";
			check.remedy =
			    "keep other work off that CPU, or switch SMT off";
		}
	}
	check.value = value;
	if (!smt && !siblings) {
		check.state = RS_CHECK_UNKNOWN;
		check.value = NULL;
		check.cause = "this kernel does not show it";
	}
	rs_checks_add(checks, &check);
}

static void add_load(struct rs_checks *checks, const struct rs_host *host,
		     const struct rs_maybe *busy)
{
	const char *const load = rs_host_fact(host, "load_average_before");
	const char *const n_online = rs_host_fact(host, "n_cpus_online");
	struct rs_check check = {.name = "load", .state = RS_CHECK_GOOD};
	char value[VALUE_BYTES] = "";
	if (load)
		rs_text_append(value, sizeof(value), "%s on %s CPUs", load,
			       n_online ? n_online : "?");
	if (busy->known)
		rs_text_append(value, sizeof(value), "%scpu %s %.0f %% busy",
			       load ? ", " : "", rs_host_fact(host, "cpu"),
			       100 * busy->value);
	if (busy->known && busy->value > BUSY_SHARE) {
		check.state = RS_CHECK_WARN;
		check.cause = "other work runs on the measured CPU";
		check.remedy = "choose another with --cpu, or stop that work";
	}
	check.value = value;
	if (!value[0]) {
		check.state = RS_CHECK_UNKNOWN;
		check.value = NULL;
		check.cause = "neither /proc/loadavg nor /proc/stat can be read";
	}
	rs_checks_add(checks, &check);
}

/* A cumulative number of ms since boot that should be 0. */
struct loss {
	const char *check; /* NULL ends the list */
	const char *fact;
	const char *absent;
	const char *cause;
	const char *remedy;
};

static const struct loss losses[] = {
    {
	.check = "steal",
	.fact = "steal_before",
	.absent = "/proc/stat has no line for this CPU",
	.cause = "so long the hypervisor ran others here since boot",
    },
    {
	.check = "throttling",
	.fact = "throttled_before",
	.absent = "no control group shows a cpu.stat",
	.cause = "a CPU quota has stopped this control group",
	.remedy = "raise its cpu.max (or cpu.cfs_quota_us)",
    },
    {.check = NULL},
};

static void add_losses(struct rs_checks *checks, const struct rs_host *host)
{
	for (const struct loss *loss = losses; loss->check; loss++) {
		const char *const value = rs_host_fact(host, loss->fact);
		const bool is_none = value && strcmp(value, "0.00 ms") == 0;
		rs_checks_add(checks,
			      &(struct rs_check){
				  .name = loss->check,
				  .state = !value    ? RS_CHECK_UNKNOWN
					   : is_none ? RS_CHECK_GOOD
						     : RS_CHECK_INFO,
				  .value = value,
				  .cause = !value    ? loss->absent
					   : is_none ? NULL
						     : loss->cause,
				  .remedy = value && !is_none ? loss->remedy : NULL,
			      });
	}
}

/* The short names of the predictor faults that this kernel works around or leaves. */
static void add_mitigations(struct rs_checks *checks, const struct rs_host *host)
{
	static const char prefix[] = "mitigation_";
	size_t n_facts = 0;
	const struct rs_fact *const facts = rs_host_facts(host, &n_facts);
	char value[VALUE_BYTES] = "";
	bool is_known = false;
	for (size_t i = 0; i < n_facts; i++) {
		if (strncmp(facts[i].name, prefix, strlen(prefix)) != 0 ||
		    !facts[i].value)
			continue;
		is_known = true;
		if (strncmp(facts[i].value, "Mitigation", strlen("Mitigation")) == 0)
			rs_text_append(value, sizeof(value), "%s%s",
				       value[0] ? ", " : "",
				       facts[i].name + strlen(prefix));
	}
	if (is_known && !value[0])
		rs_text_append(value, sizeof(value), "none");
	rs_checks_add(
	    checks,
	    &(struct rs_check){
		.name = "mitigations",
		.state = is_known ? RS_CHECK_INFO : RS_CHECK_UNKNOWN,
		.value = is_known ? value : NULL,
		.cause = is_known ? "they cost in the kernel: syscall rows, not loops"
				  : "this kernel does not report them",
	    });
}

static void add_vdso(struct rs_checks *checks)
{
	const bool is_there = getauxval(AT_SYSINFO_EHDR) != 0;
	rs_checks_add(
	    checks,
	    &(struct rs_check){
		.name = "vdso",
		.state = is_there ? RS_CHECK_GOOD : RS_CHECK_BAD,
		.value = is_there ? "present" : "absent",
		.cause = is_there ? NULL : "the kernel gave this process no vDSO image",
		.remedy = is_there ? NULL : "boot without vdso=0; emulators have none",
	    });
}

void rs_doctor_add_state(struct rs_checks *checks, const struct rs_host *host,
			 const struct rs_bystanders *bystanders)
{
	add_cpu(checks, host);
	add_tick_clock(checks, host);
	add_smt(checks, host, &bystanders->sibling);
	add_load(checks, host, &bystanders->own);
	add_losses(checks, host);
	add_mitigations(checks, host);
	add_vdso(checks);
}
