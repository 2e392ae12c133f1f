#include "src/affinity.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct list_case {
	const char *text;
	int code;
	size_t count;
	int last;
	const char *formatted;
};

static const struct list_case lists[] = {
    {"0", 0, 1, 0, "0"},
    {"0-3,8", 0, 5, 8, "0-3,8"},
    {"8,0-3", 0, 5, 8, "0-3,8"},
    {"0,1,2", 0, 3, 2, "0-2"},
    {"63-64", 0, 2, 64, "63-64"},
    {"1023-2048", 0, 1026, 2048, "1023-2048"},
    {"0,65535", 0, 2, 65535, "0,65535"},
    {"", 0, 0, -ENOENT, ""},
    {"65536", -ERANGE, 0, -ENOENT, ""},
    {"9999999999", -ERANGE, 0, -ENOENT, ""},
    {"3-1", -EINVAL, 0, -ENOENT, ""},
    {"1-", -EINVAL, 0, -ENOENT, ""},
    {"1,", -EINVAL, 0, -ENOENT, ""},
    {",1", -EINVAL, 0, -ENOENT, ""},
    {"1,,2", -EINVAL, 0, -ENOENT, ""},
    {"-1", -EINVAL, 0, -ENOENT, ""},
    {"0x1", -EINVAL, 0, -ENOENT, ""},
    {"1 2", -EINVAL, 0, -ENOENT, ""},
};

static void lists_are_read_and_written(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		const struct list_case *const row = &lists[i];
		print_message("'%s'\n", row->text);
		struct rs_cpus cpus = {0};
		char text[RS_CPUS_TEXT];
		assert_int_equal(rs_cpus_parse(row->text, &cpus), row->code);
		assert_int_equal(rs_cpus_count(&cpus), row->count);
		assert_int_equal(rs_cpus_last(&cpus), row->last);
		assert_string_equal(rs_cpus_format(&cpus, text), row->formatted);
		rs_cpus_free(&cpus);
	}
}

static void a_long_list_is_cut_visibly(void **state)
{
	(void)state;
	char text[2048] = "0";
	for (unsigned int cpu = 2; cpu < 600; cpu += 2) {
		char id[16];
		snprintf(id, sizeof(id), ",%u", cpu);
		strcat(text, id);
	}
	struct rs_cpus cpus = {0};
	char out[RS_CPUS_TEXT];
	assert_int_equal(rs_cpus_parse(text, &cpus), 0);
	rs_cpus_format(&cpus, out);
	assert_true(strlen(out) < RS_CPUS_TEXT);
	assert_string_equal(out + strlen(out) - 3, "...");
	assert_memory_equal(out, "0,2,4,", 6);
	rs_cpus_free(&cpus);
}

static void the_default_avoids_cpu_0_where_it_can(void **state)
{
	(void)state;
	static const struct {
		const char *allowed;
		int chosen;
	} cases[] = {
	    {"0", 0}, {"0-1", 1}, {"0,5,9", 9}, {"2000", 2000}, {"", -ENOENT},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rs_cpus cpus = {0};
		print_message("'%s'\n", cases[i].allowed);
		assert_int_equal(rs_cpus_parse(cases[i].allowed, &cpus), 0);
		assert_int_equal(rs_affinity_choose(&cpus), cases[i].chosen);
		rs_cpus_free(&cpus);
	}
}

static void a_cpu_outside_the_set_is_named_with_the_set(void **state)
{
	(void)state;
	struct rs_cpus cpus = {0};
	struct rs_err err;
	assert_int_equal(rs_cpus_parse("0-1", &cpus), 0);
	assert_int_equal(rs_affinity_check(&cpus, 1, &err), 0);
	assert_int_equal(rs_affinity_check(&cpus, 7, &err), -EINVAL);
	assert_string_equal(err.text, "cpu 7 is not in the allowed set 0-1 of this "
				      "process; choose one of 0-1");
	assert_int_equal(rs_affinity_check(&cpus, UINT32_MAX, &err), -EINVAL);
	rs_cpus_free(&cpus);
}

/* The last test: it leaves the process bound. */
static void pinning_binds_to_one_cpu(void **state)
{
	(void)state;
	struct rs_cpus allowed = {0};
	struct rs_err err = {""};
	assert_int_equal(rs_affinity_allowed(&allowed, &err), 0);
	assert_true(rs_cpus_count(&allowed) > 0);
	const int cpu = rs_affinity_choose(&allowed);
	rs_cpus_free(&allowed);
	const int ret = rs_affinity_pin((unsigned int)cpu, &err);
	print_message("cpu %d: %s\n", cpu, err.text);
	assert_int_equal(ret, 0);
	assert_int_equal(rs_affinity_allowed(&allowed, &err), 0);
	assert_int_equal(rs_cpus_count(&allowed), 1);
	assert_true(rs_cpus_has(&allowed, (unsigned int)cpu));
	rs_cpus_free(&allowed);
	assert_int_equal(rs_affinity_pin(65535, &err), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(lists_are_read_and_written),
	    cmocka_unit_test(a_long_list_is_cut_visibly),
	    cmocka_unit_test(the_default_avoids_cpu_0_where_it_can),
	    cmocka_unit_test(a_cpu_outside_the_set_is_named_with_the_set),
	    cmocka_unit_test(pinning_binds_to_one_cpu),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
