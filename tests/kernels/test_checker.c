#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/kernels/checked_call.h"
#include "tests/kernels/wrong.h"

/* Every kernel breaks exactly its rules, in the eyes of the checked call. */
static void each_wrong_kernel_is_caught(void **state)
{
	(void)state;
	for (const struct rs_wrong *row = rs_wrong; row->name; row++) {
		if (row->can_run && !row->can_run()) {
			print_message("%s skipped: not on this processor\n", row->name);
			continue;
		}
		unsigned long kargs[RS_N_KARGS] = {[RS_KARG_CALLS] = 1};
		char text[256];
		rs_rules_text(rs_checked_call(row->kernel, kargs, RS_STACK_KERNEL),
			      text, sizeof(text));
		if (strcmp(text, row->broken) != 0)
			fail_msg("%s: broken rules: '%s', not '%s'", row->name, text,
				 row->broken);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_wrong_kernel_is_caught),
	};
	return cmocka_run_group_tests_name("checker", tests, NULL, NULL);
}
