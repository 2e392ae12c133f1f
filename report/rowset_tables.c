#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/columns.h"
#include "report/rowset.h"
#include "report/lookup.h"
#include "report/table.h"
#include "report/utf8.h"
#include "src/base/text.h"

/* From the roomiest on: the first that fits is taken, the last in any case. */
static const struct rs_layout layouts[] = {
    {RS_PART_EVENT, true, RS_VERDICT_LONG},  {RS_PART_EVENT, true, RS_VERDICT_SHORT},
    {RS_PART_EVENT, true, RS_VERDICT_WORD},  {RS_PART_MODEL, true, RS_VERDICT_LONG},
    {RS_PART_MODEL, true, RS_VERDICT_SHORT}, {RS_PART_MODEL, true, RS_VERDICT_WORD},
    {RS_PART_TICKS, true, RS_VERDICT_WORD},  {RS_PART_TICKS, false, RS_VERDICT_WORD},
    {RS_PART_MAIN, false, RS_VERDICT_WORD},
};

#define N_LAYOUTS (sizeof(layouts) / sizeof(layouts[0]))

/* One table to be drawn: the variants' names and the chosen specs. */
struct choice {
	const struct rs_rowset *group;
	const struct rs_layout *layout;
	const struct rs_column_spec **specs;
	size_t n_specs;
};

static int fill_name(struct rs_table *table, const struct rs_rowset *group, size_t at)
{
	char *const name = rs_utf8_cut(group->results->rows[group->rows[at]].variant,
				       group->width / 3);
	const int ret = name ? rs_table_set(table, at, 0, name) : -ENOMEM;
	free(name);
	return ret;
}

/* Rows that were not timed have a name only: put_state says why. */
static int fill_row(struct rs_table *table, const struct choice *choice, size_t at)
{
	const struct rs_rowset *const group = choice->group;
	const size_t row = group->rows[at];
	int ret = fill_name(table, group, at);
	if (!rs_row_is_timed(&group->results->rows[row]))
		return ret;
	for (size_t i = 0; i < choice->n_specs && !ret; i++) {
		char text[RS_CELL_BYTES];
		const struct rs_column_spec *const spec = choice->specs[i];
		spec->text(text, group, choice->layout, spec, row);
		ret = rs_table_set(table, at, i + 1, text);
	}
	return ret;
}

static const char *title_of(const struct choice *choice, size_t spec)
{
	const struct rs_column_spec *const column = choice->specs[spec];
	const bool is_narrow = !choice->layout->has_interval && *column->narrow_title;
	return is_narrow ? column->narrow_title : column->title;
}

static int build(struct rs_table *table, const struct choice *choice)
{
	int ret = rs_table_make(table, choice->n_specs + 1, choice->group->n_rows);
	if (!ret)
		ret = rs_table_set_title(table, 0, "variant");
	for (size_t i = 0; i < choice->n_specs && !ret; i++) {
		table->columns[i + 1].is_right = choice->specs[i]->is_right;
		ret = rs_table_set_title(table, i + 1, title_of(choice, i));
	}
	for (size_t at = 0; at < choice->group->n_rows && !ret; at++)
		ret = fill_row(table, choice, at);
	return ret;
}

/* "thunk     absent: WHY", in place of numbers. */
static void put_state(struct rs_sink *sink, const struct rs_rowset *group, size_t at,
		      const struct rs_table *table)
{
	const struct rs_row *const row = &group->results->rows[group->rows[at]];
	const char *const name = table->cells[at * table->n_columns];
	const size_t indent = rs_table_column_width(table, 0) + RS_TABLE_GAP;
	char *text = NULL;
	rs_sink_text(sink, name);
	rs_sink_spaces(sink, indent - rs_utf8_width(name));
	if (asprintf(&text, "%s%s%s", rs_row_state_name(row->state),
		     row->reason ? ": " : "", row->reason ? row->reason : "") < 0) {
		rs_sink_fail(sink, -ENOMEM);
		return;
	}
	const struct rs_wrap wrap = {
	    .width = group->width,
	    .first = indent,
	    .hang = indent,
	};
	rs_sink_wrap(sink, &wrap, text);
	free(text);
}

/* The drawn lines are the titles and then one for each row, in order. */
static void put_lines(struct rs_sink *sink, const struct choice *choice,
		      const struct rs_table *table, const char *drawn, bool is_first)
{
	const struct rs_rowset *const group = choice->group;
	for (size_t line = 0; *drawn; line++) {
		const size_t n = strcspn(drawn, "\n");
		const bool is_timed =
		    line == 0 ||
		    rs_row_is_timed(&group->results->rows[group->rows[line - 1]]);
		if (is_timed)
			rs_sink_line(sink, drawn, n);
		else if (is_first)
			put_state(sink, group, line - 1, table);
		drawn += n + (drawn[n] == '\n');
	}
}

static void put_table(struct rs_sink *sink, const struct choice *choice,
		      const struct rs_table *table, bool is_first)
{
	char *drawn = NULL;
	const int ret = rs_table_draw(table, &drawn);
	if (ret)
		rs_sink_fail(sink, ret);
	else
		put_lines(sink, choice, table, drawn, is_first);
	free(drawn);
}

static size_t choose(const struct rs_column_spec **chosen,
		     const struct rs_column_spec *specs, size_t n, enum rs_part last,
		     bool is_first)
{
	size_t n_chosen = 0;
	for (size_t i = 0; i < n; i++) {
		if ((specs[i].part <= last) == is_first)
			chosen[n_chosen++] = &specs[i];
	}
	return n_chosen;
}

/* Returns the layout that was taken. */
static const struct rs_layout *put_first(struct rs_sink *sink, struct choice *choice,
					 const struct rs_column_spec *specs, size_t n)
{
	struct rs_table table = {0};
	int ret = 0;
	for (size_t i = 0; i < N_LAYOUTS; i++) {
		rs_table_free(&table);
		choice->layout = &layouts[i];
		choice->n_specs =
		    choose(choice->specs, specs, n, layouts[i].last, true);
		ret = build(&table, choice);
		if (ret || rs_table_width(&table) <= choice->group->width)
			break;
	}
	if (ret)
		rs_sink_fail(sink, ret);
	else
		put_table(sink, choice, &table, true);
	rs_table_free(&table);
	return choice->layout;
}

/* As many of the remaining columns as fit, at least one; returns how many. */
static size_t put_chunk(struct rs_sink *sink, const struct choice *rest)
{
	struct choice chunk = *rest;
	struct rs_table table = {0};
	int ret = 0;
	for (; chunk.n_specs > 0; chunk.n_specs--) {
		rs_table_free(&table);
		ret = build(&table, &chunk);
		if (ret || chunk.n_specs == 1 ||
		    rs_table_width(&table) <= rest->group->width)
			break;
	}
	if (ret)
		rs_sink_fail(sink, ret);
	else
		put_table(sink, &chunk, &table, false);
	rs_table_free(&table);
	return chunk.n_specs;
}

static void put_spreads(struct rs_sink *sink, const struct rs_rowset *group)
{
	char text[1024] = "";
	for (size_t i = 0; i < group->n_rows; i++) {
		char spread[RS_NUMBER_BYTES];
		const struct rs_row *const row = &group->results->rows[group->rows[i]];
		const struct rs_summary *const summary =
		    rs_rowset_delta(group, group->rows[i]);
		if (rs_has_spread(summary))
			rs_text_append(text, sizeof(text), "%s%s %s", *text ? ", " : "",
				       row->variant, rs_spread_text(spread, summary));
	}
	if (*text)
		rs_sink_wrapf(sink, group->width, "placement spread: %s", text);
}

void rs_rowset_put_tables(const struct rs_rowset *group, struct rs_sink *sink)
{
	const size_t max = group->results->n_metrics + RS_MORE_COLUMNS;
	struct rs_column_spec *const specs = calloc(max, sizeof(*specs));
	const struct rs_column_spec **const chosen = calloc(max, sizeof(*chosen));
	if (!specs || !chosen) {
		rs_sink_fail(sink, -ENOMEM);
		goto out;
	}
	struct choice choice = {.group = group, .specs = chosen};
	size_t n = 0;
	const int ret = rs_rowset_columns(group, specs, &n);
	if (ret) {
		rs_sink_fail(sink, ret);
		goto out;
	}
	const struct rs_layout *const layout = put_first(sink, &choice, specs, n);
	choice.n_specs = choose(chosen, specs, n, layout->last, false);
	while (choice.n_specs > 0 && !sink->code) {
		const size_t n_put = put_chunk(sink, &choice);
		choice.specs += n_put;
		choice.n_specs -= n_put;
	}
	if (layout->verdict == RS_VERDICT_WORD)
		put_spreads(sink, group);
out:
	free(chosen);
	free(specs);
}
