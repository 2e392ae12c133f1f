#include <stdlib.h>
#include <string.h>

#include "report/sink.h"
#include "report/table.h"
#include "report/writers.h"

static int build(struct rs_table *table, const struct rs_sheet *sheet)
{
	int ret = rs_table_make(table, sheet->n_columns, sheet->n_rows);
	for (size_t i = 0; i < sheet->n_columns && !ret; i++) {
		table->columns[i].is_right = sheet->columns[i].is_right;
		table->columns[i].wraps = sheet->columns[i].wraps;
		ret = rs_table_set_title(table, i, sheet->columns[i].title);
	}
	for (size_t i = 0; i < sheet->n_rows * sheet->n_columns && !ret; i++)
		ret = rs_table_set(table, i / sheet->n_columns, i % sheet->n_columns,
				   sheet->cells[i]);
	return ret;
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
	for (size_t i = 0; i < sheet->n_notes; i++)
		rs_sink_wrapf(&sink, width, "%s", sheet->notes[i]);
	return rs_sink_end(&sink);
}
