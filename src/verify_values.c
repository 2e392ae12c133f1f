#include "src/verify_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "src/base/err.h"
#include "src/child.h"

/*
 * A clock may be set while it is looked at, and some kernels let the vDSO see a new
 * second a moment before the system call does: what is wrong is wrong in every attempt.
 */
#define N_ATTEMPTS 3
#define N_ROUNDS   10000

/* One look; false with the sentence in verifying when it is not as it should be. */
typedef bool look(struct rs_verifying *verifying);

/* Rounds of looks, begun anew after a failure. */
static void attempt(struct rs_verifying *verifying, look *is_good)
{
	for (int i = 0; i < N_ATTEMPTS; i++) {
		verifying->state = RS_CHECK_GOOD;
		verifying->why[0] = '\0';
		verifying->n = 0;
		while (verifying->n < N_ROUNDS && is_good(verifying))
			verifying->n++;
		if (verifying->state == RS_CHECK_GOOD)
			return;
	}
}

static const char *text_of(char out[RS_TRIAL_TEXT], const struct rs_trial_plan *plan,
			   const struct rs_trial_value *value)
{
	return rs_trial_text(out, plan->shape, plan->digits, value);
}

/* Between two answers of the kernel, or equal to them where nothing may change. */
static bool is_between(struct rs_verifying *verifying)
{
	const struct rs_trial_plan *const plan = verifying->plan;
	char texts[3][RS_TRIAL_TEXT];
	const struct rs_trial_value before = rs_trial_ask_kernel(plan);
	const struct rs_trial_value value = rs_trial_ask_function(plan);
	const struct rs_trial_value after = rs_trial_ask_kernel(plan);
	if (value.code == before.code && before.code == after.code &&
	    (value.code ||
	     (rs_trial_is_up_to(&before, &value) && rs_trial_is_up_to(&value, &after))))
		return true;
	rs_verify_say(verifying, RS_CHECK_BAD,
		      "it says %s; the system call %s before it and %s after it",
		      text_of(texts[0], plan, &value), text_of(texts[1], plan, &before),
		      text_of(texts[2], plan, &after));
	return false;
}

static void check_order(void *shared)
{
	attempt(shared, is_between);
}

/* A fraction of a second is below one, and no clock here is before its epoch. */
static bool is_normalised(struct rs_verifying *verifying)
{
	const struct rs_trial_plan *const plan = verifying->plan;
	const long limit = plan->digits == 6 ? 1000000 : 1000000000;
	char text[RS_TRIAL_TEXT];
	const struct rs_trial_value value = rs_trial_ask_function(plan);
	if (value.code ||
	    (value.word[0] >= 0 && value.word[1] >= 0 && value.word[1] < limit))
		return true;
	rs_verify_say(verifying, RS_CHECK_BAD, "it says %s, which is no time",
		      text_of(text, plan, &value));
	return false;
}

static void check_normalised(void *shared)
{
	attempt(shared, is_normalised);
}

static bool does_not_go_back(struct rs_verifying *verifying)
{
	const struct rs_trial_plan *const plan = verifying->plan;
	char texts[2][RS_TRIAL_TEXT];
	const struct rs_trial_value first = rs_trial_ask_function(plan);
	const struct rs_trial_value second = rs_trial_ask_function(plan);
	if (first.code || second.code || rs_trial_is_up_to(&first, &second))
		return true;
	rs_verify_say(verifying, RS_CHECK_BAD, "it says %s and then %s",
		      text_of(texts[0], plan, &first),
		      text_of(texts[1], plan, &second));
	return false;
}

static void check_forward(void *shared)
{
	attempt(shared, does_not_go_back);
}

/* The one unordered pair is clock_getres. */
static bool is_resolution(struct rs_verifying *verifying)
{
	const struct rs_trial_plan *const plan = verifying->plan;
	char texts[2][RS_TRIAL_TEXT];
	const struct rs_trial_value kernel = rs_trial_ask_kernel(plan);
	const struct rs_trial_value value = rs_trial_ask_function(plan);
	const bool is_same = kernel.code == value.code &&
			     (value.code || (kernel.word[0] == value.word[0] &&
					     kernel.word[1] == value.word[1]));
	const bool is_positive = value.code || value.word[0] > 0 || value.word[1] > 0;
	if (is_same && is_positive)
		return true;
	rs_verify_say(verifying, RS_CHECK_BAD, "it says %s, the system call %s",
		      text_of(texts[0], plan, &value),
		      text_of(texts[1], plan, &kernel));
	return false;
}

static void check_resolution(void *shared)
{
	attempt(shared, is_resolution);
}

#define MAX_CPUS     8192
#define BITS_OF_WORD (8 * sizeof(unsigned long))
#define N_CPU_WORDS  (MAX_CPUS / BITS_OF_WORD)
#define N_PASSES     20 /* over the CPUs: a migration may come before the first call */

static bool bind_to(unsigned int cpu)
{
	unsigned long mask[N_CPU_WORDS] = {0};
	mask[cpu / BITS_OF_WORD] = 1UL << cpu % BITS_OF_WORD;
	return syscall(SYS_sched_setaffinity, 0, sizeof(mask), mask) >= 0;
}

static bool is_here(struct rs_verifying *verifying, unsigned int cpu)
{
	const struct rs_trial_plan *const plan = verifying->plan;
	char texts[2][RS_TRIAL_TEXT];
	const struct rs_trial_value kernel = rs_trial_ask_kernel(plan);
	const struct rs_trial_value value = rs_trial_ask_function(plan);
	if (!value.code && value.word[0] == (long)cpu &&
	    value.word[1] == kernel.word[1])
		return true;
	rs_verify_say(
	    verifying, RS_CHECK_BAD, "bound to CPU %u, it says %s, the system call %s",
	    cpu, text_of(texts[0], plan, &value), text_of(texts[1], plan, &kernel));
	return false;
}

static bool is_right_on(struct rs_verifying *verifying, unsigned int cpu)
{
	if (verifying->plan->shape == RS_TRIAL_CPU)
		return is_here(verifying, cpu);
	return is_between(verifying) && does_not_go_back(verifying);
}

static bool pass_over(struct rs_verifying *verifying, const unsigned long *allowed)
{
	for (unsigned int cpu = 0; cpu < MAX_CPUS; cpu++) {
		const bool is_allowed =
		    allowed[cpu / BITS_OF_WORD] >> cpu % BITS_OF_WORD & 1;
		if (!is_allowed || !bind_to(cpu))
			continue;
		verifying->n++;
		if (!is_right_on(verifying, cpu))
			return false;
	}
	return true;
}

/* Moves from CPU to CPU; the answer has to be right at once after each move. */
static void check_migration(void *shared)
{
	struct rs_verifying *const verifying = shared;
	unsigned long allowed[N_CPU_WORDS] = {0};
	if (syscall(SYS_sched_getaffinity, 0, sizeof(allowed), allowed) < 0) {
		rs_verify_say(verifying, RS_CHECK_UNKNOWN,
			      "the allowed CPUs cannot be read: %s",
			      rs_err_name(errno));
		return;
	}
	for (int attempt = 0; attempt < N_ATTEMPTS; attempt++) {
		verifying->state = RS_CHECK_GOOD;
		verifying->why[0] = '\0';
		verifying->n = 0;
		for (int i = 0; i < N_PASSES && pass_over(verifying, allowed); i++)
			continue;
		if (verifying->state == RS_CHECK_GOOD)
			return;
	}
}

#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME 0x00000080 /* Linux 5.6 */
#endif

#define OFFSET_S 100000L

static const char offsets[] = "monotonic 100000 0\nboottime 100000 0\n";

/* In a time namespace that is being made, its first child only lives in it. */
static int enter_namespace(void)
{
	if (syscall(SYS_unshare, CLONE_NEWTIME) &&
	    (errno != EPERM || syscall(SYS_unshare, CLONE_NEWUSER | CLONE_NEWTIME)))
		return errno;
	/* A child without core dumps may not open its own files as a mere user. */
	prctl(PR_SET_DUMPABLE, 1);
	const int fd = open("/proc/self/timens_offsets", O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return errno;
	const ssize_t n = write(fd, offsets, sizeof(offsets) - 1);
	const int code = n < 0 ? errno : 0;
	close(fd);
	return code;
}

struct inside_job {
	struct rs_verifying *verifying;
	struct rs_trial_value outside; /* the system call's answer */
};

/* Clocks that the offsets are for, by clock_gettime(2) and time_namespaces(7). */
static bool has_offset(int clock)
{
	return clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_RAW ||
	       clock == CLOCK_MONOTONIC_COARSE || clock == CLOCK_BOOTTIME ||
	       clock == CLOCK_BOOTTIME_ALARM;
}

static void check_inside(void *shared)
{
	const struct inside_job *const job = shared;
	struct rs_verifying *const verifying = job->verifying;
	const struct rs_trial_value kernel = rs_trial_ask_kernel(verifying->plan);
	const bool has_moved = kernel.word[0] - job->outside.word[0] >= OFFSET_S;
	if (kernel.code == 0 && has_offset(verifying->plan->clock) && !has_moved)
		rs_verify_say(verifying, RS_CHECK_UNKNOWN,
			      "the kernel did not apply the offset");
	else
		attempt(verifying, is_between);
}

static void check_namespace(void *shared)
{
	static const struct rs_child_limits limits = {.cpu_ms = 5000, .wall_ms = 10000};
	struct rs_verifying *const verifying = shared;
	struct inside_job job = {
	    .verifying = verifying,
	    .outside = rs_trial_ask_kernel(verifying->plan),
	};
	int status = 0;
	const int code = enter_namespace();
	if (code) {
		rs_verify_say(verifying, RS_CHECK_UNKNOWN,
			      "no time namespace can be made here: %s",
			      rs_err_name(code));
		return;
	}
	if (rs_child_run(check_inside, &job, &limits, &status) || !WIFEXITED(status))
		rs_verify_say(verifying, RS_CHECK_BAD,
			      "in a time namespace it crashed or did not end");
}

static bool has_order(const struct rs_trial_plan *plan)
{
	return plan->is_ordered;
}

static bool is_pair(const struct rs_trial_plan *plan)
{
	return plan->shape == RS_TRIAL_PAIR || plan->shape == RS_TRIAL_PAIR64;
}

static bool is_unordered_pair(const struct rs_trial_plan *plan)
{
	return is_pair(plan) && !plan->is_ordered;
}

static bool has_place(const struct rs_trial_plan *plan)
{
	return plan->is_ordered || plan->shape == RS_TRIAL_CPU;
}

static bool takes_ordered_clock(const struct rs_trial_plan *plan)
{
	return plan->takes_clock && plan->is_ordered;
}

static const struct rs_verify_check checks[] = {
    {.name = "order", .unit = "rounds", .applies = has_order, .body = check_order},
    {.name = "normalised",
     .unit = "rounds",
     .applies = is_pair,
     .body = check_normalised},
    {.name = "forward", .unit = "rounds", .applies = has_order, .body = check_forward},
    {.name = "resolution",
     .unit = "rounds",
     .applies = is_unordered_pair,
     .body = check_resolution},
    {.name = "migration",
     .unit = "migrations",
     .applies = has_place,
     .body = check_migration},
    {.name = "time namespace",
     .unit = "rounds",
     .applies = takes_ordered_clock,
     .body = check_namespace},
    {.name = NULL},
};

const struct rs_verify_check *rs_verify_value_checks(void)
{
	return checks;
}
