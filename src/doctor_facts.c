#include "src/doctor_parts.h"

#include <string.h>

#include "src/base/text.h"

/* What a value that matches pattern (a glob) means. */
struct judgement {
	const char *pattern; /* NULL ends a list */
	enum rs_check_state state;
	const char *cause;
	const char *remedy;
};

#define JUDGE(glob, as, why, what)                                                     \
	{                                                                              \
		.pattern = (glob), .state = (as), .cause = (why), .remedy = (what)     \
	}
#define GOOD(glob)            JUDGE(glob, RS_CHECK_GOOD, NULL, NULL)
#define INFO(glob, why)       JUDGE(glob, RS_CHECK_INFO, why, NULL)
#define TIP(glob, why, what)  JUDGE(glob, RS_CHECK_INFO, why, what)
#define WARN(glob, why, what) JUDGE(glob, RS_CHECK_WARN, why, what)
#define BAD(glob, why, what)  JUDGE(glob, RS_CHECK_BAD, why, what)
#define END                   JUDGE(NULL, RS_CHECK_UNKNOWN, NULL, NULL)

#define SYSCALL_CAUSE "the vDSO cannot read it: clock functions enter the kernel"
#define TSC_REMEDY    "see in the kernel log why tsc was refused"
#define LOG_REMEDY    "see in the kernel log why it found no better one"

/*
 * Which of them the vDSO reads is the vDSO clock mode that their drivers set (Linux
 * 6.18: on x86 tsc, kvm-clock and hyperv_clocksource_tsc_page; Xen's only where Xen
 * declares its TSC stable).
 */
static const struct judgement of_clock_source[] = {
    GOOD("tsc"),
    GOOD("kvm-clock"),
    GOOD("hyperv_clocksource_tsc_page"),
    GOOD("timebase"),
    GOOD("arch_sys_counter"),
    GOOD("riscv_clocksource"),
    GOOD("tod"),
    WARN("hpet", SYSCALL_CAUSE, TSC_REMEDY),
    WARN("acpi_pm", SYSCALL_CAUSE, TSC_REMEDY),
    WARN("*jiffies", SYSCALL_CAUSE, LOG_REMEDY),
    WARN("xen", "unless Xen calls its TSC stable, clock functions enter the kernel",
	 "choose tsc where the host allows it"),
    TIP("*", "retstack does not know whether the vDSO reads it",
	"see the verdicts of `retstack list vdso`"),
    END,
};

static const struct judgement of_governor[] = {
    GOOD("performance"),
    WARN("*", "the clock rate follows the load: compare cycles, not ns",
	 "use the governor 'performance' while measuring"),
    END,
};

static const struct judgement of_boost[] = {
    GOOD("off"),
    INFO("*", "the clock rate depends on heat and on other cores"),
    END,
};

static const struct judgement of_hypervisor[] = {
    GOOD("none"),
    WARN("*emulator)", "times may describe an emulator",
	 "measure on the processor itself"),
    INFO("*", "it decides which counters are seen, and may take the CPU away"),
    END,
};

static const struct judgement of_emulator[] = {
    GOOD("none"),
    BAD("*", "results describe it, not the processor", "run retstack without it"),
    END,
};

static const struct judgement of_traced[] = {
    GOOD("no"),
    WARN("*", "a tracer slows system calls and hides the model column",
	 "run without strace or a debugger"),
    END,
};

static const struct judgement of_shadow_stack[] = {
    GOOD("off"),
    WARN("*", "variants that drop a return address fault at the next return",
	 "on x86, start with GLIBC_TUNABLES=glibc.cpu.x86_shstk=off"),
    END,
};

static const struct judgement of_link_stack_flush[] = {
    GOOD("none"),
    INFO("*", "at task switches only; such repetitions are rejected"),
    END,
};

static const struct judgement of_nmi_watchdog[] = {
    GOOD("0"),
    TIP("*", "on x86 it holds one hardware counter",
	"sysctl kernel.nmi_watchdog=0 frees it"),
    END,
};

/* The first judgement that matches the fact decides the check. */
static const struct {
	const char *check;
	const char *fact;
	const struct judgement *judgements;
} checked[] = {
    {"clock-source", "clocksource", of_clock_source},
    {"governor", "governor", of_governor},
    {"boost", "boost", of_boost},
    {"hypervisor", "hypervisor", of_hypervisor},
    {"emulator", "emulator", of_emulator},
    {"traced", "traced", of_traced},
    {"shadow-stack", "shadow_stack", of_shadow_stack},
    {"link-stack-flush", "link_stack_flush", of_link_stack_flush},
    {"nmi-watchdog", "nmi_watchdog", of_nmi_watchdog},
};

static const char *note_of(const struct rs_host *host, const char *name)
{
	size_t n_facts = 0;
	const struct rs_fact *const facts = rs_host_facts(host, &n_facts);
	for (size_t i = 0; i < n_facts; i++) {
		if (strcmp(facts[i].name, name) == 0)
			return facts[i].note;
	}
	return NULL;
}

/* Each list ends with a row that matches everything, or with the ending row. */
static const struct judgement *find_judgement(const struct judgement *row,
					      const char *value)
{
	while (row->pattern && !rs_text_glob(row->pattern, value))
		row++;
	return row;
}

void rs_doctor_add_facts(struct rs_checks *checks, const struct rs_host *host)
{
	for (size_t i = 0; i < sizeof(checked) / sizeof(checked[0]); i++) {
		const char *const value = rs_host_fact(host, checked[i].fact);
		struct rs_check check = {.name = checked[i].check, .value = value};
		if (value) {
			const struct judgement *const row =
			    find_judgement(checked[i].judgements, value);
			check.state = row->state;
			check.cause = row->cause;
			check.remedy = row->remedy;
		} else {
			check.state = RS_CHECK_UNKNOWN;
			check.cause = note_of(host, checked[i].fact);
		}
		rs_checks_add(checks, &check);
	}
}
