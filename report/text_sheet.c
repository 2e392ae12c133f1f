#include <stdlib.h>
#include <string.h>

#include "report/lookup.h"
#include "report/sink.h"
#include "report/table.h"
#include "report/writers.h"
#include "src/base/text.h"

static const char *cell(const struct rs_sheet *sheet, size_t row, size_t column)
{
	return sheet->cells[row * sheet->n_columns + column];
}

/* A column with nothing in it is no use to a reader. */
static bool is_shown(const struct rs_sheet *sheet, size_t column)
{
	if (sheet->columns[column].is_footnote || sheet->columns[column].is_detail)
		return false;
	for (size_t row = 0; row < sheet->n_rows; row++) {
		if (cell(sheet, row, column))
			return true;
	}
	return column == 0;
}

static int fill_column(struct rs_table *table, size_t at, const struct rs_sheet *sheet,
		       size_t column)
{
	table->columns[at].is_right = sheet->columns[column].is_right;
	table->columns[at].wraps = sheet->columns[column].wraps;
	int ret = rs_table_set_title(table, at, sheet->columns[column].title);
	for (size_t row = 0; row < sheet->n_rows && !ret; row++)
		ret = rs_table_set(table, row, at, cell(sheet, row, column));
	return ret;
}

static int build(struct rs_table *table, const struct rs_sheet *sheet)
{
	size_t n_shown = 0;
	for (size_t i = 0; i < sheet->n_columns; i++)
		n_shown += is_shown(sheet, i);
	int ret = rs_table_make(table, n_shown, sheet->n_rows);
	size_t at = 0;
	for (size_t i = 0; i < sheet->n_columns && !ret; i++) {
		if (is_shown(sheet, i))
			ret = fill_column(table, at++, sheet, i);
	}
	return ret;
}

#define SUBJECTS_BYTES 2048

static const char *cause_at(const struct rs_sheet *sheet, size_t row, size_t column)
{
	const char *const reason = cell(sheet, row, column);
	const char *const subject = cell(sheet, row, 0);
	return reason ? rs_cause_of(reason, subject ? subject : "") : NULL;
}

static bool is_same_cause(const struct rs_sheet *sheet, size_t a, size_t b,
			  size_t column)
{
	const char *const one = cause_at(sheet, a, column);
	const char *const other = cause_at(sheet, b, column);
	return one && other && strcmp(one, other) == 0;
}

static bool is_told_above(const struct rs_sheet *sheet, size_t row, size_t column)
{
	for (size_t i = 0; i < row; i++) {
		if (is_same_cause(sheet, i, row, column))
			return true;
	}
	return false;
}

/* The first cells of all rows that share the cause of this one, each of them once. */
static void name_subjects(char *out, const struct rs_sheet *sheet, size_t row,
			  size_t column)
{
	const char *last = NULL;
	out[0] = '\0';
	for (size_t i = row; i < sheet->n_rows; i++) {
		const char *const subject = cell(sheet, i, 0);
		if (!subject || !is_same_cause(sheet, i, row, column) ||
		    (last && strcmp(last, subject) == 0))
			continue;
		rs_text_append(out, SUBJECTS_BYTES, "%s%s", last ? ", " : "", subject);
		last = subject;
	}
}

static void put_footnotes(struct rs_sink *sink, const struct rs_sheet *sheet,
			  size_t column, size_t width)
{
	char subjects[SUBJECTS_BYTES];
	for (size_t row = 0; row < sheet->n_rows; row++) {
		if (!cell(sheet, row, column) || is_told_above(sheet, row, column))
			continue;
		name_subjects(subjects, sheet, row, column);
		rs_sink_wrapf(sink, width, "%s: %s", subjects,
			      cause_at(sheet, row, column));
	}
}

static void put_lines(struct rs_sink *sink, const char *drawn)
{
	while (*drawn) {
		const size_t n = strcspn(drawn, "\n");
		rs_sink_line(sink, drawn, n);
		drawn += n + (drawn[n] == '\n');
	}
}

static void put_table(struct rs_sink *sink, const struct rs_sheet *sheet, size_t width)
{
	struct rs_table table = {0};
	char *drawn = NULL;
	int ret = build(&table, sheet);
	if (!ret)
		ret = rs_table_wrap(&table, width);
	if (!ret)
		ret = rs_table_draw(&table, &drawn);
	if (ret)
		rs_sink_fail(sink, ret);
	else
		put_lines(sink, drawn);
	free(drawn);
	rs_table_free(&table);
}

int rs_text_sheet(const struct rs_sheet *sheet, const struct rs_style *style, FILE *out)
{
	const size_t width = rs_style_width(style);
	struct rs_sink sink;
	rs_sink_begin(&sink, out);
	if (sheet->title)
		rs_sink_wrapf(&sink, width, "%s", sheet->title);
	if (sheet->n_rows == 0 || sheet->n_columns == 0)
		rs_sink_text(&sink, "none\n");
	else
		put_table(&sink, sheet, width);
	for (size_t i = 0; i < sheet->n_columns; i++) {
		if (sheet->columns[i].is_footnote)
			put_footnotes(&sink, sheet, i, width);
	}
	for (size_t i = 0; i < sheet->n_notes; i++)
		rs_sink_wrapf(&sink, width, "%s", sheet->notes[i]);
	return rs_sink_end(&sink);
}
