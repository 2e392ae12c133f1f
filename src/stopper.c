#include "src/stopper.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

enum {
	N_SIGNALS = sizeof(signals) / sizeof(signals[0])
};

static struct sigaction previous[N_SIGNALS];
static volatile sig_atomic_t first_signal;
static volatile sig_atomic_t n_caught;
static double limit_s;
static uint64_t begin_ns;
static char reason[64];

static void on_signal(int number)
{
	if (!first_signal)
		first_signal = number;
	n_caught++;
}

uint64_t rs_now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Without SA_RESTART, so that the wait for a child returns at once. */
void rs_stopper_begin(double max_time_s)
{
	first_signal = 0;
	n_caught = 0;
	limit_s = max_time_s;
	begin_ns = rs_now_ns();
	const struct sigaction action = {.sa_handler = on_signal};
	for (size_t i = 0; i < N_SIGNALS; i++)
		sigaction(signals[i], &action, &previous[i]);
}

void rs_stopper_end(void)
{
	for (size_t i = 0; i < N_SIGNALS; i++)
		sigaction(signals[i], &previous[i], NULL);
}

const char *rs_stopper_reason(void)
{
	if (first_signal) {
		snprintf(reason, sizeof(reason), "interrupted by SIG%s",
			 sigabbrev_np(first_signal));
		return reason;
	}
	const double passed_s = (double)(rs_now_ns() - begin_ns) * 1e-9;
	if (limit_s > 0 && passed_s > limit_s) {
		snprintf(reason, sizeof(reason), "--max-time %g s is over", limit_s);
		return reason;
	}
	return NULL;
}

unsigned int rs_stopper_n_signals(void)
{
	return (unsigned int)n_caught;
}
