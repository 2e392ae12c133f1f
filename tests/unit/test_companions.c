#include "src/companions.h"

#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "src/cell.h"

#define MAX_CPUS 64

/* What a companion's kernel saw, by the CPU that it ran on. */
static struct {
	_Atomic unsigned long n_calls;
	_Atomic unsigned long output;
	_Atomic unsigned long state;
} seen[MAX_CPUS];

/* A C function in the place of a kernel; the words are as for any other. */
static unsigned long note_call(unsigned long *kargs)
{
	const int cpu = sched_getcpu();
	if (cpu >= 0 && cpu < MAX_CPUS) {
		atomic_store(&seen[cpu].output, kargs[RS_KARG_ARG0]);
		atomic_store(&seen[cpu].state, kargs[RS_KARG_ARG3]);
		atomic_fetch_add(&seen[cpu].n_calls, 1);
	}
	return kargs[RS_KARG_RESULT] = kargs[RS_KARG_CALLS];
}

static char outputs[RS_OUTPUTS_BYTES];
static char states[2][4096];

static struct rs_cell cell_of(const struct rs_plan *plan)
{
	struct rs_cell cell = {.workload = "fake"};
	cell.kargs[RS_KARG_CALLS] = 1000;
	cell.kargs[RS_KARG_ARG0] = (uintptr_t)plan->outputs + RS_OUTPUT_BYTES;
	cell.kargs[RS_KARG_ARG3] = (uintptr_t)plan->random.pages;
	return cell;
}

static unsigned long calls_on(unsigned int cpu)
{
	return atomic_load(&seen[cpu].n_calls);
}

/* Only between begin and end, on its CPU, with memory of its own. */
static void they_do_the_same_meanwhile(void **state)
{
	(void)state;
	struct rs_err err;
	struct rs_cpus allowed = {0};
	struct rs_companions *companions = NULL;
	const struct rs_plan plan = {
	    .outputs = outputs,
	    .random = {.pages = states, .stride = sizeof(states[0])},
	};
	const struct rs_cell cell = cell_of(&plan);
	const void *const entry = (const void *)(uintptr_t)note_call;
	unsigned int cpu;
	assert_int_equal(rs_affinity_allowed(&allowed, &err), 0);
	const unsigned int own = (unsigned int)rs_affinity_choose(&allowed);
	const int chosen = rs_companions_choose(&allowed, own, &cpu, 1, &err);
	rs_cpus_free(&allowed);
	if (chosen == -EINVAL || cpu >= MAX_CPUS) {
		print_message("skip: there is no second CPU, or it has a great id\n");
		skip();
	}
	assert_int_not_equal(cpu, own);
	assert_int_equal(rs_companions_open(&companions, &plan, &cpu, 1, &err), 0);
	assert_int_equal(calls_on(cpu), 0);
	for (unsigned int turn = 1; turn <= 3; turn++) {
		const unsigned long before = calls_on(cpu);
		rs_companions_begin(companions, &cell, entry);
		while (calls_on(cpu) < before + 10)
			sched_yield();
		rs_companions_end(companions);
		const unsigned long after = calls_on(cpu);
		for (unsigned int i = 0; i < 100; i++)
			sched_yield();
		assert_int_equal(calls_on(cpu), after);
	}
	rs_companions_close(companions);
	const uintptr_t output = atomic_load(&seen[cpu].output);
	assert_false(output >= (uintptr_t)outputs &&
		     output < (uintptr_t)outputs + sizeof(outputs));
	assert_int_equal(output % RS_OUTPUT_BYTES, 0);
	assert_int_equal(atomic_load(&seen[cpu].state), (uintptr_t)states[1]);
}

static void each_needs_a_cpu_of_its_own(void **state)
{
	(void)state;
	static const struct {
		const char *allowed;
		unsigned int own;
		unsigned int n;
		int code;
		unsigned int first;
		unsigned int last;
	} rows[] = {
	    {"0-3", 3, 1, 0, 0, 0},     {"0-3", 3, 3, 0, 0, 2},
	    {"0-3", 1, 3, 0, 0, 3},     {"2,70,65535", 70, 2, 0, 2, 65535},
	    {"5", 5, 1, -EINVAL, 0, 0}, {"0-3", 3, 4, -EINVAL, 0, 0},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rs_cpus allowed = {0};
		struct rs_err err = {""};
		unsigned int cpus[4] = {0};
		print_message("%s\n", rows[i].allowed);
		assert_int_equal(rs_cpus_parse(rows[i].allowed, &allowed), 0);
		assert_int_equal(
		    rs_companions_choose(&allowed, rows[i].own, cpus, rows[i].n, &err),
		    rows[i].code);
		rs_cpus_free(&allowed);
		if (rows[i].code) {
			assert_non_null(strstr(err.text, "threads need a CPU each"));
			continue;
		}
		assert_int_equal(cpus[0], rows[i].first);
		assert_int_equal(cpus[rows[i].n - 1], rows[i].last);
	}
}

static void none_is_nothing(void **state)
{
	(void)state;
	rs_companions_begin(NULL, NULL, NULL);
	rs_companions_end(NULL);
	rs_companions_close(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(they_do_the_same_meanwhile),
	    cmocka_unit_test(each_needs_a_cpu_of_its_own),
	    cmocka_unit_test(none_is_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
