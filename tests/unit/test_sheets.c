#include "src/sheets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "arch/arch.h"

#define N(array) (sizeof(array) / sizeof((array)[0]))

static int make_events(struct rs_sheet *out, struct rs_err *err)
{
	return rs_sheet_of_events(out, 0, NULL, err);
}

static int make_presets(struct rs_sheet *out, struct rs_err *err)
{
	return rs_sheet_of_presets(out, 0, NULL, err);
}

struct shape {
	const char *title;
	int (*make)(struct rs_sheet *out, struct rs_err *err);
	const char *columns; /* names, space separated */
};

static const struct shape shapes[] = {
    {"workloads", rs_sheet_of_workloads, "workload baseline clocks description source"},
    {"variants", rs_sheet_of_variants,
     "workload variant effect frames description absent instructions branches pushes "
     "pops exempt"},
    {"events", make_events, "event chosen source config opens note reason"},
    {"PMUs", rs_sheet_of_pmus, "pmu type core cpus"},
    {"presets", make_presets,
     "preset here entries overflow underflow exempt merge link processor cpus user "
     "source note"},
};

static void check_columns(const struct rs_sheet *sheet, const char *want)
{
	char names[256] = "";
	for (size_t i = 0; i < sheet->n_columns; i++) {
		strcat(names, i ? " " : "");
		strcat(names, sheet->columns[i].name);
		assert_non_null(sheet->columns[i].title);
	}
	assert_string_equal(names, want);
}

/* What is absent is NULL; an empty string would be shown as a value. */
static void check_cells(const struct rs_sheet *sheet)
{
	for (size_t row = 0; row < sheet->n_rows; row++) {
		const char *const *const cells = &sheet->cells[row * sheet->n_columns];
		print_message("%s row %zu\n", sheet->title, row);
		assert_non_null(cells[0]);
		for (size_t i = 0; i < sheet->n_columns; i++)
			assert_true(!cells[i] || cells[i][0]);
	}
}

static void sheets_have_their_shapes(void **state)
{
	(void)state;
	for (size_t i = 0; i < N(shapes); i++) {
		struct rs_sheet sheet;
		struct rs_err err = {""};
		const int ret = shapes[i].make(&sheet, &err);
		if (ret && shapes[i].make == rs_sheet_of_pmus) {
			print_message("no PMUs to list: %s\n", err.text);
			continue;
		}
		print_message("%s %s\n", shapes[i].title, err.text);
		assert_int_equal(ret, 0);
		assert_string_equal(sheet.title, shapes[i].title);
		check_columns(&sheet, shapes[i].columns);
		assert_true(sheet.n_rows > 0);
		check_cells(&sheet);
		rs_list_sheet_free(&sheet);
		assert_null(sheet.cells);
		assert_int_equal(sheet.n_rows, 0);
		rs_list_sheet_free(&sheet);
	}
}

static const char *cell(const struct rs_sheet *sheet, size_t row, const char *column)
{
	for (size_t i = 0; i < sheet->n_columns; i++) {
		if (strcmp(sheet->columns[i].name, column) == 0)
			return sheet->cells[row * sheet->n_columns + i];
	}
	fail_msg("no column %s", column);
	return NULL;
}

static void every_workload_tells_what_it_is_and_whence(void **state)
{
	(void)state;
	struct rs_sheet sheet;
	struct rs_err err = {""};
	assert_int_equal(rs_sheet_of_workloads(&sheet, &err), 0);
	size_t row = 0;
	for (const struct rs_workload *w = rs_workloads(); w->name; w++, row++) {
		print_message("%s\n", w->name);
		assert_true(row < sheet.n_rows);
		assert_string_equal(cell(&sheet, row, "workload"), w->name);
		assert_string_equal(cell(&sheet, row, "description"), w->text);
		assert_string_equal(cell(&sheet, row, "source"), w->source);
		const bool has_kernels = rs_isa_family(rs_isa_host(), w->family);
		assert_int_equal(cell(&sheet, row, "baseline") != NULL, has_kernels);
		assert_int_equal(cell(&sheet, row, "clocks") != NULL,
				 w->takes_clock || w->takes_bytes || w->takes_way);
	}
	assert_int_equal(row, sheet.n_rows);
	rs_list_sheet_free(&sheet);
}

/* Closed forms, such as "1+2k" below k frames; nothing where there is no kernel. */
static void check_counts(const struct rs_sheet *sheet, size_t row,
			 const struct rs_kernel *kernel)
{
	const struct {
		const char *column;
		const struct rs_linear *want;
	} counts[] = {
	    {"instructions", &kernel->counts.instructions},
	    {"branches", &kernel->counts.branches},
	    {"pushes", &kernel->counts.pushes},
	    {"pops", &kernel->counts.pops},
	    {"exempt", &kernel->counts.exempt},
	};
	for (size_t i = 0; i < N(counts); i++) {
		char want[RS_LINEAR_TEXT];
		const char *const found = cell(sheet, row, counts[i].column);
		if (kernel)
			assert_string_equal(found,
					    rs_linear_text(want, counts[i].want));
		else
			assert_null(found);
	}
}

static void closed_forms_are_short(void **state)
{
	(void)state;
	static const struct {
		struct rs_linear linear;
		const char *want;
	} rows[] = {
	    {{0, 0}, "0"},    {{7, 0}, "7"},   {{0, 1}, "k"},
	    {{3, 4}, "3+4k"}, {{1, 1}, "1+k"}, {{0, 2}, "2k"},
	};
	for (size_t i = 0; i < N(rows); i++) {
		char text[RS_LINEAR_TEXT];
		assert_string_equal(rs_linear_text(text, &rows[i].linear),
				    rows[i].want);
	}
}

static void check_variant(const struct rs_sheet *sheet, size_t row,
			  const struct rs_workload *w, const struct rs_variant *variant)
{
	print_message("row %zu: %s/%s\n", row, w->name, variant->name);
	assert_true(row < sheet->n_rows);
	assert_string_equal(cell(sheet, row, "workload"), w->name);
	assert_string_equal(cell(sheet, row, "variant"), variant->name);
	assert_string_equal(cell(sheet, row, "effect"),
			    rs_effect_name(variant->effect));
	assert_string_equal(cell(sheet, row, "description"), variant->text);
	const bool runs = variant->kernel && !(variant->missing && variant->missing());
	assert_int_equal(cell(sheet, row, "absent") == NULL, runs);
	check_counts(sheet, row, variant->kernel);
	const char *const frames = cell(sheet, row, "frames");
	if (variant->kernel && variant->kernel->entry[1])
		assert_string_equal(frames, "1-8");
	else
		assert_null(frames);
}

static void every_variant_of_this_machine_is_listed(void **state)
{
	(void)state;
	const struct rs_isa *const isa = rs_isa_host();
	struct rs_sheet sheet;
	struct rs_err err = {""};
	assert_int_equal(rs_sheet_of_variants(&sheet, &err), 0);
	size_t row = 0;
	for (const struct rs_workload *w = rs_workloads(); w->name; w++) {
		const struct rs_family *const family = rs_isa_family(isa, w->family);
		for (size_t i = 0; family && family->variants[i].name; i++)
			check_variant(&sheet, row++, w, &family->variants[i]);
	}
	assert_int_equal(row, sheet.n_rows);
	rs_list_sheet_free(&sheet);
}

/* Whatever cannot be counted here says why. */
static void events_open_or_say_why_not(void **state)
{
	(void)state;
	struct rs_sheet sheet;
	struct rs_err err = {""};
	assert_int_equal(make_events(&sheet, &err), 0);
	assert_string_equal(cell(&sheet, 0, "event"), "ns");
	assert_string_equal(cell(&sheet, 0, "opens"), "yes");
	for (size_t row = 0; row < sheet.n_rows; row++) {
		print_message("%s\n", cell(&sheet, row, "event"));
		const bool opens = strcmp(cell(&sheet, row, "opens"), "yes") == 0;
		assert_int_equal(cell(&sheet, row, "reason") == NULL, opens);
	}
	rs_list_sheet_free(&sheet);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(sheets_have_their_shapes),
	    cmocka_unit_test(every_workload_tells_what_it_is_and_whence),
	    cmocka_unit_test(closed_forms_are_short),
	    cmocka_unit_test(every_variant_of_this_machine_is_listed),
	    cmocka_unit_test(events_open_or_say_why_not),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
