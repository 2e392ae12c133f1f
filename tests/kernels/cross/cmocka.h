#ifndef TESTS_KERNELS_CROSS_CMOCKA_H
#define TESTS_KERNELS_CROSS_CMOCKA_H

/*
 * As much of cmocka as the kernel tests use, for foreign programs, for which there is
 * no cmocka to link with. A failed check ends the program with 1.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

struct CMUnitTest {
	const char *name;
	void (*test)(void **state);
};

#define cmocka_unit_test(function)                                                     \
	{                                                                              \
#function, function                                                    \
	}

#define print_message(...) (void)printf(__VA_ARGS__)

#define fail_msg(...)                                                                  \
	do {                                                                           \
		printf("%s:%d: ", __FILE__, __LINE__);                                 \
		printf(__VA_ARGS__);                                                   \
		printf("\n");                                                          \
		exit(1);                                                               \
	} while (0)

#define assert_true(condition)                                                         \
	do {                                                                           \
		if (!(condition))                                                      \
			fail_msg("not true: %s", #condition);                          \
	} while (0)

#define assert_non_null(pointer) assert_true((pointer) != NULL)

#define assert_int_equal(a, b)                                                         \
	do {                                                                           \
		const long long rs_a = (long long)(a);                                 \
		const long long rs_b = (long long)(b);                                 \
		if (rs_a != rs_b)                                                      \
			fail_msg("%s is %#llx, not %#llx", #a, rs_a, rs_b);            \
	} while (0)

#define cmocka_run_group_tests_name(group, tests, setup, teardown)                     \
	rs_cmocka_run(group, tests, sizeof(tests) / sizeof((tests)[0]))

static inline int rs_cmocka_run(const char *group, const struct CMUnitTest *tests,
				size_t n_tests)
{
	void *state = NULL;
	for (size_t i = 0; i < n_tests; i++) {
		printf("%s: %s\n", group, tests[i].name);
		fflush(stdout);
		tests[i].test(&state);
	}
	printf("%s: %zu tests passed\n", group, n_tests);
	return 0;
}

#endif
