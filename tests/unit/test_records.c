#include "src/base/records.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct text_case {
	const char *text;
	const char *expected; /* fields in [], records on lines; NULL: a bad line */
	const char *why;
};

static const struct text_case cases[] = {
    {"", "", NULL},
    {"a,b\n", "[a][b]\n", NULL},
    {"a,b", "[a][b]\n", NULL},
    {"a,b\r\nc,d\r\n", "[a][b]\n[c][d]\n", NULL},
    {",\n", "[][]\n", NULL},
    {"\n\n", "[]\n[]\n", NULL},
    {"\"a,b\",\"c\"\"d\"\n", "[a,b][c\"d]\n", NULL},
    {"\"a\r\nb\",c\r\n", "[a\r\nb][c]\n", NULL},
    {"\"\",x\n", "[][x]\n", NULL},
    {"a\"b,c\n", "[a\"b][c]\n", NULL},
    {"x\n\"a\nb", NULL, "f line 2: a quoted field does not end"},
    {"x\n\"a\n\"\n\"b\"c\n", NULL,
     "f line 4: text follows the closing quote of a field"},
};

/* Returns what the reader ended with. */
static int read_all(const char *text, size_t n, char *out, size_t size,
		    struct rs_err *err)
{
	FILE *const file = fmemopen((char *)(uintptr_t)text, n ? n : 1, "r");
	struct rs_csv csv;
	int ret = 0;
	assert_non_null(file);
	out[0] = '\0';
	rs_csv_begin(&csv, file, "f", ',');
	while (n && (ret = rs_csv_next(&csv, err)) > 0) {
		for (size_t i = 0; i < csv.n_fields; i++)
			snprintf(out + strlen(out), size - strlen(out), "[%s]",
				 csv.fields[i]);
		snprintf(out + strlen(out), size - strlen(out), "\n");
	}
	rs_csv_end(&csv);
	fclose(file);
	return ret;
}

static void texts_become_records(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char out[256];
		struct rs_err err;
		const int ret = read_all(cases[i].text, strlen(cases[i].text), out,
					 sizeof(out), &err);
		print_message("%zu\n", i);
		if (cases[i].expected) {
			assert_int_equal(ret, 0);
			assert_string_equal(out, cases[i].expected);
			continue;
		}
		assert_int_equal(ret, -EINVAL);
		assert_string_equal(err.text, cases[i].why);
	}
}

static void nul_bytes_are_refused(void **state)
{
	(void)state;
	char out[64];
	struct rs_err err;
	assert_int_equal(read_all("a\0b\n", 4, out, sizeof(out), &err), -EINVAL);
	assert_string_equal(err.text, "f line 1: it has a NUL byte");
}

static void a_record_has_a_limit(void **state)
{
	(void)state;
	const size_t n = RS_CSV_MAX_BYTES + 2;
	char out[64];
	struct rs_err err;
	char *const text = malloc(n);
	assert_non_null(text);
	memset(text, 'x', n);
	assert_int_equal(read_all(text, n, out, sizeof(out), &err), -EFBIG);
	memset(text, ',', n);
	assert_int_equal(read_all(text, n, out, sizeof(out), &err), -EINVAL);
	assert_string_equal(err.text, "f line 1: it has more than 256 fields");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(texts_become_records),
	    cmocka_unit_test(nul_bytes_are_refused),
	    cmocka_unit_test(a_record_has_a_limit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
