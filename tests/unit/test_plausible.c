#include "src/plausible.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define N(array) (sizeof(array) / sizeof((array)[0]))

static const struct rs_expected exact = {
    .known = true,
    .is_exact = true,
    .instructions = 100,
    .branches = 10,
    .returns = 5,
};

/* Where the kernel calls code outside itself, the numbers are lower bounds. */
static const struct rs_expected bounds = {
    .known = true,
    .instructions = 100,
    .branches = 10,
    .returns = 5,
};

static const struct rs_expected unknown = {.instructions = 100, .branches = 10};
static const struct rs_expected no_returns = {
    .known = true,
    .is_exact = true,
    .instructions = 2,
    .branches = 1,
};

#define MANY 1e9 /* calls, so that the reading itself costs nothing a call */

struct row {
	enum rs_meaning meaning;
	const struct rs_expected *expected;
	double per_call;
	double calls;
	bool is_plausible;
};

static const struct row rows[] = {
    /* 2 % around what is known. */
    {RS_MEANING_INSTRUCTIONS, &exact, 100, MANY, true},
    {RS_MEANING_INSTRUCTIONS, &exact, 98.01, MANY, true},
    {RS_MEANING_INSTRUCTIONS, &exact, 97.99, MANY, false},
    {RS_MEANING_INSTRUCTIONS, &exact, 101.99, MANY, true},
    {RS_MEANING_INSTRUCTIONS, &exact, 102.01, MANY, false},
    {RS_MEANING_INSTRUCTIONS, &exact, 0, MANY, false},
    {RS_MEANING_BRANCHES, &exact, 9.81, MANY, true},
    {RS_MEANING_BRANCHES, &exact, 9.79, MANY, false},
    {RS_MEANING_BRANCHES, &exact, 10.19, MANY, true},
    {RS_MEANING_BRANCHES, &exact, 10.21, MANY, false},
    {RS_MEANING_RETURNS, &exact, 4.91, MANY, true},
    {RS_MEANING_RETURNS, &exact, 4.89, MANY, false},
    {RS_MEANING_RETURNS, &exact, 5.09, MANY, true},
    {RS_MEANING_RETURNS, &exact, 5.11, MANY, false},
    /* The reading's own 3000 spread over the calls: 3 each over 1000. */
    {RS_MEANING_INSTRUCTIONS, &exact, 104.99, 1000, true},
    {RS_MEANING_INSTRUCTIONS, &exact, 105.01, 1000, false},
    {RS_MEANING_INSTRUCTIONS, &exact, 97.99, 1000, false},
    {RS_MEANING_RETURNS, &no_returns, 0, MANY, true},
    {RS_MEANING_RETURNS, &no_returns, 2.99, 1000, true},
    {RS_MEANING_RETURNS, &no_returns, 3.01, 1000, false},
    /* Lower bounds have no upper end. */
    {RS_MEANING_INSTRUCTIONS, &bounds, 1e6, MANY, true},
    {RS_MEANING_INSTRUCTIONS, &bounds, 97.99, MANY, false},
    {RS_MEANING_BRANCHES, &bounds, 9.79, MANY, false},
    {RS_MEANING_RETURNS, &bounds, 4.89, MANY, false},
    {RS_MEANING_RETURNS, &bounds, 50, MANY, true},
    /* No more misses than branches; none is fine. */
    {RS_MEANING_BRANCH_MISSES, &exact, 0, MANY, true},
    {RS_MEANING_BRANCH_MISSES, &exact, 10.19, MANY, true},
    {RS_MEANING_BRANCH_MISSES, &exact, 10.21, MANY, false},
    {RS_MEANING_BRANCH_MISSES, &exact, 13.19, 1000, true},
    {RS_MEANING_BRANCH_MISSES, &bounds, 10.21, MANY, true},
    {RS_MEANING_RETURN_MISSES, &exact, 10.19, MANY, true},
    {RS_MEANING_RETURN_MISSES, &exact, 10.21, MANY, false},
    {RS_MEANING_RETURN_MISSES, &bounds, 10.21, MANY, true},
    /* 100 instructions are 6.25 cycles at 16 each, 0.625 ns at 10 GHz. */
    {RS_MEANING_CYCLES, &exact, 6.26, MANY, true},
    {RS_MEANING_CYCLES, &exact, 6.24, MANY, false},
    {RS_MEANING_CYCLES, &exact, 1e9, MANY, true},
    {RS_MEANING_CYCLES, &bounds, 6.24, MANY, false},
    {RS_MEANING_NS, &exact, 0.626, MANY, true},
    {RS_MEANING_NS, &exact, 0.624, MANY, false},
    {RS_MEANING_NS, &bounds, 0.624, MANY, false},
    /* Nothing is known of these. */
    {RS_MEANING_TICKS, &exact, 0, MANY, true},
    {RS_MEANING_OTHER, &exact, 0, MANY, true},
    {RS_MEANING_OTHER, &exact, 1e12, MANY, true},
    {RS_MEANING_INSTRUCTIONS, &unknown, 0, MANY, true},
    {RS_MEANING_BRANCHES, &unknown, 1e9, MANY, true},
};

static void counts_are_held_against_what_is_known(void **state)
{
	(void)state;
	for (size_t i = 0; i < N(rows); i++) {
		const struct row *const row = &rows[i];
		print_message("row %zu: meaning %d, %g a call over %g calls\n", i,
			      (int)row->meaning, row->per_call, row->calls);
		assert_int_equal(rs_is_plausible(row->meaning, row->expected,
						 row->per_call, row->calls),
				 row->is_plausible);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(counts_are_held_against_what_is_known),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
