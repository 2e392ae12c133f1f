#include "src/cells.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void rs_cells_open(struct rs_cells *cells, const char *title,
		   const struct rs_sheet_column *columns, size_t n_columns,
		   size_t n_rows)
{
	*cells = (struct rs_cells){
	    .sheet =
		{
		    .title = title,
		    .columns = columns,
		    .n_columns = n_columns,
		    .cells = calloc(n_rows * n_columns + 1, sizeof(char *)),
		    .n_rows = n_rows,
		},
	};
	cells->is_short = !cells->sheet.cells;
}

__attribute__((format(printf, 2, 0))) static const char *
print(struct rs_cells *cells, const char *fmt, va_list args)
{
	char *text = NULL;
	if (vasprintf(&text, fmt, args) >= 0)
		return text;
	cells->is_short = true;
	return NULL;
}

void rs_cells_put(struct rs_cells *cells, size_t row, size_t column, const char *fmt,
		  ...)
{
	if (!cells->sheet.cells)
		return;
	const char **const cell =
	    &cells->sheet.cells[row * cells->sheet.n_columns + column];
	va_list args;
	va_start(args, fmt);
	free((char *)(uintptr_t)*cell);
	*cell = print(cells, fmt, args);
	va_end(args);
}

void rs_cells_note(struct rs_cells *cells, const char *fmt, ...)
{
	if (cells->sheet.n_notes == RS_CELLS_MAX_NOTES)
		return;
	va_list args;
	va_start(args, fmt);
	const char *const text = print(cells, fmt, args);
	va_end(args);
	if (text)
		cells->notes[cells->sheet.n_notes++] = text;
}

int rs_cells_finish(struct rs_cells *cells, struct rs_err *err)
{
	cells->sheet.notes = cells->notes;
	return cells->is_short
		   ? rs_err_set(err, -ENOMEM, "not enough memory for a table")
		   : 0;
}

void rs_cells_close(struct rs_cells *cells)
{
	const struct rs_sheet *const sheet = &cells->sheet;
	for (size_t i = 0; sheet->cells && i < sheet->n_rows * sheet->n_columns; i++)
		free((char *)(uintptr_t)sheet->cells[i]);
	for (size_t i = 0; i < sheet->n_notes; i++)
		free((char *)(uintptr_t)cells->notes[i]);
	free(sheet->cells);
	*cells = (struct rs_cells){0};
}
