#include "report/table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/sink.h"
#include "report/utf8.h"

int rs_table_make(struct rs_table *table, size_t n_columns, size_t n_rows)
{
	*table = (struct rs_table){.n_columns = n_columns, .n_rows = n_rows};
	table->columns = calloc(n_columns + 1, sizeof(*table->columns));
	table->cells = calloc(n_columns * n_rows + 1, sizeof(*table->cells));
	if (table->columns && table->cells)
		return 0;
	free(table->columns);
	free(table->cells);
	*table = (struct rs_table){0};
	return -ENOMEM;
}

void rs_table_free(struct rs_table *table)
{
	for (size_t i = 0; i < table->n_columns; i++)
		free(table->columns[i].title);
	for (size_t i = 0; i < table->n_columns * table->n_rows; i++)
		free(table->cells[i]);
	free(table->columns);
	free(table->cells);
	*table = (struct rs_table){0};
}

static int replace(char **slot, const char *text)
{
	char *const clean = rs_utf8_clean(text ? text : "-");
	if (!clean)
		return -ENOMEM;
	free(*slot);
	*slot = clean;
	return 0;
}

int rs_table_set_title(struct rs_table *table, size_t column, const char *title)
{
	return replace(&table->columns[column].title, title);
}

int rs_table_set(struct rs_table *table, size_t row, size_t column, const char *text)
{
	return replace(&table->cells[row * table->n_columns + column], text);
}

static size_t max_size(size_t a, size_t b)
{
	return a > b ? a : b;
}

static size_t width_of(const char *text)
{
	return text ? rs_utf8_width(text) : 0;
}

size_t rs_table_column_width(const struct rs_table *table, size_t column)
{
	size_t width = width_of(table->columns[column].title);
	for (size_t row = 0; row < table->n_rows; row++) {
		const char *const cell = table->cells[row * table->n_columns + column];
		width = max_size(width, width_of(cell));
	}
	return width;
}

size_t rs_table_width(const struct rs_table *table)
{
	size_t width = 0;
	for (size_t i = 0; i < table->n_columns; i++)
		width += rs_table_column_width(table, i) + (i ? RS_TABLE_GAP : 0);
	return width;
}

/* A wrapped column stays readable: not narrower than its title or this. */
#define NARROWEST 12
/* Nor, if that is possible, than its longest word up to this. */
#define WORD_MAX  28

static size_t longest_word(const char *text)
{
	size_t longest = 0;
	while (text && *text) {
		const size_t n = strcspn(text, " ");
		char word[4 * WORD_MAX + 1] = "";
		memcpy(word, text, n < sizeof(word) ? n : sizeof(word) - 1);
		longest = max_size(longest, rs_utf8_width(word));
		text += n + (text[n] == ' ');
	}
	return longest < WORD_MAX ? longest : WORD_MAX;
}

static size_t floor_of(const struct rs_table *table, size_t column, bool keeps_words)
{
	size_t floor = max_size(NARROWEST, width_of(table->columns[column].title));
	for (size_t row = 0; row < table->n_rows && keeps_words; row++)
		floor = max_size(
		    floor, longest_word(table->cells[row * table->n_columns + column]));
	return floor;
}

/* Takes from the widest column first, so that short ones stay whole. */
static size_t shrink(const struct rs_table *table, size_t *widths, const size_t *floors,
		     size_t excess)
{
	while (excess > 0) {
		size_t widest = table->n_columns;
		for (size_t i = 0; i < table->n_columns; i++) {
			if (!table->columns[i].wraps || widths[i] <= floors[i])
				continue;
			if (widest == table->n_columns || widths[i] > widths[widest])
				widest = i;
		}
		if (widest == table->n_columns)
			break;
		widths[widest]--;
		excess--;
	}
	return excess;
}

/* Returns widths of n_columns that the caller frees, or NULL. */
static size_t *choose_widths(const struct rs_table *table, size_t width)
{
	size_t *const widths = calloc(2 * table->n_columns + 1, sizeof(*widths));
	if (!widths)
		return NULL;
	size_t *const floors = widths + table->n_columns;
	size_t excess = rs_table_width(table) - width;
	for (size_t i = 0; i < table->n_columns; i++)
		widths[i] = rs_table_column_width(table, i);
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < table->n_columns; i++)
			floors[i] = floor_of(table, i, pass == 0);
		excess = shrink(table, widths, floors, excess);
	}
	return widths;
}

/* Lines that a cell takes; at least 1. */
static size_t lines_of(const char *cell, size_t width)
{
	size_t n = 1;
	if (!cell || width == 0)
		return n;
	rs_wrap_next(&cell, width);
	for (; *cell; n++)
		rs_wrap_next(&cell, width);
	return n;
}

static size_t row_lines(const struct rs_table *table, const size_t *widths, size_t row)
{
	size_t n = 1;
	for (size_t i = 0; i < table->n_columns; i++) {
		const char *const cell = table->cells[row * table->n_columns + i];
		n = max_size(n, lines_of(cell, widths[i]));
	}
	return n;
}

/* Puts the lines of one cell below each other, from row at on. */
static int split_cell(struct rs_table *to, size_t at, size_t column, const char *cell,
		      size_t width)
{
	while (cell && *cell) {
		const char *const start = cell;
		const size_t n = rs_wrap_next(&cell, width);
		char *const piece = strndup(start, n);
		if (!piece)
			return -ENOMEM;
		to->cells[at * to->n_columns + column] = piece;
		at++;
	}
	return 0;
}

static int split_rows(struct rs_table *to, const struct rs_table *from,
		      const size_t *widths)
{
	size_t at = 0;
	for (size_t row = 0; row < from->n_rows; row++) {
		for (size_t i = 0; i < from->n_columns; i++) {
			const int ret = split_cell(
			    to, at, i, from->cells[row * from->n_columns + i],
			    widths[i]);
			if (ret)
				return ret;
		}
		at += row_lines(from, widths, row);
	}
	return 0;
}

static void move_columns(struct rs_table *to, struct rs_table *from)
{
	for (size_t i = 0; i < from->n_columns; i++) {
		to->columns[i] = from->columns[i];
		from->columns[i].title = NULL;
	}
}

int rs_table_wrap(struct rs_table *table, size_t width)
{
	if (rs_table_width(table) <= width)
		return 0;
	struct rs_table split = {0};
	int ret = -ENOMEM;
	size_t n_rows = 0;
	size_t *const widths = choose_widths(table, width);
	if (!widths)
		goto out;
	for (size_t row = 0; row < table->n_rows; row++)
		n_rows += row_lines(table, widths, row);
	ret = rs_table_make(&split, table->n_columns, n_rows);
	if (!ret)
		ret = split_rows(&split, table, widths);
	if (ret)
		goto out;
	move_columns(&split, table);
	rs_table_free(table);
	*table = split;
	split = (struct rs_table){0};
out:
	rs_table_free(&split);
	free(widths);
	return ret;
}
