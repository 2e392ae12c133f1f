/*
 * Every output of the fixtures against a file in tests/golden. After a change that is
 * meant, RS_GOLDEN_UPDATE=1 in the environment rewrites the files; read their diff.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/base/file.h"
#include "tests/golden/render.h"

#define GOLDEN_MAX (1 << 22)

static void write_file(const char *path, const char *text)
{
	FILE *const out = fopen(path, "w");
	assert_non_null(out);
	assert_true(fputs(text, out) >= 0);
	assert_int_equal(fclose(out), 0);
}

/* A new version of the program does not make old files wrong. */
static void hide_version(char *text)
{
	static const char key[] = "\"version\": \"";
	char *const found = strstr(text, key);
	if (!found)
		return;
	for (char *c = found + sizeof(key) - 1; *c && *c != '"'; c++)
		*c = 'V';
}

/* 0: same. Prints how they differ. */
static int compare(const char *path, const char *actual)
{
	char command[1024];
	char *expected = NULL;
	size_t n_bytes = 0;
	const int ret = rs_file_read_all(path, GOLDEN_MAX, &expected, &n_bytes);
	const bool is_same = ret == 0 && strcmp(expected, actual) == 0;
	free(expected);
	if (is_same)
		return 0;
	write_file("golden.actual", actual);
	snprintf(command, sizeof(command), "diff -au '%s' golden.actual", path);
	print_message("%s differs:\n", path);
	fflush(NULL);
	const int status = system(command);
	return status ? status : 1;
}

static void outputs_are_as_before(void **state)
{
	(void)state;
	const bool is_update = getenv("RS_GOLDEN_UPDATE") != NULL;
	int n_different = 0;
	for (const struct rs_rendering *row = rs_renderings; row->format; row++) {
		char path[512];
		snprintf(path, sizeof(path), RS_SOURCE_DIR "/tests/golden/%s.%s",
			 row->kind, row->format);
		char *const text = rs_render_text(row);
		assert_non_null(text);
		hide_version(text);
		if (is_update)
			write_file(path, text);
		else
			n_different += compare(path, text) != 0;
		free(text);
	}
	assert_int_equal(n_different, 0);
}

static void compare_sees_a_difference(void **state)
{
	(void)state;
	static const char *const path = RS_SOURCE_DIR "/tests/golden/plain.text";
	char *expected = NULL;
	size_t n_bytes = 0;
	assert_int_equal(rs_file_read_all(path, GOLDEN_MAX, &expected, &n_bytes), 0);
	assert_int_equal(compare(path, expected), 0);
	expected[n_bytes / 2] ^= 1;
	assert_int_not_equal(compare(path, expected), 0);
	free(expected);
	assert_int_not_equal(compare(RS_SOURCE_DIR "/tests/golden/none", ""), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(outputs_are_as_before),
	    cmocka_unit_test(compare_sees_a_difference),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
