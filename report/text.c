#include "report/table.h"

#include <errno.h>
#include <stdlib.h>

#include <libsmartcols.h>

/*
 * The table is laid out before it comes here, so libsmartcols only aligns: its own
 * wrapping cuts words, and its truncation depends on the terminal of the process.
 */

static struct libscols_column *add_column(struct libscols_table *table,
					  const struct rs_table_column *column)
{
	const int flags = column->is_right ? SCOLS_FL_RIGHT : 0;
	return scols_table_new_column(table, column->title ? column->title : "", 0,
				      flags);
}

static int add_row(struct libscols_table *table, char *const *cells, size_t n_columns)
{
	struct libscols_line *const line = scols_table_new_line(table, NULL);
	if (!line)
		return -ENOMEM;
	for (size_t i = 0; i < n_columns; i++) {
		const int ret = scols_line_set_data(line, i, cells[i] ? cells[i] : "");
		if (ret)
			return ret;
	}
	return 0;
}

static int fill(struct libscols_table *drawn, const struct rs_table *table)
{
	int ret = scols_table_set_column_separator(drawn, "  ");
	if (!ret)
		ret = scols_table_set_termforce(drawn, SCOLS_TERMFORCE_NEVER);
	if (ret)
		return ret;
	for (size_t i = 0; i < table->n_columns; i++) {
		if (!add_column(drawn, &table->columns[i]))
			return -ENOMEM;
	}
	for (size_t row = 0; row < table->n_rows && !ret; row++)
		ret = add_row(drawn, &table->cells[row * table->n_columns],
			      table->n_columns);
	return ret;
}

int rs_table_draw(const struct rs_table *table, char **out)
{
	struct libscols_table *const drawn = scols_new_table();
	if (!drawn)
		return -ENOMEM;
	int ret = fill(drawn, table);
	if (!ret)
		ret = scols_print_table_to_string(drawn, out);
	scols_unref_table(drawn);
	return ret;
}
