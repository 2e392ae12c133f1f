#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "src/placement.h"
#include "tests/kernels/checked_call.h"

/* A level takes its return address, and on some ISAs a frame of 160 bytes. */
#define STACK_BYTES ((size_t)RS_MAX_CHAIN * 176)

static uint64_t bits[RS_CHAIN_ROWS][2];

static void check(const struct rs_chain *row, const void *entry, unsigned long n,
		  unsigned long calls)
{
	char text[256];
	unsigned long kargs[RS_N_KARGS] = {
	    [RS_KARG_CALLS] = calls,
	    [RS_KARG_ARG0] = n,
	    [RS_KARG_ARG1] = (uintptr_t)bits,
	};
	const unsigned int broken = rs_checked_call(entry, kargs, STACK_BYTES);
	if (broken)
		fail_msg("%s, %lu calls: broke %s", row->name, n,
			 rs_rules_text(broken, text, sizeof(text)));
	if (kargs[RS_KARG_RESULT] != n)
		fail_msg("%s: made %lu calls, not %lu", row->name,
			 kargs[RS_KARG_RESULT], n);
}

/* Every length; more iterations than rows of bits, so that their index wraps. */
static void check_all(const struct rs_chain *row, const void *entry)
{
	for (unsigned long n = 1; n <= RS_MAX_CHAIN; n++)
		check(row, entry, n, 3);
	check(row, entry, RS_MAX_CHAIN, 1);
	check(row, entry, 5, RS_CHAIN_ROWS + 2);
}

static void chains_make_as_many_calls_as_asked(void **state)
{
	(void)state;
	static const int patterns[] = {0, 0xff, 0xa5};
	const struct rs_chain *const chains = rs_isa_host()->chains;
	assert_non_null(chains);
	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		memset(bits, patterns[i], sizeof(bits));
		for (const struct rs_chain *row = chains; row->name; row++)
			check_all(row, row->kernel->entry[0]);
	}
}

static void copies_do_the_same(void **state)
{
	(void)state;
	const struct rs_chain *row = rs_isa_host()->chains;
	for (; row && row->name; row++) {
		struct rs_placement placement;
		struct rs_err err;
		assert_int_equal(rs_placement_make(&placement, row->kernel, 1, 3, &err),
				 0);
		check_all(row, rs_placement_entry(&placement, 0));
		rs_placement_free(&placement);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(chains_make_as_many_calls_as_asked),
	    cmocka_unit_test(copies_do_the_same),
	};
	return cmocka_run_group_tests_name("chain", tests, NULL, NULL);
}
