#include "report/report.h"

#include <stdlib.h>
#include <string.h>

#include "report/html.h"
#include "report/page_tables.h"
#include "report/plot.h"

/* Assembled from report/page.css; ends in a NUL. */
extern const char rs_page_css_bytes[];

static void put_head(struct rs_sink *sink)
{
	rs_sink_text(sink, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
			   "<meta charset=\"utf-8\">\n"
			   "<meta http-equiv=\"Content-Security-Policy\" "
			   "content=\"default-src 'none'; img-src data:; style-src "
			   "'unsafe-inline'\">\n"
			   "<meta name=\"viewport\" "
			   "content=\"width=device-width, initial-scale=1\">\n"
			   "<link rel=\"icon\" href=\"data:,\">\n"
			   "<title>retstack report</title>\n<style>\n");
	rs_sink_text(sink, rs_page_css_bytes);
	rs_sink_text(sink, "</style>\n</head>\n<body>\n<main>\n"
			   "<h1>retstack report</h1>\n");
}

static void put_contents(const struct rs_page *page, struct rs_sink *sink)
{
	rs_sink_text(sink, "<nav aria-label=\"files\">\n<ol>\n");
	for (size_t i = 0; i < page->n_files; i++) {
		const struct rs_page_file *const file = &page->files[i];
		rs_sink_printf(sink, "<li><a href=\"#file-%zu\">", i + 1);
		rs_html_text(sink, file->path);
		rs_sink_text(sink, "</a>: ");
		rs_html_text(sink, file->kind);
		rs_sink_printf(sink, ", %zu repetitions%s</li>\n",
			       file->results->n_repetitions,
			       file->results->is_partial ? ", partial" : "");
	}
	if (page->comparison)
		rs_sink_text(sink, "<li><a href=\"#changes\">What changed</a></li>\n");
	rs_sink_text(sink, "</ol>\n</nav>\n");
}

static void put_partial(const struct rs_results *results, struct rs_sink *sink)
{
	if (!results->is_partial)
		return;
	rs_sink_text(sink, "<p class=\"partial\">This run is partial: ");
	rs_html_text(sink, results->partial_reason ? results->partial_reason
						   : "it ended early");
	rs_sink_text(sink, ". What was measured until then is below.</p>\n");
}

static void put_group(const struct rs_rowset *group, struct rs_sink *sink)
{
	rs_sink_text(sink, "<section>\n<h3>");
	rs_html_text(sink, group->workload);
	if (group->depth > 0)
		rs_sink_printf(sink, " below %u frame%s", group->depth,
			       group->depth == 1 ? "" : "s");
	rs_sink_text(sink, "</h3>\n");
	rs_page_put_rowset(group, sink);
	rs_plot_difference(group, sink);
	rs_plot_mispredicts(group, sink);
	rs_plot_distribution(group, sink);
	rs_sink_text(sink, "</section>\n");
}

static void put_row(const struct rs_results *results, size_t row, struct rs_sink *sink)
{
	struct rs_rowset group;
	const int ret = rs_rowset_make(&group, results, row, RS_PAGE_LINE);
	if (ret)
		rs_sink_fail(sink, ret);
	else
		put_group(&group, sink);
	rs_rowset_end(&group);
}

static bool is_first_of_workload(const struct rs_results *results, size_t row)
{
	for (size_t i = 0; i < row; i++) {
		if (strcmp(results->rows[i].workload, results->rows[row].workload) == 0)
			return false;
	}
	return true;
}

static void put_file(const struct rs_page_file *file, size_t i, struct rs_sink *sink)
{
	const struct rs_results *const results = file->results;
	rs_sink_printf(sink, "<article id=\"file-%zu\">\n", i + 1);
	rs_html_element(sink, "h2", "", file->path);
	put_partial(results, sink);
	rs_page_put_origin(results, sink);
	for (size_t row = 0; row < results->n_rows && !sink->code; row++) {
		if (is_first_of_workload(results, row))
			rs_plot_curve(results, row, sink);
		if (rs_rowset_is_first(results, row))
			put_row(results, row, sink);
	}
	rs_page_put_footnotes(results, sink);
	rs_sink_text(sink, "</article>\n");
}

int rs_page_write(const struct rs_page *page, FILE *out)
{
	struct rs_sink sink;
	rs_sink_begin(&sink, out);
	put_head(&sink);
	put_contents(page, &sink);
	for (size_t i = 0; i < page->n_files && !sink.code; i++)
		put_file(&page->files[i], i, &sink);
	if (page->comparison) {
		rs_sink_text(&sink,
			     "<article id=\"changes\">\n<h2>What changed</h2>\n");
		rs_page_put_sheet(page->comparison, &sink);
		rs_sink_text(&sink, "</article>\n");
	}
	rs_sink_text(&sink, "</main>\n</body>\n</html>\n");
	return rs_sink_end(&sink);
}
