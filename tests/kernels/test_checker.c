#include "tests/kernels/checked_call.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#define WRONG(name)                                                                    \
	void rs_k_wrong_##name(void);                                                  \
	static const char name_##name[] = #name

WRONG(nothing);
WRONG(nothing_with_stack);
WRONG(rbx);
WRONG(rbp);
WRONG(r12);
WRONG(r13);
WRONG(r14);
WRONG(r15);
WRONG(leaves_on_stack);
WRONG(takes_from_stack);
WRONG(returns_past);
WRONG(overwrites_return_address);
WRONG(direction_flag);
WRONG(mxcsr);
WRONG(x87);
WRONG(stack_above);
WRONG(stack_below);
WRONG(input);
WRONG(before_kargs);
WRONG(after_kargs);
WRONG(result);

#define ROW(kernel, rules)                                                             \
	{                                                                              \
		name_##kernel, rs_k_wrong_##kernel, rules                              \
	}

/* Every kernel breaks exactly these rules, in the eyes of the checked call. */
static void each_wrong_kernel_is_caught(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		void (*kernel)(void);
		unsigned int broken;
	} rows[] = {
	    ROW(nothing, 0),
	    ROW(nothing_with_stack, 0),
	    ROW(rbx, 1U << RS_RULE_RBX),
	    ROW(rbp, 1U << RS_RULE_RBP),
	    ROW(r12, 1U << RS_RULE_R12),
	    ROW(r13, 1U << RS_RULE_R13),
	    ROW(r14, 1U << RS_RULE_R14),
	    ROW(r15, 1U << RS_RULE_R15),
	    ROW(leaves_on_stack, 1U << RS_RULE_STACK_POINTER),
	    ROW(takes_from_stack, 1U << RS_RULE_STACK_POINTER),
	    ROW(returns_past, 1U << RS_RULE_RETURN_ADDRESS),
	    ROW(overwrites_return_address, 1U << RS_RULE_RETURN_ADDRESS),
	    ROW(direction_flag, 1U << RS_RULE_DIRECTION_FLAG),
	    ROW(mxcsr, 1U << RS_RULE_MXCSR),
	    ROW(x87, 1U << RS_RULE_X87),
	    ROW(stack_above, 1U << RS_RULE_STACK_ABOVE),
	    ROW(stack_below, 1U << RS_RULE_STACK_BELOW),
	    ROW(input, 1U << RS_RULE_KARGS),
	    ROW(before_kargs, 1U << RS_RULE_KARGS),
	    ROW(after_kargs, 1U << RS_RULE_KARGS),
	    ROW(result, 1U << RS_RULE_RESULT),
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		unsigned long kargs[RS_N_KARGS] = {[RS_KARG_CALLS] = 1};
		const unsigned int broken = rs_checked_call(
		    (const void *)(uintptr_t)rows[i].kernel, kargs, RS_STACK_KERNEL);
		char text[256];
		if (broken != rows[i].broken)
			fail_msg("%s: broken rules: %s", rows[i].name,
				 rs_rules_text(broken, text, sizeof(text)));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_wrong_kernel_is_caught),
	};
	return cmocka_run_group_tests_name("checker", tests, NULL, NULL);
}
