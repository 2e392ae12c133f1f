#include "report/plot.h"

#include <stdio.h>
#include <string.h>

#include "report/lookup.h"
#include "report/number.h"
#include "src/base/text.h"

#define TOP   8.0
#define AXIS  40.0 /* height of the axis and its labels */
#define WIDTH 720

static double bottom(const struct rs_lanes *lanes)
{
	return TOP + lanes->n * RS_LANE;
}

static void put_axis(const struct rs_lanes *lanes, const char *unit)
{
	double ticks[RS_MAX_TICKS];
	const size_t n = rs_scale_ticks(&lanes->x, ticks);
	const struct rs_svg *const svg = &lanes->svg;
	for (size_t i = 0; i < n; i++) {
		char number[RS_NUMBER_BYTES];
		snprintf(number, sizeof(number), "%g", ticks[i]);
		const double x = rs_scale_at(&lanes->x, ticks[i]);
		rs_svg_line(svg, "grid", x, TOP, x, bottom(lanes));
		rs_svg_text(svg, "tick", x, bottom(lanes) + 14, number, 12);
	}
	rs_svg_text(svg, "unit", (RS_LANES_FROM + RS_LANES_TO) / 2, bottom(lanes) + 32,
		    unit, 80);
}

void rs_lanes_begin(struct rs_lanes *lanes, struct rs_sink *sink, const char *title,
		    const char *desc, const char *unit)
{
	lanes->svg = (struct rs_svg){
	    .sink = sink,
	    .width = WIDTH,
	    .height = (unsigned int)(bottom(lanes) + AXIS),
	};
	rs_sink_text(sink, "<figure>\n");
	rs_svg_begin(&lanes->svg, title, desc);
	put_axis(lanes, unit);
}

void rs_lanes_end(const struct rs_lanes *lanes, const char *caption)
{
	rs_svg_end(&lanes->svg);
	rs_html_element(lanes->svg.sink, "figcaption", "", caption);
	rs_sink_text(lanes->svg.sink, "</figure>\n");
}

double rs_lanes_name(const struct rs_lanes *lanes, unsigned int i, const char *name)
{
	const double y = TOP + (i + 0.5) * RS_LANE;
	rs_svg_text(&lanes->svg, "name", RS_LANES_FROM - 10, y + 4, name, 24);
	return y;
}

const char *rs_row_name(char out[RS_ROW_NAME_BYTES], const struct rs_row *row)
{
	rs_text_copy(out, RS_ROW_NAME_BYTES, row->variant);
	/* A file that was read names it so itself. */
	if (row->role == RS_ROLE_CONTROL && !strstr(row->variant, " again"))
		rs_text_append(out, RS_ROW_NAME_BYTES, " again");
	return out;
}

size_t rs_metric_index(const struct rs_results *results, const char *name)
{
	for (size_t i = 0; i < results->n_metrics; i++) {
		if (strcmp(results->metrics[i].name, name) == 0)
			return i;
	}
	return SIZE_MAX;
}

static bool is_measured(const struct rs_rowset *group, const char *metric)
{
	for (size_t i = 0; i < group->n_rows; i++) {
		const struct rs_summary *const summary =
		    rs_summary_valid(group->results, group->rows[i], metric);
		if (summary && rs_maybe_is_number(&summary->median))
			return true;
	}
	return false;
}

const char *rs_plot_metric(const struct rs_rowset *group)
{
	static const char *const clocks[] = {"ns", "ticks"};
	const struct rs_results *const results = group->results;
	if (is_measured(group, group->delta_metric))
		return group->delta_metric;
	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++) {
		if (is_measured(group, clocks[i]))
			return clocks[i];
	}
	for (size_t i = 0; i < results->n_metrics; i++) {
		if (is_measured(group, results->metrics[i].name))
			return results->metrics[i].name;
	}
	return NULL;
}
