#include "src/verify.h"

#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "arch/arch.h"
#include "src/verify_parts.h"

/*
 * Fakes in the place of vDSO functions: C functions, so these tests are for ISAs whose
 * vDSO has the calling convention of C.
 */
typedef long fake(unsigned long, unsigned long, unsigned long);

static long or_errno(long result)
{
	return result == -1 ? -errno : result;
}

static long honest_time(unsigned long clock, unsigned long out, unsigned long unused)
{
	(void)unused;
	return or_errno(syscall(SYS_clock_gettime, clock, out));
}

/* Reads through a pointer as the vDSO does, so that it dies where that would. */
static long shifted(unsigned long clock, unsigned long out, long sec, long nsec)
{
	struct timespec now;
	const long ret = or_errno(syscall(SYS_clock_gettime, clock, &now));
	if (ret == 0)
		*(volatile struct timespec *)out =
		    (struct timespec){now.tv_sec + sec, now.tv_nsec + nsec};
	return ret;
}

static long faulting_time(unsigned long clock, unsigned long out, unsigned long unused)
{
	(void)unused;
	return shifted(clock, out, 0, 0);
}

static long future_time(unsigned long clock, unsigned long out, unsigned long unused)
{
	(void)unused;
	return shifted(clock, out, 5, 0);
}

static long long_second(unsigned long clock, unsigned long out, unsigned long unused)
{
	(void)unused;
	return shifted(clock, out, -1, 1000000000);
}

static long backward_time(unsigned long clock, unsigned long out, unsigned long unused)
{
	static long back;
	(void)unused;
	back += 1000000;
	return shifted(clock, out, 0, -back);
}

static long forgiving_time(unsigned long clock, unsigned long out, unsigned long unused)
{
	(void)unused;
	const long ret = or_errno(syscall(SYS_clock_gettime, clock, out));
	return ret == -EFAULT ? 0 : ret;
}

static long generous_time(unsigned long clock, unsigned long out, unsigned long unused)
{
	(void)unused;
	const long ret = or_errno(syscall(SYS_clock_gettime, clock, out));
	return ret == -EINVAL ? 0 : ret;
}

static long crashing_time(unsigned long clock, unsigned long out, unsigned long unused)
{
	(void)clock, (void)out, (void)unused;
	__builtin_trap();
}

static long honest_cpu(unsigned long cpu, unsigned long node, unsigned long unused)
{
	(void)unused;
	return or_errno(syscall(SYS_getcpu, cpu, node, NULL));
}

/* Remembers the first answer, as a cached CPU number would. */
static long stale_cpu(unsigned long cpu, unsigned long node, unsigned long unused)
{
	static unsigned int first = -1U;
	(void)unused;
	const long ret = or_errno(syscall(SYS_getcpu, cpu, node, NULL));
	if (ret == 0 && cpu) {
		if (first == -1U)
			first = *(unsigned int *)cpu;
		*(unsigned int *)cpu = first;
	}
	return ret;
}

static long wrong_resolution(unsigned long clock, unsigned long out,
			     unsigned long unused)
{
	(void)unused;
	const long ret = or_errno(syscall(SYS_clock_getres, clock, out));
	if (ret == 0 && out)
		((struct timespec *)out)->tv_nsec += 1;
	return ret;
}

static long resolution_of(unsigned long clock, unsigned long out, int last_unknown)
{
	const long ret = or_errno(syscall(SYS_clock_getres, clock, out));
	return ret == -EINVAL && (int)clock >= 16 && (int)clock <= last_unknown ? 0
										: ret;
}

/* As Linux's own: clocks 16 to 23 have a resolution, also where they are not there. */
static long auxiliary_resolution(unsigned long clock, unsigned long out,
				 unsigned long unused)
{
	(void)unused;
	return resolution_of(clock, out, 23);
}

static long any_resolution(unsigned long clock, unsigned long out, unsigned long unused)
{
	(void)unused;
	return resolution_of(clock, out, 63);
}

static const struct rs_trial_plan clock_plan = {
    .sysno = SYS_clock_gettime,
    .n_outputs = 1,
    .takes_clock = true,
    .clock = CLOCK_REALTIME,
    .shape = RS_TRIAL_PAIR,
    .digits = 9,
    .is_ordered = true,
};

static const struct rs_trial_plan wide_plan = {
    .sysno = SYS_clock_gettime,
    .n_outputs = 1,
    .takes_clock = true,
    .clock = CLOCK_REALTIME,
    .shape = RS_TRIAL_PAIR64,
    .digits = 9,
    .is_ordered = true,
};

static const struct rs_trial_plan resolution_plan = {
    .sysno = SYS_clock_getres,
    .n_outputs = 1,
    .takes_clock = true,
    .clock = CLOCK_REALTIME, /* with which clock ids are checked */
    .shape = RS_TRIAL_PAIR,
    .digits = 9,
};

static const struct rs_trial_plan cpu_plan = {
    .sysno = SYS_getcpu,
    .n_outputs = 2,
    .shape = RS_TRIAL_CPU,
};

static const struct {
	const char *what;
	fake *function;
	const struct rs_trial_plan *plan;
	const char *check; /* the one that has to be bad; NULL: none */
	const char *why;   /* what its sentence contains */
} cases[] = {
    {"honest", honest_time, &clock_plan, NULL, NULL},
    {"dies of bad pointers", faulting_time, &clock_plan, NULL, NULL},
    {"in the future", future_time, &clock_plan, "order", "the system call"},
    {"a second too long", long_second, &clock_plan, "normalised", "no time"},
    {"backwards", backward_time, &clock_plan, "forward", " and then "},
    {"honest, 64 bits", honest_time, &wide_plan, NULL, NULL},
    {"in the future, 64 bits", future_time, &wide_plan, "order", "the system call"},
    {"a second too long, 64 bits", long_second, &wide_plan, "normalised", "no time"},
    {"no EFAULT", forgiving_time, &clock_plan, "pointers",
     "with a NULL pointer as output 1, it says success, the system call EFAULT"},
    {"any clock", generous_time, &clock_plan, "clock ids",
     "with clock id -1, it says success, the system call EINVAL"},
    {"crashes", crashing_time, &clock_plan, "order", "it crashed with SIG"},
    {"honest CPU", honest_cpu, &cpu_plan, NULL, NULL},
    {"stale CPU", stale_cpu, &cpu_plan, "migration", "bound to CPU"},
    {"auxiliary clocks", auxiliary_resolution, &resolution_plan, NULL, NULL},
    {"resolution of any clock", any_resolution, &resolution_plan, "clock ids",
     "with clock id 63, it says success, the system call EINVAL"},
    {"wrong resolution", wrong_resolution, &resolution_plan, "resolution",
     "the system call"},
};

static const struct rs_check *find(const struct rs_checks *checks, const char *name)
{
	for (size_t i = 0; i < checks->n_rows; i++) {
		if (strcmp(checks->rows[i].name + strlen("fake "), name) == 0)
			return &checks->rows[i];
	}
	fail_msg("no check %s", name);
	return NULL;
}

static bool is_on_one_cpu(void)
{
	cpu_set_t set;
	return sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) == 1;
}

static void liars_are_caught_and_the_honest_are_not(void **state)
{
	(void)state;
	if (strcmp(rs_isa_host()->name, "x86-64") != 0) {
		print_message("skip: C functions cannot stand for this ISA's vDSO\n");
		skip();
	}
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rs_checks checks = {0};
		struct rs_trial_plan plan = *cases[i].plan;
		plan.function = (const void *)(uintptr_t)cases[i].function;
		if (cases[i].function == stale_cpu && is_on_one_cpu())
			continue;
		assert_int_equal(rs_verify_function(&checks, "fake", &plan), 0);
		print_message("%s:\n", cases[i].what);
		for (size_t c = 0; c < checks.n_rows; c++) {
			const struct rs_check *const check = &checks.rows[c];
			if (check->state == RS_CHECK_BAD)
				print_message("  %s: %s\n", check->name, check->cause);
			if (!cases[i].check)
				assert_int_not_equal(check->state, RS_CHECK_BAD);
		}
		if (cases[i].check) {
			const struct rs_check *const check =
			    find(&checks, cases[i].check);
			assert_int_equal(check->state, RS_CHECK_BAD);
			assert_non_null(strstr(check->cause, cases[i].why));
		}
		rs_checks_free(&checks);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(liars_are_caught_and_the_honest_are_not),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
