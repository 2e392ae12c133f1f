#include "src/base/text.h"

#include <errno.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

struct u64_case {
	const char *text;
	int code;
	uint64_t value;
};

static void u64_reads_whole_numbers_only(void **state)
{
	(void)state;
	static const struct u64_case cases[] = {
	    {"0", 0, 0},
	    {"42", 0, 42},
	    {"0x2a", 0, 42},
	    {"18446744073709551615", 0, UINT64_MAX},
	    {"18446744073709551616", -ERANGE, 0},
	    {"", -EINVAL, 0},
	    {"0x", -EINVAL, 0},
	    {"-1", -EINVAL, 0},
	    {" 1", -EINVAL, 0},
	    {"1 ", -EINVAL, 0},
	    {"1e6", -EINVAL, 0},
	    {"ff", -EINVAL, 0},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t value = 0;
		print_message("'%s'\n", cases[i].text);
		assert_int_equal(rs_text_u64(cases[i].text, 0, UINT64_MAX, &value),
				 cases[i].code);
		assert_int_equal(value, cases[i].value);
	}
	uint64_t value = 0;
	assert_int_equal(rs_text_u64("9", 10, 20, &value), -ERANGE);
	assert_int_equal(rs_text_u64("21", 10, 20, &value), -ERANGE);
}

static void double_ignores_the_locale(void **state)
{
	(void)state;
	double value = 0;
	setlocale(LC_ALL, "de_DE.UTF-8");
	assert_int_equal(rs_text_double("2.5", 0, 10, &value), 0);
	setlocale(LC_ALL, "C");
	assert_true(value == 2.5);
	assert_int_equal(rs_text_double("2,5", 0, 10, &value), -EINVAL);
	assert_int_equal(rs_text_double("nan", 0, 10, &value), -EINVAL);
	assert_int_equal(rs_text_double(".", 0, 10, &value), -EINVAL);
	assert_int_equal(rs_text_double("1.2.3", 0, 10, &value), -EINVAL);
	assert_int_equal(rs_text_double("11", 0, 10, &value), -ERANGE);
}

static void clip_bounds_and_cleans(void **state)
{
	(void)state;
	char clip[RS_CLIP_BYTES];
	char text[4097];
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	text[3] = '\n';
	assert_int_equal(strlen(rs_text_clip(clip, text)), 63);
	assert_memory_equal(clip, "xxx?x", 5);
	assert_string_equal(rs_text_clip(clip, "short"), "short");
}

static void nearest_suggests_only_what_is_near(void **state)
{
	(void)state;
	static const char *const names[] = {"getpc", "datapage", "vdso.time", NULL};
	assert_string_equal(rs_text_nearest("getcp", names), "getpc");
	assert_string_equal(rs_text_nearest("datapge", names), "datapage");
	assert_null(rs_text_nearest("something-else", names));
}

static void copy_and_append_say_when_they_cut(void **state)
{
	(void)state;
	char text[6];
	assert_true(rs_text_copy(text, sizeof(text), "abc"));
	assert_true(rs_text_append(text, sizeof(text), "%s", "de"));
	assert_string_equal(text, "abcde");
	assert_false(rs_text_append(text, sizeof(text), "f"));
	assert_string_equal(text, "abcde");
	assert_false(rs_text_copy(text, sizeof(text), "123456"));
	assert_string_equal(text, "12345");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(u64_reads_whole_numbers_only),
	    cmocka_unit_test(double_ignores_the_locale),
	    cmocka_unit_test(clip_bounds_and_cleans),
	    cmocka_unit_test(nearest_suggests_only_what_is_near),
	    cmocka_unit_test(copy_and_append_say_when_they_cut),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
