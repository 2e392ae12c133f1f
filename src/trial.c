#include "src/trial.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/filter.h>
#include <linux/seccomp.h>

#include "arch/arch.h"
#include "src/base/err.h"
#include "src/base/text.h"
#include "src/child.h"

/*
 * A clock may be set between two calls, and some kernels let the vDSO see a new
 * second a moment before the system call does: what is wrong is wrong every time.
 */
#define ROUNDS 3

/* The child's only; the handler has no other way to it. */
static struct rs_trial *trial_of_handler;

/* The arguments of one call, and where it writes: two words, or two of 64 bits. */
struct call {
	long outputs[2][2];
	unsigned long args[RS_N_VDSO_ARGS];
};

/* Outputs hold what no clock says, so that a function that writes none is seen. */
static void prepare_call(struct call *call, const struct rs_trial_plan *plan)
{
	memset(call, 0xff, sizeof(call->outputs));
	memset(call->args, 0, sizeof(call->args));
	size_t n = 0;
	if (plan->takes_clock)
		call->args[n++] = (unsigned long)plan->clock;
	for (unsigned int i = 0; i < plan->n_outputs && i < 2; i++)
		call->args[n++] = (unsigned long)call->outputs[i];
	if (plan->shape != RS_TRIAL_RANDOM)
		return;
	call->args[1] = sizeof(call->outputs);
	call->args[3] = (unsigned long)(uintptr_t)plan->state;
	call->args[4] = plan->n_state_bytes;
}

static struct rs_trial_value read_call(const struct call *call,
				       const struct rs_trial_plan *plan, long result)
{
	struct rs_trial_value value = {.code = result < 0 ? result : 0};
	unsigned int cpu[2];
	switch (plan->shape) {
	case RS_TRIAL_PAIR:
		value.word[0] = call->outputs[0][0];
		value.word[1] = call->outputs[0][1];
		break;
	case RS_TRIAL_PAIR64:
		memcpy(value.word, call->outputs, sizeof(value.word));
		break;
	case RS_TRIAL_SECONDS:
		value.word[0] = result;
		value.word[1] = call->outputs[0][0];
		break;
	case RS_TRIAL_CPU:
		memcpy(&cpu[0], call->outputs[0], sizeof(cpu[0]));
		memcpy(&cpu[1], call->outputs[1], sizeof(cpu[1]));
		value.word[0] = (long)cpu[0];
		value.word[1] = (long)cpu[1];
		break;
	case RS_TRIAL_RANDOM:
		value.word[0] = result;
		value.word[1] = call->outputs[1][1];
		break;
	}
	return value;
}

struct rs_trial_value rs_trial_ask_function(const struct rs_trial_plan *plan)
{
	struct call call;
	prepare_call(&call, plan);
	if (plan->function)
		return read_call(&call, plan, rs_vdso_call(plan->function, call.args));
	const ssize_t n = getrandom(call.outputs, sizeof(call.outputs), 0);
	return read_call(&call, plan, n < 0 ? -errno : n);
}

struct rs_trial_value rs_trial_ask_kernel(const struct rs_trial_plan *plan)
{
	struct call call;
	prepare_call(&call, plan);
	const long result =
	    syscall(plan->sysno, call.args[0], call.args[1], call.args[2]);
	return read_call(&call, plan, result == -1 ? -errno : result);
}

bool rs_trial_is_up_to(const struct rs_trial_value *a, const struct rs_trial_value *b)
{
	return a->word[0] < b->word[0] ||
	       (a->word[0] == b->word[0] && a->word[1] <= b->word[1]);
}

/* Whole, and neither left as it was nor what came before. */
static bool is_random(const struct rs_trial *trial)
{
	const struct rs_trial_value *const first = &trial->function;
	const struct rs_trial_value *const second = &trial->after;
	return first->word[0] == (int64_t)RS_TRIAL_RANDOM_BYTES &&
	       second->word[0] == (int64_t)RS_TRIAL_RANDOM_BYTES &&
	       first->word[1] != -1 && second->word[1] != -1 &&
	       first->word[1] != second->word[1];
}

static bool agrees(const struct rs_trial *trial, const struct rs_trial_plan *plan)
{
	const struct rs_trial_value *const function = &trial->function;
	const bool is_ordered = plan->is_ordered;
	if (function->code != trial->before.code || function->code != trial->after.code)
		return false;
	if (function->code)
		return true;
	if (plan->shape == RS_TRIAL_RANDOM)
		return is_random(trial);
	if (!is_ordered)
		return function->word[0] == trial->before.word[0] &&
		       function->word[1] == trial->before.word[1];
	return rs_trial_is_up_to(&trial->before, function) &&
	       rs_trial_is_up_to(function, &trial->after);
}

static void compare(struct rs_trial *trial, const struct rs_trial_plan *plan)
{
	for (int i = 0; i < ROUNDS && !trial->agrees; i++) {
		trial->before = rs_trial_ask_kernel(plan);
		trial->function = rs_trial_ask_function(plan);
		trial->after = plan->shape == RS_TRIAL_RANDOM
				   ? rs_trial_ask_function(plan)
				   : rs_trial_ask_kernel(plan);
		trial->agrees = agrees(trial, plan);
	}
}

/* Two answers to getcpu are only comparable on one CPU. Returns 0 or an errno. */
static int pin_where_we_are(void)
{
	unsigned long mask[8192 / (8 * sizeof(unsigned long))] = {0};
	const size_t bits = 8 * sizeof(mask[0]);
	unsigned int cpu = 0;
	if (syscall(SYS_getcpu, &cpu, NULL, NULL))
		return errno;
	if (cpu / bits >= sizeof(mask) / sizeof(mask[0]))
		return ERANGE;
	mask[cpu / bits] = 1UL << cpu % bits;
	if (syscall(SYS_sched_setaffinity, 0, sizeof(mask), mask) < 0)
		return errno;
	return 0;
}

enum rs_trial_stage rs_trial_take_state(struct rs_trial_plan *plan,
					struct rs_random_params *params, int *errnum)
{
	struct rs_random_states states;
	if (plan->shape != RS_TRIAL_RANDOM || !plan->function)
		return RS_TRIAL_PREPARED;
	*errnum = -rs_random_query(plan->function, params);
	if (*errnum)
		return RS_TRIAL_NO_STATES;
	*errnum = -rs_random_map(&states, params, 1);
	if (*errnum)
		return RS_TRIAL_NOT_MAPPED;
	plan->state = states.pages;
	plan->n_state_bytes = states.n_state_bytes;
	return RS_TRIAL_PREPARED;
}

static void handle_trap(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)context;
	struct rs_trial *const trial = trial_of_handler;
	if (trial->stage == RS_TRIAL_FILTERED) {
		trial->trapped_sysno = info->si_syscall;
		trial->stage = RS_TRIAL_TRAPPED;
	}
	_exit(0);
}

/*
 * Traps every system call but the two that follow: a function that falls back may
 * use another call than its namesake (the 64-bit time of a 32-bit ABI, for one).
 * Calls of a foreign ABI are trapped too. Returns 0 or an errno.
 */
static int install_filter(uint32_t audit_arch)
{
	struct sock_filter code[] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, audit_arch, 0, 3),
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 2, 0),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 1, 0),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = {
	    .len = sizeof(code) / sizeof(code[0]),
	    .filter = code,
	};
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return errno;
	return 0;
}

/* Async-signal-safe calls only: the parent may have threads. */
static _Noreturn void be_child(const struct rs_trial_plan *given,
			       struct rs_trial *trial)
{
	struct rs_trial_plan own = *given;
	const struct rs_trial_plan *const plan = &own;
	trial->errnum = plan->shape == RS_TRIAL_CPU ? pin_where_we_are() : 0;
	if (trial->errnum) {
		trial->stage = RS_TRIAL_NOT_PINNED;
		_exit(0);
	}
	trial->stage = rs_trial_take_state(&own, &trial->random, &trial->errnum);
	if (trial->stage != RS_TRIAL_PREPARED)
		_exit(0);
	compare(trial, plan);
	trial->stage = RS_TRIAL_COMPARED;

	trial_of_handler = trial;
	const struct sigaction on_trap = {
	    .sa_sigaction = handle_trap,
	    .sa_flags = SA_SIGINFO,
	};
	sigaction(SIGSYS, &on_trap, NULL);
	trial->errnum = install_filter(plan->audit_arch);
	if (trial->errnum) {
		trial->stage = RS_TRIAL_NOT_FILTERED;
		_exit(0);
	}
	/* Shows that the filter lets pass what it should; else the handler ends it. */
	(void)syscall(SYS_getppid);
	trial->stage = RS_TRIAL_FILTERED;
	(void)rs_trial_ask_function(plan);
	trial->stage = RS_TRIAL_RETURNED;
	_exit(0);
}

/* What the child gets: the plan is the parent's memory, the rest is shared. */
struct job {
	const struct rs_trial_plan *plan;
	struct rs_trial trial;
};

static void run_job(void *shared)
{
	struct job *const job = shared;
	be_child(job->plan, &job->trial);
}

int rs_trial_run(const struct rs_trial_plan *plan, struct rs_trial *out)
{
	const struct rs_child_limits limits = {
	    .cpu_ms = RS_TRIAL_CPU_MS,
	    .wall_ms = plan->wall_ms,
	};
	struct job *const job = rs_child_share(sizeof(*job));
	if (!job)
		return -ENOMEM;
	job->plan = plan;
	const int ret = rs_child_run(run_job, job, &limits, &job->trial.wait_status);
	*out = job->trial;
	rs_child_unshare(job, sizeof(*job));
	return ret;
}

const char *rs_trial_text(char out[RS_TRIAL_TEXT], enum rs_trial_shape shape,
			  int digits, const struct rs_trial_value *value)
{
	const int64_t first = value->word[0];
	const int64_t second = value->word[1];
	if (value->code) {
		rs_text_copy(out, RS_TRIAL_TEXT, rs_err_name((int)-value->code));
		return out;
	}
	switch (shape) {
	case RS_TRIAL_PAIR:
	case RS_TRIAL_PAIR64:
		/* What the trial fills outputs with before a call. */
		if (first == -1 && second == -1) {
			rs_text_copy(out, RS_TRIAL_TEXT,
				     "nothing (it left its output)");
			break;
		}
		snprintf(out, RS_TRIAL_TEXT, "%" PRId64 ".%0*" PRId64 " s", first,
			 digits, second);
		break;
	case RS_TRIAL_SECONDS:
		snprintf(out, RS_TRIAL_TEXT, "%" PRId64 " s (and stores %" PRId64 ")",
			 first, second);
		break;
	case RS_TRIAL_CPU:
		snprintf(out, RS_TRIAL_TEXT, "CPU %" PRId64 " of node %" PRId64, first,
			 second);
		break;
	case RS_TRIAL_RANDOM:
		snprintf(out, RS_TRIAL_TEXT, "%" PRId64 " bytes that end in %#lx",
			 first, (unsigned long)second);
		break;
	}
	return out;
}
