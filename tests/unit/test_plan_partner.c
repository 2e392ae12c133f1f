#include "src/plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "src/affinity.h"

static bool is_apart(const struct rs_cell *cell)
{
	return strstr(cell->workload, "-2cpus") != NULL;
}

static void check_absent(const struct rs_cell *cell, const char *reason)
{
	assert_int_equal(cell->state, RS_ROW_ABSENT);
	assert_string_equal(cell->reason, reason);
	assert_null(cell->partner);
}

static void check_partner(const struct rs_cell *cell)
{
	assert_int_equal(cell->state, RS_ROW_OK);
	assert_non_null(cell->partner);
	assert_int_equal(cell->kargs[RS_KARG_TARGET], (uintptr_t)rs_partner_turn);
	assert_int_equal(cell->kargs[RS_KARG_ARG0],
			 (uintptr_t)rs_partner_side(cell->partner));
}

/* Those that could run have a partner; on two CPUs only where there are two. */
static void check_cell(const struct rs_cell *cell, bool has_other_cpu)
{
	print_message("%s %s: %s\n", cell->workload, cell->variant, cell->reason);
	if (!cell->form)
		assert_null(cell->partner);
	else if (cell->form->missing && cell->form->missing())
		check_absent(cell, cell->form->missing());
	else if (is_apart(cell) && !has_other_cpu)
		check_absent(cell, "this process may use one CPU only");
	else
		check_partner(cell);
}

static void rows_that_hand_over_have_partners(void **state)
{
	(void)state;
	const char *const patterns[] = {"ctxsw:*", "ctxsw.returns:*"};
	for (int has_other_cpu = 0; has_other_cpu < 2; has_other_cpu++) {
		const struct rs_selection selection = {
		    .patterns = patterns,
		    .n_patterns = 2,
		    .depths = 1U << 3,
		    .n_placements = 1,
		    .other_cpu = has_other_cpu ? 1 : RS_CPU_ANY,
		};
		struct rs_plan plan;
		struct rs_err err = {""};
		unsigned int n_apart = 0;
		if (rs_plan_make(&plan, rs_isa_host(), &selection, &err))
			fail_msg("%s", err.text);
		for (size_t i = 0; i < plan.n_cells; i++) {
			n_apart += is_apart(&plan.cells[i]);
			check_cell(&plan.cells[i], has_other_cpu);
		}
		assert_true(n_apart > 0);
		rs_plan_free(&plan);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(rows_that_hand_over_have_partners),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
