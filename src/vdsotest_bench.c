#include "src/vdsotest.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "arch/arch.h"
#include "src/stopper.h"

static volatile sig_atomic_t is_over;

static void end_interval(int sig)
{
	(void)sig;
	is_over = 1;
}

/* What all ways are given: the clock where one is taken, then room for the outputs. */
struct call {
	const struct rs_trial_plan *plan;
	unsigned long args[RS_N_VDSO_ARGS];
	struct timespec outputs[2];
};

static uint64_t loop_syscall(struct call *call)
{
	const long sysno = call->plan->sysno;
	uint64_t n = 0;
	do {
		syscall(sysno, call->args[0], call->args[1]);
		n++;
	} while (!is_over);
	return n;
}

static uint64_t loop_vdso(struct call *call)
{
	uint64_t n = 0;
	do {
		rs_vdso_call(call->plan->function, call->args);
		n++;
	} while (!is_over);
	return n;
}

static uint64_t loop_clock_gettime(struct call *call)
{
	uint64_t n = 0;
	do {
		clock_gettime(call->plan->clock, &call->outputs[0]);
		n++;
	} while (!is_over);
	return n;
}

static uint64_t loop_clock_getres(struct call *call)
{
	uint64_t n = 0;
	do {
		clock_getres(call->plan->clock, &call->outputs[0]);
		n++;
	} while (!is_over);
	return n;
}

static uint64_t loop_gettimeofday(struct call *call)
{
	struct timeval time;
	uint64_t n = 0;
	(void)call;
	do {
		gettimeofday(&time, NULL);
		n++;
	} while (!is_over);
	return n;
}

static uint64_t loop_getcpu(struct call *call)
{
	unsigned int cpu;
	unsigned int node;
	uint64_t n = 0;
	(void)call;
	do {
		getcpu(&cpu, &node);
		n++;
	} while (!is_over);
	return n;
}

typedef uint64_t loop(struct call *call);

static const struct {
	const char *function;
	loop *by_libc;
} functions[] = {
    {"clock_gettime", loop_clock_gettime},
    {"clock_getres", loop_clock_getres},
    {"gettimeofday", loop_gettimeofday},
    {"getcpu", loop_getcpu},
};

static loop *find_libc(const char *function)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		if (strcmp(functions[i].function, function) == 0)
			return functions[i].by_libc;
	}
	return NULL;
}

/* An alarm that comes before the loop leaves it one call. */
static int run(struct rs_vdsotest_interval *out, loop *body, struct call *call,
	       double duration_s)
{
	const long us = (long)(duration_s * 1e6) + 1;
	const struct timeval time = {us / 1000000, us % 1000000};
	const struct itimerval timer = {.it_value = time};
	is_over = 0;
	if (setitimer(ITIMER_REAL, &timer, NULL))
		return -errno;
	const uint64_t start = rs_now_ns();
	out->n_calls = body(call);
	out->ns = rs_now_ns() - start;
	return 0;
}

static void set_arguments(struct call *call)
{
	size_t n = 0;
	if (call->plan->takes_clock)
		call->args[n++] = (unsigned long)call->plan->clock;
	for (unsigned int i = 0; i < call->plan->n_outputs && i < 2; i++)
		call->args[n++] = (unsigned long)&call->outputs[i];
}

int rs_vdsotest_run_bench(struct rs_vdsotest_bench *out, const char *function,
			  const struct rs_trial_plan *plan, double duration_s)
{
	const struct sigaction on_alarm = {.sa_handler = end_interval};
	struct sigaction before;
	struct call call = {.plan = plan};
	loop *const by_libc = find_libc(function);
	if (!by_libc)
		return -ENOSYS;
	set_arguments(&call);
	*out = (struct rs_vdsotest_bench){0};
	sigaction(SIGALRM, &on_alarm, &before);
	int ret = 0;
	if (plan->function)
		ret = run(&out->by_vdso, loop_vdso, &call, duration_s);
	if (!ret)
		ret = run(&out->by_libc, by_libc, &call, duration_s);
	if (!ret)
		ret = run(&out->by_syscall, loop_syscall, &call, duration_s);
	sigaction(SIGALRM, &before, NULL);
	return ret;
}
