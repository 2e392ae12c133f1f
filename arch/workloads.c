#include "arch/arch.h"

#include <string.h>
#include <sys/syscall.h>

#include "src/base/text.h"

#define LINK_STACK_FIX   "Linux commit c974809a26a1 (powerpc/vdso, 2015)"
#define COUNTER_READ_FIX "Linux commit 77ec462536a1 (arm64/vdso, 2021)"

#define CONTEXT_SWITCH "selftests/powerpc/benchmarks/context_switch.c"

#ifdef SYS_time
#define SYSNO_TIME SYS_time
#else
#define SYSNO_TIME -1
#endif

static const struct rs_workload workloads[] = {
    {
	.name = "getpc",
	.text = "reads the program counter below a chain of enclosing calls",
	.source = LINK_STACK_FIX ": bcl 20,31,+8 against +4",
	.family = "getpc",
    },
    {
	.name = "datapage",
	.text = "a gettimeofday() in the manner of the vDSO, which finds its data page "
		"from its own address",
	.source = LINK_STACK_FIX ": __get_datapage",
	.family = "datapage",
    },
    {
	.name = "clockread",
	.text = "reads the tick counter, with and without barriers around it",
	.source = COUNTER_READ_FIX ": isb; mrs; isb against a fake address hazard",
	.family = "clockread",
    },
    {
	.name = "clockread.gettimeofday",
	.text = "a gettimeofday() in the manner of the vDSO around each of these reads",
	.source = COUNTER_READ_FIX ": the loop of gettimeofday()",
	.family = "clockread.gettimeofday",
    },
    {
	.name = "profile",
	.text = "calls a function with a profiler's entry sequence below a chain of "
		"enclosing calls",
	.source = "\"powerpc/ftrace: Update and move function profile instructions "
		  "out-of-line\", linuxppc-dev, 2023",
	.family = "profile",
    },
    {
	.name = "syscall",
	.text = "a null system call: getppid()",
	.source = "selftests/powerpc/benchmarks/null_syscall.c",
	.family = "syscall",
	.libc = "getppid",
	.sysno = SYS_getppid,
    },
    {
	.name = "signal",
	.text = "sends itself a signal below a chain of enclosing calls and handles it",
	.source = "Linux commit 0138ba5783ae (powerpc/64/signal, 2020)",
	.family = "signal",
    },
    {
	.name = "ctxsw",
	.text = "two threads or processes hand a CPU to each other; one call is two "
		"context switches",
	.source = CONTEXT_SWITCH,
	.family = "ctxsw",
	.takes_way = true,
    },
    {
	.name = "ctxsw.returns",
	.text = "the same below a chain of enclosing calls, whose returns show what a "
		"switch leaves of the link stack",
	.source = CONTEXT_SWITCH "; \"Software link stack flush\", Linux commit "
				 "39e72bf96f58 (powerpc/book3s64, 2019)",
	.family = "ctxsw.returns",
	.takes_way = true,
    },
    {
	.name = "vdso.gettimeofday",
	.text = "the live vDSO's gettimeofday()",
	.source =
	    "selftests/powerpc/benchmarks/gettimeofday.c, the loop of " LINK_STACK_FIX,
	.family = "vdso",
	.function = "gettimeofday",
	.sysno = SYS_gettimeofday,
	.n_outputs = 1,
    },
    {
	.name = "vdso.clock_gettime",
	.text = "the live vDSO's clock_gettime()",
	.source = "vdso(7)",
	.family = "vdso",
	.function = "clock_gettime",
	.sysno = SYS_clock_gettime,
	.takes_clock = true,
	.n_outputs = 1,
    },
#ifdef SYS_clock_gettime64
    {
	.name = "vdso.clock_gettime64",
	.text = "the live vDSO's clock_gettime64(), whose seconds have 64 bits",
	.source = "vdso(7), 32-bit programs",
	.family = "vdso",
	.function = "clock_gettime64",
	.sysno = SYS_clock_gettime64,
	.takes_clock = true,
	.n_outputs = 1,
    },
#endif
    {
	.name = "vdso.clock_getres",
	.text = "the live vDSO's clock_getres()",
	.source = "vdso(7)",
	.family = "vdso",
	.function = "clock_getres",
	.sysno = SYS_clock_getres,
	.takes_clock = true,
	.n_outputs = 1,
    },
    {
	.name = "vdso.time",
	.text = "the live vDSO's time()",
	.source = "vdso(7)",
	.family = "vdso",
	.function = "time",
	.sysno = SYSNO_TIME,
	.n_outputs = 1,
    },
    {
	.name = "vdso.getcpu",
	.text = "the live vDSO's getcpu()",
	.source = "vdso(7)",
	.family = "vdso",
	.function = "getcpu",
	.sysno = SYS_getcpu,
	.n_outputs = 2,
    },
    {
	.name = "work+clock",
	.text = "reads a block of memory, then the clock some times, as a benchmark "
		"that times its own steps does",
	.source = COUNTER_READ_FIX ": sysbench memory, 1 KiB blocks",
	.family = "work",
	.function = "clock_gettime",
	.sysno = SYS_clock_gettime,
	.takes_clock = true,
	.n_outputs = 1,
    },
    {
	.name = "vdso.getrandom",
	.text = "the live vDSO's getrandom(), for 4 bytes or as many as are named",
	.source = "selftests/vDSO/vdso_test_getrandom.c; Linux commit 4ad10a5f5f78 "
		  "(random, 2024)",
	.family = "getrandom",
	.function = "getrandom",
	.sysno = SYS_getrandom,
	.takes_bytes = true,
	.n_outputs = 1,
    },
    {.name = NULL},
};

const struct rs_workload *rs_workloads(void)
{
	return workloads;
}

bool rs_workload_is_vdso(const struct rs_workload *workload)
{
	static const char prefix[] = "vdso.";
	return strncmp(workload->name, prefix, sizeof(prefix) - 1) == 0;
}

const struct rs_workload *rs_workload_of_function(const char *function)
{
	for (const struct rs_workload *w = workloads; w->name; w++) {
		if (rs_workload_is_vdso(w) && strcmp(w->function, function) == 0)
			return w;
	}
	return NULL;
}

const struct rs_family *rs_isa_family(const struct rs_isa *isa, const char *name)
{
	for (const struct rs_family *family = isa->families; family && family->name;
	     family++) {
		if (strcmp(family->name, name) == 0)
			return family;
	}
	return NULL;
}

const char *rs_variant_obstacle(const struct rs_variant *variant)
{
	if (!variant->kernel)
		return variant->absent ? variant->absent : "no kernel, and no reason";
	return variant->missing ? variant->missing() : NULL;
}

const char *rs_effect_name(enum rs_effect effect)
{
	static const char *const names[] = {
	    [RS_EFFECT_NONE] = "none",
	    [RS_EFFECT_EXEMPT] = "exempt",
	    [RS_EFFECT_CORRUPTING] = "corrupting",
	    [RS_EFFECT_BALANCED] = "balanced",
	};
	return names[effect];
}

bool rs_result_is_right(const struct rs_kernel *kernel, const unsigned long *kargs,
			unsigned long before)
{
	switch (kernel->result) {
	case RS_RESULT_TICKS: /* a word may wrap between the two */
		return (long)(kargs[RS_KARG_RESULT] - before) >= 0;
	case RS_RESULT_CALLS:
		return kargs[RS_KARG_RESULT] == kargs[RS_KARG_CALLS];
	case RS_RESULT_OWN:
		break;
	}
	return true;
}

int rs_linear_at(const struct rs_linear *linear, unsigned int frames)
{
	return linear->base + linear->per_frame * (int)frames;
}

const char *rs_linear_text(char out[RS_LINEAR_TEXT], const struct rs_linear *linear)
{
	out[0] = '\0';
	if (linear->base || !linear->per_frame)
		rs_text_append(out, RS_LINEAR_TEXT, "%d", linear->base);
	if (linear->base && linear->per_frame)
		rs_text_append(out, RS_LINEAR_TEXT, "+");
	if (linear->per_frame > 1)
		rs_text_append(out, RS_LINEAR_TEXT, "%d", linear->per_frame);
	if (linear->per_frame)
		rs_text_append(out, RS_LINEAR_TEXT, "k");
	return out;
}
