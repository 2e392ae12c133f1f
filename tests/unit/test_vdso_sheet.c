#include "src/vdso_sheet.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "src/oracle.h"

static const struct rs_isa isa = {.vdso_prefix = "__vdso_", .vdso_version = "V"};

static const char *cell(const struct rs_sheet *sheet, size_t row, const char *column)
{
	for (size_t i = 0; i < sheet->n_columns; i++) {
		if (strcmp(sheet->columns[i].name, column) == 0)
			return sheet->cells[row * sheet->n_columns + i];
	}
	fail_msg("no column %s", column);
	return NULL;
}

static void check_cell(const struct rs_sheet *sheet, size_t row, const char *column,
		       const char *want)
{
	const char *const found = cell(sheet, row, column);
	print_message("row %zu, %s: %s\n", row, column, found ? found : "absent");
	if (want) {
		assert_non_null(found);
		assert_string_equal(found, want);
	} else {
		assert_null(found);
	}
}

static size_t n_functions(void)
{
	size_t n = 0;
	for (const struct rs_workload *w = rs_workloads(); w->name; w++)
		n += rs_workload_is_vdso(w);
	return n;
}

static void without_a_vdso_every_workload_is_absent(void **state)
{
	(void)state;
	const struct rs_vdso none = {.base = NULL};
	struct rs_err err;
	struct rs_sheet sheet;
	assert_int_equal(rs_vdso_sheet_make(&sheet, &none, &isa, "no vDSO", &err), 0);
	assert_int_equal(sheet.n_rows, n_functions());
	for (size_t i = 0; i < sheet.n_rows; i++) {
		check_cell(&sheet, i, "verdict", "absent");
		assert_non_null(cell(&sheet, i, "function"));
		assert_non_null(cell(&sheet, i, "reason"));
		check_cell(&sheet, i, "address", NULL);
		check_cell(&sheet, i, "size_bytes", NULL);
	}
	assert_int_equal(sheet.n_notes, 1);
	assert_string_equal(sheet.notes[0], "no vDSO");
	rs_vdso_sheet_free(&sheet);
	rs_vdso_sheet_free(&sheet);
	assert_null(sheet.cells);
}

static long crash(unsigned long arg0, unsigned long arg1, unsigned long arg2)
{
	(void)arg0;
	(void)arg1;
	(void)arg2;
	__builtin_trap();
}

static void symbols_of_one_address_share_a_row(void **state)
{
	(void)state;
	const void *const code = (const void *)(uintptr_t)crash;
	struct rs_vdso_symbol symbols[] = {
	    {"getcpu", "V", 0x40, 8, code},
	    {"__kernel_getcpu", NULL, 0x40, 8, code},
	    {"__vdso_getcpu", "V", 0x40, 8, code},
	    {"__vdso_getcpu", "OLD", 0x60, 0, code},
	    {"__vdso_riscv_hwprobe", NULL, 0x80, 0, code},
	};
	const struct rs_vdso vdso = {
	    .base = &vdso,
	    .n_bytes = 4096,
	    .note = "the path differs",
	    .symbols = symbols,
	    .n_symbols = sizeof(symbols) / sizeof(symbols[0]),
	};
	struct rs_err err;
	struct rs_sheet sheet;
	assert_int_equal(rs_vdso_sheet_make(&sheet, &vdso, &isa, NULL, &err), 0);
	assert_int_equal(sheet.n_rows, 3 + n_functions() - 1);

	check_cell(&sheet, 0, "function", "getcpu");
	check_cell(&sheet, 0, "symbol", "__vdso_getcpu");
	check_cell(&sheet, 0, "version", "V");
	check_cell(&sheet, 0, "aliases", "getcpu __kernel_getcpu");
	check_cell(&sheet, 0, "offset", "0x40");
	check_cell(&sheet, 0, "size_bytes", "8");
	check_cell(&sheet, 0, "clock", NULL);
	check_cell(&sheet, 0, "verdict", "broken");

	check_cell(&sheet, 1, "symbol", "__vdso_getcpu");
	check_cell(&sheet, 1, "version", "OLD");
	check_cell(&sheet, 1, "verdict", NULL);
	check_cell(
	    &sheet, 1, "reason",
	    "not checked: workload vdso.getcpu calls another symbol of this name");

	check_cell(&sheet, 2, "function", "riscv_hwprobe");
	check_cell(&sheet, 2, "version", NULL);
	check_cell(&sheet, 2, "size_bytes", NULL);
	check_cell(&sheet, 2, "verdict", NULL);
	check_cell(&sheet, 2, "reason", "not checked: no workload calls it");

	check_cell(&sheet, 3, "verdict", "absent");
	assert_true(sheet.n_notes >= 3);
	assert_string_equal(sheet.notes[1], "build-id none");
	assert_string_equal(sheet.notes[sheet.n_notes - 1], "the path differs");
	rs_vdso_sheet_free(&sheet);
}

/* Each clock id is a row of its own, and no function of the live vDSO is broken. */
static void the_live_vdso_fills_a_row_per_clock(void **state)
{
	(void)state;
	struct rs_err err;
	struct rs_vdso vdso;
	struct rs_sheet sheet;
	if (rs_vdso_open(&vdso, &err)) {
		print_message("%s\n", err.text);
		skip();
	}
	assert_int_equal(rs_vdso_sheet_make(&sheet, &vdso, &isa, NULL, &err), 0);
	rs_vdso_close(&vdso);
	size_t n_clocks = 0;
	for (size_t i = 0; i < sheet.n_rows; i++) {
		const char *const verdict = cell(&sheet, i, "verdict");
		print_message("%s: %s\n", cell(&sheet, i, "function"), verdict);
		assert_true(!verdict || strcmp(verdict, "broken") != 0);
		assert_true(verdict || cell(&sheet, i, "reason"));
		if (strcmp(cell(&sheet, i, "function"), "clock_gettime") != 0)
			continue;
		check_cell(&sheet, i, "clock", rs_clocks()[n_clocks].name);
		n_clocks++;
	}
	assert_int_equal(n_clocks, 11);
	rs_vdso_sheet_free(&sheet);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(without_a_vdso_every_workload_is_absent),
	    cmocka_unit_test(symbols_of_one_address_share_a_row),
	    cmocka_unit_test(the_live_vdso_fills_a_row_per_clock),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
