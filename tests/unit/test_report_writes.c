#include "report/report.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "src/outfile.h"
#include "tests/golden/render.h"

static void full_disk_is_returned(void **state)
{
	(void)state;
	for (const struct rs_rendering *row = rs_renderings; row->format; row++) {
		/* A small buffer: the failure comes in the middle, not at the flush. */
		for (int n_buffer = 16; n_buffer <= 1 << 16; n_buffer <<= 12) {
			char buffer[1 << 16];
			FILE *const out = fopen("/dev/full", "w");
			assert_non_null(out);
			setvbuf(out, buffer, _IOFBF, (size_t)n_buffer);
			print_message("%s %s\n", row->format, row->kind);
			assert_int_equal(rs_render(row, out), -ENOSPC);
			fclose(out);
		}
	}
}

static void closed_pipe_is_returned(void **state)
{
	(void)state;
	signal(SIGPIPE, SIG_IGN);
	for (const struct rs_rendering *row = rs_renderings; row->format; row++) {
		int ends[2];
		assert_int_equal(pipe(ends), 0);
		close(ends[0]);
		FILE *const out = fdopen(ends[1], "w");
		assert_non_null(out);
		print_message("%s %s\n", row->format, row->kind);
		assert_int_equal(rs_render(row, out), -EPIPE);
		fclose(out);
	}
	signal(SIGPIPE, SIG_DFL);
}

static void writers_leave_the_stream_open(void **state)
{
	(void)state;
	for (const struct rs_rendering *row = rs_renderings; row->format; row++) {
		FILE *const out = tmpfile();
		assert_non_null(out);
		assert_int_equal(rs_render(row, out), 0);
		assert_true(ftell(out) > 0);
		assert_true(fputs("more", out) >= 0);
		assert_int_equal(fclose(out), 0);
	}
}

static void outfile_tells_what_a_writer_met(void **state)
{
	(void)state;
	for (const struct rs_rendering *row = rs_renderings; row->format; row++) {
		struct rs_outfile file;
		struct rs_err err;
		assert_int_equal(rs_outfile_open(&file, "/dev/full", &err), 0);
		const int code = rs_render(row, file.stream);
		assert_int_equal(rs_outfile_commit(&file, code, &err), -ENOSPC);
		assert_non_null(strstr(err.text, "cannot write '/dev/full': no space"));
	}
}

static void formats_are_found_by_name(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		bool has_results;
		bool has_sheet;
		bool has_checkup;
	} cases[] = {
	    {"text", true, true, true},          {"csv", true, true, true},
	    {"summary-csv", true, false, false}, {"json", true, true, true},
	    {"tap", false, false, true},
	};
	const struct rs_format *format = rs_formats();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++, format++) {
		assert_string_equal(format->name, cases[i].name);
		assert_ptr_equal(rs_format_find(cases[i].name), format);
		assert_non_null(format->text);
		assert_int_equal(format->results != NULL, cases[i].has_results);
		assert_int_equal(format->sheet != NULL, cases[i].has_sheet);
		assert_int_equal(format->checkup != NULL, cases[i].has_checkup);
	}
	assert_null(format->name);
	assert_null(rs_format_find("xml"));
	assert_null(rs_format_find(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(full_disk_is_returned),
	    cmocka_unit_test(closed_pipe_is_returned),
	    cmocka_unit_test(writers_leave_the_stream_open),
	    cmocka_unit_test(outfile_tells_what_a_writer_met),
	    cmocka_unit_test(formats_are_found_by_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
