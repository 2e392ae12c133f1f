/* rs_table_draw as report/text.c has it from libsmartcols, without it. */

#include <errno.h>
#include <stdio.h>

#include "report/table.h"
#include "report/utf8.h"

static void put_cell(FILE *out, const struct rs_table *table, size_t column,
		     const char *text)
{
	const char *const shown = text ? text : "";
	const size_t width = rs_table_column_width(table, column);
	const int n_spaces = (int)(width - rs_utf8_width(shown));
	if (column > 0)
		fprintf(out, "%*s", RS_TABLE_GAP, "");
	if (table->columns[column].is_right)
		fprintf(out, "%*s%s", n_spaces, "", shown);
	else
		fprintf(out, "%s%*s", shown, n_spaces, "");
}

int rs_table_draw(const struct rs_table *table, char **out)
{
	size_t n_bytes = 0;
	*out = NULL;
	FILE *const stream = open_memstream(out, &n_bytes);
	if (!stream)
		return -ENOMEM;
	for (size_t i = 0; i < table->n_columns; i++)
		put_cell(stream, table, i, table->columns[i].title);
	for (size_t i = 0; i < table->n_rows * table->n_columns; i++) {
		if (i % table->n_columns == 0)
			fputc('\n', stream);
		put_cell(stream, table, i % table->n_columns, table->cells[i]);
	}
	fputc('\n', stream);
	return fclose(stream) ? -ENOMEM : 0;
}
