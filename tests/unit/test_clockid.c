#include "src/clockid.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct clock_case {
	const char *text;
	int id; /* -1: none */
};

static void clocks_are_found_by_any_of_their_names(void **state)
{
	(void)state;
	static const struct clock_case cases[] = {
	    {"monotonic", 1},
	    {"CLOCK_MONOTONIC", 1},
	    {"clock_Monotonic", 1},
	    {"1", 1},
	    {"0", 0},
	    {"realtime", 0},
	    {"tai", 11},
	    {"thread_cputime_id", 3},
	    {"CLOCK_BOOTTIME_ALARM", 9},
	    {"10", -1},
	    {"-1", -1},
	    {"4294967297", -1},
	    {"", -1},
	    {"CLOCK_", -1},
	    {"CLOCK_CLOCK_TAI", -1},
	    {"mono", -1},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct rs_operand *const clock = rs_clock_find(cases[i].text);
		print_message("'%s'\n", cases[i].text);
		assert_int_equal(clock ? clock->id : -1, cases[i].id);
	}
	size_t n = 0;
	while (rs_clocks()[n].name)
		n++;
	assert_int_equal(n, 11);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(clocks_are_found_by_any_of_their_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
