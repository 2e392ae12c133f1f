#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A grid of cells for people, before it is drawn. Every text put into it is cleaned
 * (rs_utf8_clean) and copied. Make with rs_table_make, free with rs_table_free.
 */
struct rs_table_column {
	char *title;
	bool is_right;
	bool wraps; /* may be made narrower by breaking its cells at words */
};

struct rs_table {
	struct rs_table_column *columns;
	size_t n_columns;
	char **cells; /* n_rows * n_columns; NULL is an empty cell */
	size_t n_rows;
};

#define RS_TABLE_GAP 2 /* columns of space between two columns */

/* All cells empty. Returns 0 or -ENOMEM; the table can be freed either way. */
int rs_table_make(struct rs_table *table, size_t n_columns, size_t n_rows);

/* Accepts an empty table and leaves it empty. */
void rs_table_free(struct rs_table *table);

/* Both return 0 or -ENOMEM. text NULL: nothing to show, which is a '-'. */
int rs_table_set_title(struct rs_table *table, size_t column, const char *title);
int rs_table_set(struct rs_table *table, size_t row, size_t column, const char *text);

/* Width of the widest cell or title. */
size_t rs_table_column_width(const struct rs_table *table, size_t column);
size_t rs_table_width(const struct rs_table *table);

/*
 * Replaces table by one in which cells of wrapping columns are broken over several
 * rows, so that it fits into width if that is possible. Returns 0 or -ENOMEM.
 */
int rs_table_wrap(struct rs_table *table, size_t width);

/* Draws the table into *out, lines ended by newlines; the caller frees it. */
int rs_table_draw(const struct rs_table *table, char **out);

#endif
