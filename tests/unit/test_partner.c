#include "src/partner.h"

#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "arch/arch.h"
#include "src/affinity.h"

#define N_TURNS 200

static struct rs_cpus allowed;
static unsigned int cpu;
static int other_cpu;

static const struct {
	const char *name;
	enum rs_way way;
} ways[] = {
    {"yield", RS_WAY_YIELD},
    {"pipe", RS_WAY_PIPE},
    {"futex", RS_WAY_FUTEX},
};

#define N_WAYS (sizeof(ways) / sizeof(ways[0]))

static void must(int ret, const struct rs_err *err)
{
	if (ret)
		fail_msg("%s", err->text);
}

static struct rs_partner *opened(const struct rs_partner_plan *plan)
{
	struct rs_partner *partner = NULL;
	struct rs_err err = {""};
	must(rs_partner_open(&partner, plan, &err), &err);
	return partner;
}

static void take_turns(struct rs_partner *partner, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		assert_int_equal(rs_partner_turn(rs_partner_side(partner)), 0);
}

static long switches(void)
{
	struct rusage usage;
	assert_int_equal(getrusage(RUSAGE_THREAD, &usage), 0);
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

/* Its end is asked for in these tests. */
static void ignore_end(int number)
{
	(void)number;
}

static void check_turns(const struct rs_partner_plan *plan)
{
	struct rs_err err = {""};
	struct rs_partner *const partner = opened(plan);
	must(rs_partner_start(partner, ignore_end, &err), &err);
	assert_int_equal(sched_getcpu(), cpu);
	for (int again = 0; again < 2; again++) {
		const long before = switches();
		rs_partner_wake(partner);
		take_turns(partner, N_TURNS);
		rs_partner_rest(partner);
		const long n = switches() - before;
		if (n < N_TURNS * 9 / 10)
			fail_msg("only %ld switches in %d turns", n, N_TURNS);
	}
	rs_partner_close(partner);
}

/* Each turn leaves the CPU once, and the partner comes back to it. */
static void each_turn_switches(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2 * N_WAYS; i++) {
		const struct rs_partner_plan plan = {
		    .way = ways[i / 2].way,
		    .in_process = i % 2,
		    .touches = RS_TOUCH_ALL,
		    .cpu = cpu,
		};
		print_message("%s, %s\n", ways[i / 2].name,
			      plan.in_process ? "process" : "thread");
		check_turns(&plan);
	}
}

static void partners_work_on_another_cpu(void **state)
{
	(void)state;
	if (other_cpu < 0) {
		print_message("skipped: this process may use one CPU only\n");
		skip();
	}
	struct rs_err err = {""};
	for (size_t i = 0; i < 2 * N_WAYS; i++) {
		const struct rs_partner_plan plan = {
		    .way = ways[i / 2].way,
		    .in_process = i % 2,
		    .cpu = (unsigned int)other_cpu,
		};
		struct rs_partner *const partner = opened(&plan);
		must(rs_partner_start(partner, ignore_end, &err), &err);
		rs_partner_wake(partner);
		take_turns(partner, N_TURNS);
		rs_partner_rest(partner);
		rs_partner_close(partner);
		assert_int_equal(sched_getcpu(), cpu);
	}
}

/* As for who looks at the code of a turn, one instruction at a time. */
static void without_a_partner_nobody_waits(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_WAYS; i++) {
		const struct rs_partner_plan plan = {.way = ways[i].way, .cpu = cpu};
		struct rs_partner *const partner = opened(&plan);
		take_turns(partner, 3);
		rs_partner_wake(partner);
		rs_partner_rest(partner);
		rs_partner_close(partner);
	}
	rs_partner_close(NULL);
}

/* One whose creator has ended by a crash is made anew from the same plan. */
static void partners_can_be_started_again(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2 * N_WAYS; i++) {
		const struct rs_partner_plan plan = {
		    .way = ways[i / 2].way,
		    .in_process = i % 2,
		    .cpu = cpu,
		};
		struct rs_partner *const partner = opened(&plan);
		for (int again = 0; again < 2; again++) {
			struct rs_err err = {""};
			const pid_t child = fork();
			if (child == 0) {
				must(rs_partner_start(partner, ignore_end, &err), &err);
				rs_partner_wake(partner);
				take_turns(partner, 3);
				rs_partner_rest(partner);
				_exit(0);
			}
			int status = 1;
			assert_int_equal(waitpid(child, &status, 0), child);
			assert_int_equal(status, 0);
		}
		rs_partner_close(partner);
	}
}

/* From the kernel's list of this thread's children (CONFIG_PROC_CHILDREN). */
static pid_t only_child(void)
{
	char path[64];
	int child = 0;
	snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
	FILE *const list = fopen(path, "r");
	if (!list || fscanf(list, "%d", &child) != 1)
		_exit(78);
	fclose(list);
	return child;
}

static void report_end(int number)
{
	(void)number;
	_exit(77);
}

/* A process whose partner is killed would wait forever. */
static void a_partner_that_ends_is_told(void **state)
{
	(void)state;
	const struct rs_partner_plan plan = {
	    .way = RS_WAY_PIPE,
	    .in_process = true,
	    .cpu = cpu,
	};
	const pid_t child = fork();
	if (child == 0) {
		struct rs_err err = {""};
		struct rs_partner *const partner = opened(&plan);
		must(rs_partner_start(partner, report_end, &err), &err);
		take_turns(partner, 3);
		kill(only_child(), SIGKILL);
		take_turns(partner, 3);
		_exit(0);
	}
	int status = 0;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 78) {
		print_message("skipped: this kernel lists no children\n");
		skip();
	}
	assert_int_equal(WEXITSTATUS(status), 77);
}

static void a_cpu_that_is_not_there_is_an_error(void **state)
{
	(void)state;
	const struct rs_partner_plan plan = {.cpu = 65000};
	struct rs_err err = {""};
	struct rs_partner *const partner = opened(&plan);
	assert_true(rs_partner_start(partner, ignore_end, &err) < 0);
	assert_non_null(strstr(err.text, "65000"));
	rs_partner_close(partner);
}

static int set_up(void **state)
{
	(void)state;
	struct rs_err err = {""};
	must(rs_affinity_allowed(&allowed, &err), &err);
	cpu = (unsigned int)rs_affinity_choose(&allowed);
	must(rs_affinity_pin(cpu, &err), &err);
	rs_cpus_remove(&allowed, cpu);
	other_cpu = rs_cpus_last(&allowed);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	rs_cpus_free(&allowed);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(without_a_partner_nobody_waits),
	    cmocka_unit_test(each_turn_switches),
	    cmocka_unit_test(partners_work_on_another_cpu),
	    cmocka_unit_test(partners_can_be_started_again),
	    cmocka_unit_test(a_partner_that_ends_is_told),
	    cmocka_unit_test(a_cpu_that_is_not_there_is_an_error),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
