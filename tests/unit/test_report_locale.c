/* The writers under a locale with a decimal comma. */

#include <errno.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/golden/render.h"

#define COMMA_LOCALE "de_DE.UTF-8"

/* Installed, or made beside the test; false: neither, after saying so. */
static bool enter_comma_locale(void)
{
	char path[4096];
	if (setlocale(LC_ALL, COMMA_LOCALE))
		return true;
	if (!getcwd(path, sizeof(path) - 16))
		return false;
	strcat(path, "/locale");
	if (access("locale/" COMMA_LOCALE, F_OK) &&
	    system("mkdir -p locale && localedef -i de_DE -f UTF-8 "
		   "./locale/" COMMA_LOCALE))
		return false;
	setenv("LOCPATH", path, 1);
	const bool ok = setlocale(LC_ALL, COMMA_LOCALE) != NULL;
	unsetenv("LOCPATH");
	return ok;
}

static void outputs_do_not_depend_on_the_locale(void **state)
{
	(void)state;
	if (!enter_comma_locale()) {
		print_message("skipped: " COMMA_LOCALE " is not installed and "
			      "localedef cannot make it (package locales)\n");
		skip();
	}
	char number[16];
	snprintf(number, sizeof(number), "%.1f", 1.5);
	assert_string_equal(number, "1,5");
	for (const struct rs_rendering *row = rs_renderings; row->format; row++) {
		print_message("%s %s\n", row->format, row->kind);
		char *const there = rs_render_text(row);
		snprintf(number, sizeof(number), "%.1f", 1.5);
		assert_string_equal(number, "1,5"); /* the writer gave it back */
		setlocale(LC_ALL, "C");
		char *const here = rs_render_text(row);
		assert_true(enter_comma_locale());
		assert_non_null(here);
		assert_non_null(there);
		assert_string_equal(here, there);
		free(here);
		free(there);
	}
	setlocale(LC_ALL, "C");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(outputs_do_not_depend_on_the_locale),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
