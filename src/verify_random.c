#include "src/verify_parts.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arch/arch.h"
#include "src/base/err.h"
#include "src/child.h"

/*
 * getrandom. There is no value to hold its bytes to: they must be there, as many as it
 * says and no more, and not those that it gave before, to whomever.
 */

#define N_ROUNDS   10000
#define MAX_BYTES  256
#define KEY_BYTES  16 /* two draws of as many are equal by chance once in 2^128 */
#define N_FORKS    20
#define GUARD_BYTE 0xa5

/* One call with a state. */
static long draw(const struct rs_trial_plan *plan, void *out, size_t n_bytes)
{
	const unsigned long args[RS_N_VDSO_ARGS] = {
	    (uintptr_t)out, n_bytes, 0, (uintptr_t)plan->state, plan->n_state_bytes};
	return rs_vdso_call(plan->function, args);
}

/* False, with the sentence in verifying, where there is none to be had. */
static bool take_state(struct rs_verifying *verifying, struct rs_trial_plan *plan)
{
	struct rs_random_params params;
	int errnum = 0;
	*plan = *verifying->plan;
	switch (rs_trial_take_state(plan, &params, &errnum)) {
	case RS_TRIAL_PREPARED:
		return true;
	case RS_TRIAL_NO_STATES:
		rs_verify_say(verifying, RS_CHECK_UNKNOWN,
			      "it does not say what states it takes: %s",
			      rs_err_name(errnum));
		return false;
	default:
		rs_verify_say(verifying, RS_CHECK_UNKNOWN,
			      "no state can be mapped for it: %s", rs_err_name(errnum));
		return false;
	}
}

static bool is_filled_with(const unsigned char *bytes, size_t n, unsigned char value)
{
	for (size_t i = 0; i < n; i++) {
		if (bytes[i] != value)
			return false;
	}
	return true;
}

/* One draw of n bytes into a buffer of MAX_BYTES + KEY_BYTES. */
static bool is_whole(struct rs_verifying *verifying, const struct rs_trial_plan *plan,
		     unsigned char *bytes, size_t n)
{
	memset(bytes, GUARD_BYTE, MAX_BYTES + KEY_BYTES);
	const long ret = draw(plan, bytes, n);
	if (ret != (long)n)
		rs_verify_say(verifying, RS_CHECK_BAD, "asked for %zu bytes it says %s",
			      n, ret < 0 ? rs_err_name((int)-ret) : "another number");
	else if (!is_filled_with(bytes + n, MAX_BYTES + KEY_BYTES - n, GUARD_BYTE))
		rs_verify_say(verifying, RS_CHECK_BAD,
			      "asked for %zu bytes it writes beyond them", n);
	return verifying->state == RS_CHECK_GOOD;
}

static void check_values(void *shared)
{
	struct rs_verifying *const verifying = shared;
	unsigned char bytes[MAX_BYTES + KEY_BYTES];
	unsigned char last[KEY_BYTES] = {0};
	struct rs_trial_plan plan;
	if (!take_state(verifying, &plan))
		return;
	for (; verifying->n < N_ROUNDS; verifying->n++) {
		const size_t n = verifying->n % (MAX_BYTES + 1);
		if (!is_whole(verifying, &plan, bytes, n))
			return;
		if (n < KEY_BYTES)
			continue;
		if (memcmp(bytes, last, KEY_BYTES) == 0 ||
		    is_filled_with(bytes + n - KEY_BYTES, KEY_BYTES, GUARD_BYTE)) {
			rs_verify_say(verifying, RS_CHECK_BAD,
				      "of %zu bytes it gives some that it gave before "
				      "or leaves some as they were",
				      n);
			return;
		}
		memcpy(last, bytes, KEY_BYTES);
	}
}

/* What a process and its child draw from one state, after the same past. */
struct fork_job {
	const struct rs_trial_plan *plan;
	unsigned char of_child[2 * KEY_BYTES];
};

static void draw_in_child(void *shared)
{
	struct fork_job *const job = shared;
	(void)draw(job->plan, job->of_child, sizeof(job->of_child));
}

static bool differs_in_child(struct rs_verifying *verifying, struct fork_job *job)
{
	static const struct rs_child_limits limits = {.cpu_ms = 1000, .wall_ms = 5000};
	unsigned char own[2 * KEY_BYTES] = {0};
	int status = 0;
	(void)draw(job->plan, own, KEY_BYTES); /* so that the state holds more */
	memset(job->of_child, 0, sizeof(job->of_child));
	if (rs_child_run(draw_in_child, job, &limits, &status) || status) {
		rs_verify_say(verifying, RS_CHECK_BAD,
			      "in a child with its parent's state it crashed");
		return false;
	}
	(void)draw(job->plan, own, sizeof(own));
	if (memcmp(own, job->of_child, KEY_BYTES) != 0 &&
	    memcmp(own + KEY_BYTES, job->of_child + KEY_BYTES, KEY_BYTES) != 0 &&
	    !is_filled_with(job->of_child, KEY_BYTES, 0))
		return true;
	rs_verify_say(verifying, RS_CHECK_BAD,
		      "after a fork, parent and child are given the same bytes");
	return false;
}

static void check_fork(void *shared)
{
	struct rs_verifying *const verifying = shared;
	struct fork_job *const job = rs_child_share(sizeof(*job));
	struct rs_trial_plan plan;
	if (!job || !take_state(verifying, &plan))
		return;
	job->plan = &plan;
	while (verifying->n < N_FORKS && differs_in_child(verifying, job))
		verifying->n++;
}

/* Opaque states that are none, by how their address and length are off. */
static const struct {
	const char *what;
	long address;  /* bytes from the start of the state */
	long length;   /* bytes more than a state has */
	bool from_end; /* address counts from the end of the page */
} states[] = {
    {"of no bytes", 0, -(1L << 30), false},
    {"a byte too short", 0, -1, false},
    {"a byte too long", 0, 1, false},
    {"over the end of a page", -1, 0, true},
};

static size_t count_states(const struct rs_trial_plan *plan)
{
	(void)plan;
	return sizeof(states) / sizeof(states[0]);
}

static void describe_state(const struct rs_verifying *verifying, char *out, size_t size)
{
	snprintf(out, size, "with a state %s, ", states[verifying->index].what);
}

/*
 * The kernel's code answers an error or asks the kernel itself. Either is as good: no
 * byte may come from such a state.
 */
static void check_states(void *shared)
{
	struct rs_verifying *const verifying = shared;
	const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	const size_t i = verifying->index;
	unsigned char first[2 * KEY_BYTES] = {0};
	unsigned char second[2 * KEY_BYTES] = {0};
	char doing[128];
	struct rs_trial_plan plan;
	if (!take_state(verifying, &plan))
		return;
	const long n = (long)plan.n_state_bytes + states[i].length;
	plan.n_state_bytes = n > 0 ? (size_t)n : 0;
	plan.state = (const char *)plan.state + states[i].address +
		     (states[i].from_end ? (long)page_bytes : 0);
	const long ret = draw(&plan, first, sizeof(first));
	const long again = draw(&plan, second, sizeof(second));
	const bool is_error = ret < 0 && again < 0;
	const bool is_random = ret == sizeof(first) && again == sizeof(second) &&
			       memcmp(first, second, sizeof(first)) != 0;
	if (is_error || is_random)
		return;
	describe_state(verifying, doing, sizeof(doing));
	rs_verify_say(verifying, RS_CHECK_BAD,
		      "%sit says %ld and then %ld, with bytes that %s", doing, ret,
		      again,
		      memcmp(first, second, sizeof(first)) ? "differ" : "are equal");
}

static bool draws(const struct rs_trial_plan *plan)
{
	return plan->shape == RS_TRIAL_RANDOM;
}

static const struct rs_verify_check checks[] = {
    {.name = "values", .unit = "rounds", .applies = draws, .body = check_values},
    {.name = "fork", .unit = "forks", .applies = draws, .body = check_fork},
    {.name = "states",
     .unit = "cases",
     .applies = draws,
     .body = check_states,
     .count = count_states,
     .describe = describe_state},
    {.name = NULL},
};

const struct rs_verify_check *rs_verify_random_checks(void)
{
	return checks;
}
