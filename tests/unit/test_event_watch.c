#include "events/watch.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/mman.h>

#include <cmocka.h>

typedef int open_watch(struct rs_watch **out, const struct rs_backend *backend,
		       struct rs_err *err);

/* Both ways to watch must see the same things. */
struct way {
	open_watch *open;
	const char *source;
};

static const struct way ways[] = {
    {rs_watch_open, "perf software events"},
    {rs_watch_open_rusage, "getrusage and getcpu"},
};

static struct rs_watch *opened(const struct way *way)
{
	struct rs_watch *watch = NULL;
	struct rs_err err;
	if (way->open(&watch, rs_backend_perf(NULL, ""), &err))
		fail_msg("%s", err.text);
	if (strcmp(rs_watch_source(watch), way->source) == 0)
		return watch;
	print_message("no %s here, watching by %s\n", way->source,
		      rs_watch_source(watch));
	return watch;
}

/* The shortest sleep there is: it leaves the CPU once. */
static void switch_context(void)
{
	const struct timespec shortest = {.tv_nsec = 1};
	nanosleep(&shortest, NULL);
}

static void touch_a_fresh_page(void)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *const memory = mmap(NULL, page, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(memory, MAP_FAILED);
	*(volatile char *)memory = 1;
	munmap(memory, page);
}

static void switch_and_fault(void)
{
	switch_context();
	touch_a_fresh_page();
}

static void do_nothing(void)
{
}

/*
 * What the watch says after act. Another process may take the CPU at any moment, so the
 * wanted answer has to come in one of many tries; a watch that is blind, or that
 * always cries, never gives it.
 */
static bool says(struct rs_watch *watch, void (*act)(void), uint64_t n_switches,
		 enum rs_disturbance wanted)
{
	for (int i = 0; i < 200; i++) {
		rs_watch_begin(watch, "test");
		act();
		if (rs_watch_end(watch, n_switches) == wanted)
			return true;
	}
	return false;
}

struct act_case {
	const char *name;
	void (*act)(void);
	enum rs_disturbance wanted;
	uint64_t n_switches; /* that belong to act */
};

static const struct act_case act_cases[] = {
    {"nothing", do_nothing, RS_DISTURBANCE_NONE, 0},
    {"nanosleep", switch_context, RS_DISTURBANCE_CONTEXT_SWITCH, 0},
    {"page fault", touch_a_fresh_page, RS_DISTURBANCE_PAGE_FAULT, 0},
    {"nothing, again", do_nothing, RS_DISTURBANCE_NONE, 0},
    {"its own switch", switch_context, RS_DISTURBANCE_NONE, 1},
    {"a switch that did not come", do_nothing, RS_DISTURBANCE_NO_SWITCH, 1},
    {"one that came of two", switch_context, RS_DISTURBANCE_NO_SWITCH, 2},
    {"its own switch and a page fault", switch_and_fault, RS_DISTURBANCE_PAGE_FAULT, 1},
};

static void both_ways_see_what_happens(void **state)
{
	(void)state;
	for (size_t w = 0; w < sizeof(ways) / sizeof(ways[0]); w++) {
		struct rs_watch *const watch = opened(&ways[w]);
		for (size_t i = 0; i < sizeof(act_cases) / sizeof(act_cases[0]); i++) {
			print_message("%s: %s\n", rs_watch_source(watch),
				      act_cases[i].name);
			assert_true(says(watch, act_cases[i].act,
					 act_cases[i].n_switches, act_cases[i].wanted));
		}
		rs_watch_close(watch);
	}
	rs_watch_close(NULL);
}

static int second_cpu = -1;

/* Two allowed CPUs, or false. */
static bool find_cpus(cpu_set_t *allowed, int *first)
{
	*first = -1;
	second_cpu = -1;
	if (sched_getaffinity(0, sizeof(*allowed), allowed))
		return false;
	for (int cpu = 0; cpu < CPU_SETSIZE && second_cpu < 0; cpu++) {
		if (!CPU_ISSET(cpu, allowed))
			continue;
		if (*first < 0)
			*first = cpu;
		else
			second_cpu = cpu;
	}
	return second_cpu >= 0;
}

static void pin(int cpu)
{
	cpu_set_t set;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	assert_int_equal(sched_setaffinity(0, sizeof(set), &set), 0);
}

static void both_ways_see_a_migration(void **state)
{
	(void)state;
	cpu_set_t allowed;
	int first;
	if (!find_cpus(&allowed, &first)) {
		print_message("skipped: fewer than two CPUs are allowed\n");
		skip();
	}
	for (size_t w = 0; w < sizeof(ways) / sizeof(ways[0]); w++) {
		struct rs_watch *const watch = opened(&ways[w]);
		pin(first);
		rs_watch_begin(watch, "test");
		pin(second_cpu);
		const enum rs_disturbance seen = rs_watch_end(watch, 0);
		sched_setaffinity(0, sizeof(allowed), &allowed);
		print_message("%s: %s\n", rs_watch_source(watch),
			      rs_disturbance_name(seen));
		assert_int_equal(seen, RS_DISTURBANCE_MIGRATION);
		rs_watch_close(watch);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(both_ways_see_what_happens),
	    cmocka_unit_test(both_ways_see_a_migration),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
