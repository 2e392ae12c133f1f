#include "report/report.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/utf8.h"
#include "tests/golden/render.h"

#define N_CASES(cases) (sizeof(cases) / sizeof((cases)[0]))

static const unsigned int widths[] = {60, 72, 80, 100, 120, 200};

/* Lines of text that are wider than width columns; prints them. */
static int count_wide(const char *text, size_t width)
{
	int n = 0;
	char *const copy = strdup(text);
	char *rest = copy;
	for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n")) {
		if (rs_utf8_width(line) <= width)
			continue;
		print_message("wider than %zu: %s\n", width, line);
		n++;
	}
	free(copy);
	return n;
}

static void lines_fit(void **state)
{
	(void)state;
	static const char *const kinds[] = {"results", "plain", "empty-sheet",
					    "checkup"};
	for (size_t i = 0; i < N_CASES(kinds) * N_CASES(widths); i++) {
		const struct rs_rendering row = {
		    .format = "text",
		    .kind = kinds[i % N_CASES(kinds)],
		    .width = widths[i / N_CASES(kinds)],
		};
		print_message("%s, %u columns\n", row.kind, row.width);
		char *const text = rs_render_text(&row);
		assert_non_null(text);
		assert_int_equal(count_wide(text, row.width), 0);
		free(text);
	}
	assert_int_equal(count_wide("four\nfive5\n\xe6\xbc\xa2\xe5\xad\x97!\n", 4), 2);
}

/* A sheet can be narrower than its columns that must not wrap. */
static void sheets_fit_where_they_can(void **state)
{
	(void)state;
	static const unsigned int sheet_widths[] = {80, 100, 120};
	for (size_t i = 0; i < N_CASES(sheet_widths); i++) {
		const struct rs_rendering row = {"text", "sheet", sheet_widths[i],
						 false};
		char *const text = rs_render_text(&row);
		assert_non_null(text);
		assert_int_equal(count_wide(text, row.width), 0);
		free(text);
	}
}

/* The lines of the first tables: variant first, verdict or state after it. */
static void verdicts_are_always_there(void **state)
{
	(void)state;
	static const struct {
		const char *variant;
		const char *word;
	} cases[] = {
	    {"\nlea ", "baseline"},        {"\ncall+0 ", "same"},
	    {"\ncall+4 ", "slower"},       {"\ncall+8 ", "faster"},
	    {"\nthunk ", "absent:"},       {"\nsyscall ", "error:"},
	    {"\nvdso@call+4 ", "broken:"}, {"\nvdso@call+8 ", "crashed:"},
	};
	for (size_t i = 0; i < N_CASES(cases) * N_CASES(widths); i++) {
		const struct rs_rendering row = {"text", "results",
						 widths[i / N_CASES(cases)], false};
		const char *const variant = cases[i % N_CASES(cases)].variant;
		print_message("%s, %u columns\n", variant + 1, row.width);
		char *const text = rs_render_text(&row);
		assert_non_null(text);
		char *const line = strstr(text, variant);
		assert_non_null(line);
		line[1 + strcspn(line + 1, "\n")] = '\0';
		assert_non_null(strstr(line, cases[i % N_CASES(cases)].word));
		free(text);
	}
}

static void text_carries_no_control_bytes(void **state)
{
	(void)state;
	for (const struct rs_rendering *row = rs_renderings; row->format; row++) {
		if (strcmp(row->format, "text") != 0)
			continue;
		char *const text = rs_render_text(row);
		assert_non_null(text);
		assert_true(rs_utf8_is_valid(text));
		for (const char *c = text; *c; c++)
			assert_true((unsigned char)*c >= ' ' || *c == '\n');
		free(text);
	}
}

static void colour_only_when_asked_for(void **state)
{
	(void)state;
	const struct rs_rendering row = {"text", "checkup", 80, true};
	char *const text = rs_render_text(&row);
	assert_non_null(text);
	assert_non_null(strstr(text, "\033[32mgood\033[0m     self-test"));
	assert_non_null(strstr(text, "\033[31mbad\033[0m      pmu"));
	free(text);
}

int main(void)
{
	/* Widths of characters are counted here as the writers count them. */
	setlocale(LC_CTYPE, "C.UTF-8");
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(lines_fit),
	    cmocka_unit_test(sheets_fit_where_they_can),
	    cmocka_unit_test(verdicts_are_always_there),
	    cmocka_unit_test(text_carries_no_control_bytes),
	    cmocka_unit_test(colour_only_when_asked_for),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
