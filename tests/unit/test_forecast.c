#include "src/forecast.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/filter.h>
#include <linux/seccomp.h>

#include <cmocka.h>

#define N(array) (sizeof(array) / sizeof((array)[0]))

static const struct rs_linkstack_rules circular = {
    .entries = 16,
    .overflow = RS_OVERFLOW_CIRCULAR,
    .underflow = RS_UNDERFLOW_STALE,
    .merge = 1,
    .exempt = RS_EXEMPT_ISA,
};

struct made {
	struct rs_plan plan;
	struct rs_forecast *forecasts;
};

/* What the rules make of every depth of the workload. */
static void make(struct made *made, const char *pattern, uint64_t block_bytes,
		 const struct rs_linkstack_rules *rules)
{
	const struct rs_selection selection = {
	    .patterns = &pattern,
	    .n_patterns = 1,
	    .depths = 0x1fe,
	    .n_placements = 1,
	    .block_bytes = block_bytes,
	};
	struct rs_err err;
	if (rs_plan_make(&made->plan, rs_isa_host(), &selection, &err))
		fail_msg("%s", err.text);
	made->forecasts = calloc(made->plan.n_cells, sizeof(*made->forecasts));
	assert_non_null(made->forecasts);
	if (rs_forecast_make(&made->plan, rules, made->forecasts, &err))
		fail_msg("%s", err.text);
}

static void unmake(struct made *made)
{
	free(made->forecasts);
	rs_plan_free(&made->plan);
}

/* Mispredicts per call that a cell of getpc should have. */
static double expected_of(const struct rs_cell *cell,
			  const struct rs_linkstack_rules *rules)
{
	const bool is_pushed = cell->form->effect == RS_EFFECT_CORRUPTING ||
			       (cell->form->effect == RS_EFFECT_EXEMPT &&
				!(rules->exempt & RS_EXEMPT_ISA));
	return is_pushed ? cell->depth : 0;
}

static void check_cell(const struct made *made, size_t i,
		       const struct rs_linkstack_rules *rules)
{
	const struct rs_cell *const cell = &made->plan.cells[i];
	const struct rs_forecast *const forecast = &made->forecasts[i];
	if (cell->role == RS_ROLE_EMPTY || !rs_cell_runs(cell)) {
		assert_false(forecast->mispredicts.known);
		assert_string_equal(forecast->reason, "");
		return;
	}
	if (!forecast->mispredicts.known)
		fail_msg("%s/%s: %s", cell->workload, cell->variant, forecast->reason);
	assert_string_equal(forecast->reason, "");
	if (forecast->mispredicts.value != expected_of(cell, rules))
		fail_msg("%s/%s below %u frames: %g", cell->workload, cell->variant,
			 cell->depth, forecast->mispredicts.value);
}

static void corrupting_forms_cost_one_for_each_frame(void **state)
{
	(void)state;
	struct rs_linkstack_rules rules[4] = {circular, circular, circular, circular};
	rules[1].exempt = 0;
	rules[2].overflow = RS_OVERFLOW_DROP_OLDEST;
	rules[2].underflow = RS_UNDERFLOW_NONE;
	rules[3].entries = 1000;
	for (size_t r = 0; r < N(rules); r++) {
		struct made made;
		unsigned int n_depths = 0;
		make(&made, "getpc", 0, &rules[r]);
		for (size_t i = 0; i < made.plan.n_cells; i++) {
			check_cell(&made, i, &rules[r]);
			n_depths += made.plan.cells[i].role == RS_ROLE_CONTROL;
		}
		assert_int_equal(n_depths, 8);
		unmake(&made);
	}
}

/* One enclosing frame more than the stack holds: its return is never predicted. */
static void too_many_frames_cost_one_each(void **state)
{
	(void)state;
	struct rs_linkstack_rules rules = circular;
	rules.entries = 4;
	struct made made;
	make(&made, "getpc", 0, &rules);
	for (size_t i = 0; i < made.plan.n_cells; i++) {
		const struct rs_cell *const cell = &made.plan.cells[i];
		if (!cell->is_baseline)
			continue;
		const double want = cell->depth > 4 ? cell->depth - 4 : 0;
		assert_true(made.forecasts[i].mispredicts.value == want);
	}
	unmake(&made);
}

static void the_old_datapage_costs_two(void **state)
{
	(void)state;
	struct made made;
	unsigned int n_corrupting = 0;
	make(&made, "datapage", 0, &circular);
	for (size_t i = 0; i < made.plan.n_cells; i++) {
		const struct rs_cell *const cell = &made.plan.cells[i];
		if (cell->role == RS_ROLE_EMPTY || !rs_cell_runs(cell))
			continue;
		const bool is_corrupting = cell->form->effect == RS_EFFECT_CORRUPTING;
		print_message("%s: %g\n", cell->variant,
			      made.forecasts[i].mispredicts.value);
		assert_true(made.forecasts[i].mispredicts.known);
		assert_true(made.forecasts[i].mispredicts.value ==
			    (is_corrupting ? 2 : 0));
		n_corrupting += is_corrupting;
	}
	assert_true(n_corrupting > 0);
	unmake(&made);
}

/* A block of 1 MiB takes some 16 000 loads. */
static void long_calls_say_that_they_are(void **state)
{
	(void)state;
	struct made made;
	make(&made, "work+clock/none", 1 << 20, &circular);
	unsigned int n_long = 0;
	for (size_t i = 0; i < made.plan.n_cells; i++) {
		const struct rs_forecast *const forecast = &made.forecasts[i];
		assert_false(forecast->mispredicts.known);
		n_long += strstr(forecast->reason, "too many to step") != NULL;
	}
	assert_true(n_long > 0);
	unmake(&made);
}

struct comparison {
	struct rs_maybe model;
	struct rs_maybe counted;
	const char *want;
};

static void beyond_a_tenth_they_disagree(void **state)
{
	(void)state;
	static const struct comparison comparisons[] = {
	    {{3, true}, {3.05, true}, "agrees"},    {{3, true}, {2.95, true}, "agrees"},
	    {{0, true}, {0.11, true}, "disagrees"}, {{3, true}, {1, true}, "disagrees"},
	    {{3, true}, {0, false}, NULL},          {{0, false}, {3, true}, NULL},
	};
	for (size_t i = 0; i < N(comparisons); i++) {
		const char *const got =
		    rs_forecast_verdict(&comparisons[i].model, &comparisons[i].counted);
		if (comparisons[i].want)
			assert_string_equal(got, comparisons[i].want);
		else
			assert_null(got);
	}
}

/* For good. Returns 0 or an errno. */
static int forbid_ptrace(void)
{
	struct sock_filter code[] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ptrace, 0, 1),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = {.len = N(code), .filter = code};
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return errno;
	return 0;
}

/* Each row that runs says why it is not known, and no other row does. */
static bool is_explained(const struct made *made)
{
	unsigned int n_reasons = 0;
	bool is_right = true;
	for (size_t i = 0; i < made->plan.n_cells; i++) {
		const struct rs_cell *const cell = &made->plan.cells[i];
		const bool is_told = made->forecasts[i].reason[0] != '\0';
		const bool is_due = cell->role != RS_ROLE_EMPTY && rs_cell_runs(cell);
		is_right = is_right && is_told == is_due &&
			   !made->forecasts[i].mispredicts.known;
		n_reasons += is_told;
	}
	return is_right && n_reasons > 0;
}

/* In a child: a leak sanitizer needs ptrace at the end of this process. */
static void without_ptrace_there_is_a_reason(void **state)
{
	(void)state;
	int status = 0;
	const pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		if (forbid_ptrace())
			_exit(77);
		struct made made;
		make(&made, "getpc", 0, &circular);
		_exit(is_explained(&made) ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(corrupting_forms_cost_one_for_each_frame),
	    cmocka_unit_test(too_many_frames_cost_one_each),
	    cmocka_unit_test(the_old_datapage_costs_two),
	    cmocka_unit_test(long_calls_say_that_they_are),
	    cmocka_unit_test(beyond_a_tenth_they_disagree),
	    cmocka_unit_test(without_ptrace_there_is_a_reason),
	};
	if (rs_isa_host()->absent) {
		print_message("skip: %s\n", rs_isa_host()->absent);
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
