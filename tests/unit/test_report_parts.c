/* Numbers, UTF-8, wrapping and tables: the parts that the writers are made of. */

#include <float.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/number.h"
#include "report/report.h"
#include "report/sink.h"
#include "report/table.h"
#include "report/utf8.h"

#define N_CASES(cases) (sizeof(cases) / sizeof((cases)[0]))

struct number_case {
	double value;
	const char *brief;
	const char *with_sign;
	const char *exact;
};

static void numbers_are_short_or_exact(void **state)
{
	(void)state;
	static const struct number_case cases[] = {
	    {0, "0.00", "+0.0", "0"},
	    {2.91, "2.91", "+2.9", "2.91"},
	    {9.996, "10.00", "+10.0", "9.996"},
	    {0.1, "0.10", "+0.1", "0.1"},
	    {0.0123, "0.012", "+0.0", "0.0123"},
	    {99.996, "100.0", "+100", "99.996"},
	    {999.96, "1000", "+1000", "999.96"},
	    {1187, "1187", "+1187", "1187"},
	    {-14.8, "-14.80", "-14.8", "-14.8"},
	    {123456789, "123456789", "+123456789", "123456789"},
	    {1e12, "1.000e+12", "+1.000e+12", "1000000000000"},
	    {1.0 / 3, "0.33", "+0.3", "0.3333333333333333"},
	    {0.1 + 0.2, "0.30", "+0.3", "0.30000000000000004"},
	    {9007199254740993.0, "9.007e+15", "+9.007e+15", "9007199254740992"},
	    {DBL_MAX, "1.798e+308", "+1.798e+308", "1.7976931348623157e+308"},
	};
	for (size_t i = 0; i < N_CASES(cases); i++) {
		char out[RS_NUMBER_BYTES];
		print_message("%.17g\n", cases[i].value);
		assert_string_equal(rs_number_brief(out, cases[i].value),
				    cases[i].brief);
		assert_string_equal(rs_number_signed(out, cases[i].value),
				    cases[i].with_sign);
		assert_string_equal(rs_number_exact(out, cases[i].value),
				    cases[i].exact);
	}
}

/* Any bit pattern: a fixed multiplicative sequence goes through the exponents. */
static void exact_numbers_read_back(void **state)
{
	(void)state;
	uint64_t bits = 0x9e3779b97f4a7c15;
	for (int i = 0; i < 20000; i++) {
		char out[RS_NUMBER_BYTES];
		double value;
		bits = bits * 6364136223846793005 + 1442695040888963407;
		memcpy(&value, &bits, sizeof(value));
		if (!isfinite(value))
			continue;
		const double back = strtod(rs_number_exact(out, value), NULL);
		if (memcmp(&back, &value, sizeof(value)) != 0)
			fail_msg("%a became %s", value, out);
	}
}

struct utf8_case {
	const char *text;
	bool is_valid;
	const char *repaired;
	const char *clean;
};

#define R "\xef\xbf\xbd"

static void untrusted_text_is_made_fit(void **state)
{
	(void)state;
	/* clang-format off */
	static const struct utf8_case cases[] = {
		{"", true, "", ""},
		{"plain", true, "plain", "plain"},
		{"caf\xc3\xa9", true, "caf\xc3\xa9", "caf\xc3\xa9"},
		{"\xf0\x9f\x98\x80", true, "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
		{"a\x1b[31mb", true, "a\x1b[31mb", "a?[31mb"},
		{"a\nb\tc", true, "a\nb\tc", "a b c"},
		{"\x7f", true, "\x7f", "?"},
		{"\xc2\x9b", true, "\xc2\x9b", "?"},
		{"\xe2\x80\xae", true, "\xe2\x80\xae", "?"},
		{"\xff", false, R, "?"},
		{"\xc3", false, R, "?"},
		{"\xc3(", false, R "(", "?("},
		{"\xc0\xaf", false, R R, "??"},
		{"\xed\xa0\x80", false, R R R, "???"},
		{"\xf4\x90\x80\x80", false, R R R R, "????"},
		{"\xe2\x82", false, R R, "??"},
	};
	/* clang-format on */
	for (size_t i = 0; i < N_CASES(cases); i++) {
		print_message("case %zu\n", i);
		char *const repaired = rs_utf8_repair(cases[i].text);
		char *const clean = rs_utf8_clean(cases[i].text);
		assert_int_equal(rs_utf8_is_valid(cases[i].text), cases[i].is_valid);
		assert_string_equal(repaired, cases[i].repaired);
		assert_string_equal(clean, cases[i].clean);
		assert_true(rs_utf8_is_valid(repaired));
		free(repaired);
		free(clean);
	}
}

static void cuts_keep_both_ends(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		size_t width;
		const char *expected;
	} cases[] = {
	    {"abcdef", 6, "abcdef"},
	    {"abcdefgh", 7, "ab...gh"},
	    {"abcdefgh", 6, "ab...h"},
	    {"\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2\xe5\xad\x97", 7,
	     "\xe6\xbc\xa2...\xe5\xad\x97"},
	    {"\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2", 5, "..."},
	};
	for (size_t i = 0; i < N_CASES(cases); i++) {
		char *const cut = rs_utf8_cut(cases[i].text, cases[i].width);
		assert_string_equal(cut, cases[i].expected);
		assert_true(rs_utf8_width(cut) <= cases[i].width);
		free(cut);
	}
}

static void lines_break_at_words(void **state)
{
	(void)state;
	static const struct {
		size_t width;
		const char *text;
		const char *expected;
	} cases[] = {
	    {10, "one two three", "one two\n  three\n"},
	    {10, "one two th", "one two th\n"},
	    {10, "abcdefghijklmno", "abcdefghij\n  klmno\n"},
	    {10, "a bcdefghijklmnopq", "a\n  bcdefghi\n  jklmnopq\n"},
	    {10, "", "\n"},
	    {10, "a          b", "a\n  b\n"},
	};
	for (size_t i = 0; i < N_CASES(cases); i++) {
		char *text = NULL;
		size_t n_bytes = 0;
		FILE *const out = open_memstream(&text, &n_bytes);
		struct rs_sink sink;
		rs_sink_begin(&sink, out);
		rs_sink_wrapf(&sink, cases[i].width, "%s", cases[i].text);
		assert_int_equal(rs_sink_end(&sink), 0);
		fclose(out);
		assert_string_equal(text, cases[i].expected);
		free(text);
	}
}

static void wrapped_tables_fit(void **state)
{
	(void)state;
	struct rs_table table;
	assert_int_equal(rs_table_make(&table, 2, 2), 0);
	assert_int_equal(rs_table_set_title(&table, 0, "n"), 0);
	assert_int_equal(rs_table_set_title(&table, 1, "what"), 0);
	assert_int_equal(rs_table_set(&table, 0, 0, "17"), 0);
	assert_int_equal(rs_table_set(&table, 0, 1, "some words that wrap"), 0);
	assert_int_equal(rs_table_set(&table, 1, 0, NULL), 0);
	assert_int_equal(rs_table_set(&table, 1, 1, "short"), 0);
	table.columns[0].is_right = true;
	table.columns[1].wraps = true;
	assert_int_equal(rs_table_wrap(&table, 18), 0);
	assert_true(rs_table_width(&table) <= 18);
	char *drawn = NULL;
	assert_int_equal(rs_table_draw(&table, &drawn), 0);
	assert_string_equal(drawn,
			    " n  what\n17  some words\n    that wrap\n -  short");
	free(drawn);
	rs_table_free(&table);
	rs_table_free(&table);
}

static void schema_is_built_in(void **state)
{
	(void)state;
	const char *const text = rs_schema_text();
	assert_int_equal(text[0], '{');
	assert_non_null(strstr(text, "\"$schema\""));
	assert_string_equal(text + strlen(text) - 3, "\n}\n");
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(numbers_are_short_or_exact),
	    cmocka_unit_test(exact_numbers_read_back),
	    cmocka_unit_test(untrusted_text_is_made_fit),
	    cmocka_unit_test(cuts_keep_both_ends),
	    cmocka_unit_test(lines_break_at_words),
	    cmocka_unit_test(wrapped_tables_fit),
	    cmocka_unit_test(schema_is_built_in),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
