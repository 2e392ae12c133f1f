#include "report/page_tables.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "report/columns.h"
#include "report/lookup.h"

static const char *class_of(bool is_right)
{
	return is_right ? "class=\"n\"" : "";
}

static void put_titles(struct rs_sink *sink, const struct rs_column_spec *specs,
		       size_t n)
{
	rs_sink_text(sink, "<thead><tr>\n<th scope=\"col\">variant</th>\n");
	for (size_t i = 0; i < n; i++) {
		char attributes[64];
		snprintf(attributes, sizeof(attributes), "scope=\"col\" %s",
			 class_of(specs[i].is_right));
		rs_html_element(sink, "th", attributes, specs[i].title);
	}
	rs_sink_text(sink, "</tr></thead>\n");
}

/* A row that was not timed has its reason in place of numbers. */
static void put_untimed(struct rs_sink *sink, const struct rs_row *row, size_t n)
{
	rs_sink_printf(sink, "<td colspan=\"%zu\">%s", n,
		       rs_row_state_name(row->state));
	if (row->reason) {
		rs_sink_text(sink, ": ");
		rs_html_text(sink, row->reason);
	}
	rs_sink_text(sink, "</td>\n");
}

static void put_row(struct rs_sink *sink, const struct rs_rowset *group, size_t row,
		    const struct rs_column_spec *specs, size_t n)
{
	static const struct rs_layout layout = {
	    .last = RS_PART_EVENT, .has_interval = true, .verdict = RS_VERDICT_LONG};
	const struct rs_row *const about = &group->results->rows[row];
	rs_sink_text(sink, "<tr>\n");
	rs_html_element(sink, "th", "scope=\"row\"", about->variant);
	if (!rs_row_is_timed(about))
		put_untimed(sink, about, n);
	for (size_t i = 0; i < n && rs_row_is_timed(about); i++) {
		char text[RS_CELL_BYTES];
		specs[i].text(text, group, &layout, &specs[i], row);
		rs_html_element(sink, "td", class_of(specs[i].is_right), text);
	}
	rs_sink_text(sink, "</tr>\n");
}

static void put_table(const struct rs_rowset *group, struct rs_sink *sink,
		      const struct rs_column_spec *specs, size_t n)
{
	rs_sink_text(sink, "<div class=\"wide\">\n<table>\n"
			   "<caption>Medians per call</caption>\n");
	put_titles(sink, specs, n);
	rs_sink_text(sink, "<tbody>\n");
	for (size_t i = 0; i < group->n_rows; i++)
		put_row(sink, group, group->rows[i], specs, n);
	rs_sink_text(sink, "</tbody>\n</table>\n</div>\n");
}

/* Lines of a text writer as a list. */
struct lines {
	struct rs_sink sink;
	char *text;
	size_t n_bytes;
};

static bool begin_lines(struct lines *lines, struct rs_sink *sink)
{
	*lines = (struct lines){.text = NULL};
	FILE *const stream = open_memstream(&lines->text, &lines->n_bytes);
	if (!stream) {
		rs_sink_fail(sink, -ENOMEM);
		return false;
	}
	rs_sink_begin(&lines->sink, stream);
	return true;
}

static void end_lines(struct lines *lines, struct rs_sink *sink)
{
	const int ret = rs_sink_end(&lines->sink);
	if (fclose(lines->sink.out))
		rs_sink_fail(sink, -ENOMEM);
	if (ret)
		rs_sink_fail(sink, ret);
	rs_html_list(sink, lines->text);
	free(lines->text);
}

void rs_page_put_rowset(const struct rs_rowset *group, struct rs_sink *sink)
{
	struct lines lines;
	size_t n = 0;
	struct rs_column_spec *const specs =
	    calloc(group->results->n_metrics + RS_MORE_COLUMNS, sizeof(*specs));
	const int ret = specs ? rs_rowset_columns(group, specs, &n) : -ENOMEM;
	if (ret)
		rs_sink_fail(sink, ret);
	else
		put_table(group, sink, specs, n);
	free(specs);
	if (ret || !begin_lines(&lines, sink))
		return;
	rs_rowset_put_notes(group, &lines.sink);
	end_lines(&lines, sink);
}

void rs_page_put_footnotes(const struct rs_results *results, struct rs_sink *sink)
{
	struct lines lines;
	if (!begin_lines(&lines, sink))
		return;
	rs_put_footnotes(results, &lines.sink, RS_PAGE_LINE);
	end_lines(&lines, sink);
}

static void put_pair(struct rs_sink *sink, const char *name, const char *value,
		     const char *note)
{
	rs_sink_text(sink, "<tr>\n");
	rs_html_element(sink, "th", "scope=\"row\"", name);
	rs_html_element(sink, "td", "", value ? value : "unknown");
	rs_html_element(sink, "td", "", note ? note : "");
	rs_sink_text(sink, "</tr>\n");
}

static void put_settings(const struct rs_results *results, struct rs_sink *sink)
{
	const struct rs_settings *const settings = &results->settings;
	char text[64];
	if (settings->command_line)
		put_pair(sink, "command line", settings->command_line, NULL);
	if (settings->repetitions) {
		snprintf(text, sizeof(text), "%u blocks x %u placements on cpu %u",
			 settings->repetitions, settings->placements, settings->cpu);
		put_pair(sink, "repetitions", text, NULL);
	}
	if (settings->replay)
		put_pair(sink, "played from", settings->replay,
			 "not measured on this host");
}

void rs_page_put_origin(const struct rs_results *results, struct rs_sink *sink)
{
	if (results->n_facts == 0) {
		rs_sink_text(sink, "<p>This kind of file does not tell the host and "
				   "the settings.</p>\n");
		return;
	}
	rs_sink_text(sink, "<details>\n<summary>Host and settings</summary>\n");
	rs_sink_text(sink, "<div class=\"wide\">\n<table>\n<tbody>\n");
	put_settings(results, sink);
	for (size_t i = 0; i < results->n_facts; i++)
		put_pair(sink, results->facts[i].name, results->facts[i].value,
			 results->facts[i].note);
	rs_sink_text(sink, "</tbody>\n</table>\n</div>\n</details>\n");
}

static void put_sheet_row(const struct rs_sheet *sheet, size_t row,
			  struct rs_sink *sink)
{
	rs_sink_text(sink, "<tr>\n");
	for (size_t i = 0; i < sheet->n_columns; i++) {
		const struct rs_sheet_column *const column = &sheet->columns[i];
		if (!column->is_detail)
			rs_html_element(sink, "td", class_of(column->is_right),
					sheet->cells[row * sheet->n_columns + i]);
	}
	rs_sink_text(sink, "</tr>\n");
}

void rs_page_put_sheet(const struct rs_sheet *sheet, struct rs_sink *sink)
{
	rs_sink_text(sink, "<div class=\"wide\">\n<table>\n<thead><tr>\n");
	for (size_t i = 0; i < sheet->n_columns; i++) {
		const struct rs_sheet_column *const column = &sheet->columns[i];
		if (!column->is_detail)
			rs_html_element(sink, "th", class_of(column->is_right),
					column->title);
	}
	rs_sink_text(sink, "</tr></thead>\n<tbody>\n");
	for (size_t row = 0; row < sheet->n_rows; row++)
		put_sheet_row(sheet, row, sink);
	rs_sink_text(sink, "</tbody>\n</table>\n</div>\n<ul>\n");
	for (size_t i = 0; i < sheet->n_notes; i++)
		rs_html_element(sink, "li", "", sheet->notes[i]);
	rs_sink_text(sink, "</ul>\n");
}
