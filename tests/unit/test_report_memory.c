/*
 * Writers without memory. The linker sends the allocations of our own code here
 * (tests/CMakeLists.txt), and each of them fails once.
 */

#include "report/report.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/golden/render.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
char *__real_strndup(const char *text, size_t n);
int __real_vasprintf(char **out, const char *fmt, va_list args);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
char *__wrap_strndup(const char *text, size_t n);
int __wrap_vasprintf(char **out, const char *fmt, va_list args);
int __wrap_asprintf(char **out, const char *fmt, ...);

static bool is_counting;
static size_t n_allocations;
static size_t failing; /* the allocation that fails; 0: none */

static bool fails_now(void)
{
	if (!is_counting || ++n_allocations != failing)
		return false;
	errno = ENOMEM;
	return true;
}

void *__wrap_malloc(size_t size)
{
	return fails_now() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return fails_now() ? NULL : __real_calloc(n, size);
}

char *__wrap_strndup(const char *text, size_t n)
{
	return fails_now() ? NULL : __real_strndup(text, n);
}

int __wrap_vasprintf(char **out, const char *fmt, va_list args)
{
	return fails_now() ? -1 : __real_vasprintf(out, fmt, args);
}

int __wrap_asprintf(char **out, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	const int ret = __wrap_vasprintf(out, fmt, args);
	va_end(args);
	return ret;
}

/* Returns what the writer returned while allocation number which failed. */
static int render_failing(const struct rs_rendering *rendering, size_t which)
{
	FILE *const out = fopen("/dev/null", "w");
	assert_non_null(out);
	failing = which;
	n_allocations = 0;
	is_counting = true;
	const int ret = rs_render(rendering, out);
	is_counting = false;
	assert_int_equal(fclose(out), 0);
	return ret;
}

static void every_failed_allocation_is_returned(void **state)
{
	(void)state;
	size_t n_failed = 0;
	for (const struct rs_rendering *row = rs_renderings; row->format; row++) {
		assert_int_equal(render_failing(row, 0), 0);
		const size_t n = n_allocations;
		print_message("%s %s: %zu allocations\n", row->format, row->kind, n);
		for (size_t which = 1; which <= n; which++) {
			const int ret = render_failing(row, which);
			if (ret != -ENOMEM)
				fail_msg("allocation %zu: %d", which, ret);
			n_failed++;
		}
	}
	assert_true(n_failed > 500);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_failed_allocation_is_returned),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
