#include "report/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/lookup.h"

#define MIN_DEPTHS 3
#define N_COLOURS  8
#define TOP        10.0
#define BOTTOM     270.0
#define LEFT       60.0
#define RIGHT      540.0

struct curve {
	struct rs_svg svg;
	const struct rs_results *results;
	const char *workload;
	const char *metric;
	struct rs_scale x;
	struct rs_scale y;
};

static bool is_of(const struct curve *curve, size_t row)
{
	const struct rs_row *const about = &curve->results->rows[row];
	return about->role == RS_ROLE_VARIANT && about->depth > 0 &&
	       strcmp(about->workload, curve->workload) == 0;
}

static const struct rs_summary *point_of(const struct curve *curve, size_t row)
{
	const struct rs_summary *const summary =
	    is_of(curve, row) ? rs_summary_valid(curve->results, row, curve->metric)
			      : NULL;
	return summary && rs_maybe_is_number(&summary->median) ? summary : NULL;
}

static bool is_first_of(const struct curve *curve, size_t row, bool by_depth)
{
	const struct rs_row *const rows = curve->results->rows;
	for (size_t i = 0; i < row; i++) {
		if (point_of(curve, i) &&
		    (by_depth ? rows[i].depth == rows[row].depth
			      : strcmp(rows[i].variant, rows[row].variant) == 0))
			return false;
	}
	return point_of(curve, row) != NULL;
}

/* Finds the ranges; false where there are too few depths for a curve. */
static bool measure(struct curve *curve)
{
	double low = INFINITY, high = -INFINITY;
	double first = INFINITY, last = -INFINITY;
	unsigned int n_depths = 0;
	for (size_t i = 0; i < curve->results->n_rows; i++) {
		const struct rs_summary *const point = point_of(curve, i);
		if (!point)
			continue;
		n_depths += is_first_of(curve, i, true);
		low = fmin(low, point->median.value);
		high = fmax(high, point->median.value);
		first = fmin(first, curve->results->rows[i].depth);
		last = fmax(last, curve->results->rows[i].depth);
	}
	if (n_depths < MIN_DEPTHS)
		return false;
	curve->x = (struct rs_scale){RS_SCALE_LINEAR, first, last, LEFT, RIGHT};
	curve->y = rs_scale_of_values(low, high, BOTTOM, TOP);
	return true;
}

static void put_axes(const struct curve *curve)
{
	char number[32];
	double ticks[RS_MAX_TICKS];
	size_t n = rs_scale_ticks(&curve->y, ticks);
	for (size_t i = 0; i < n; i++) {
		const double y = rs_scale_at(&curve->y, ticks[i]);
		snprintf(number, sizeof(number), "%g", ticks[i]);
		rs_svg_line(&curve->svg, "grid", LEFT, y, RIGHT, y);
		rs_svg_text(&curve->svg, "name", LEFT - 6, y + 4, number, 12);
	}
	n = rs_scale_ticks(&curve->x, ticks);
	for (size_t i = 0; i < n; i++) {
		if (ticks[i] != floor(ticks[i]))
			continue;
		snprintf(number, sizeof(number), "%g", ticks[i]);
		rs_svg_text(&curve->svg, "tick", rs_scale_at(&curve->x, ticks[i]),
			    BOTTOM + 16, number, 12);
	}
	rs_svg_text(&curve->svg, "unit", (LEFT + RIGHT) / 2, BOTTOM + 34,
		    "enclosing frames", 40);
}

/* The point of variant's next greater depth; NULL at the end. */
static const struct rs_summary *next_point(const struct curve *curve,
					   const char *variant, unsigned int *depth)
{
	const struct rs_row *const rows = curve->results->rows;
	const struct rs_summary *found = NULL;
	unsigned int nearest = UINT32_MAX;
	for (size_t i = 0; i < curve->results->n_rows; i++) {
		const struct rs_summary *const point = point_of(curve, i);
		if (!point || rows[i].depth <= *depth || rows[i].depth >= nearest ||
		    strcmp(rows[i].variant, variant) != 0)
			continue;
		nearest = rows[i].depth;
		found = point;
	}
	*depth = nearest;
	return found;
}

static void put_variant(const struct curve *curve, const char *variant,
			unsigned int nth)
{
	char css[32];
	unsigned int depth = 0;
	double x = 0, y = 0;
	const struct rs_summary *point = next_point(curve, variant, &depth);
	snprintf(css, sizeof(css), "curve c%u", nth % N_COLOURS);
	for (bool is_first = true; point; is_first = false) {
		const double to_x = rs_scale_at(&curve->x, depth);
		const double to_y = rs_scale_at(&curve->y, point->median.value);
		if (!is_first)
			rs_svg_line(&curve->svg, css, x, y, to_x, to_y);
		rs_svg_dot(&curve->svg, css, to_x, to_y, 2.5);
		x = to_x;
		y = to_y;
		point = next_point(curve, variant, &depth);
	}
	const double key = TOP + 8 + 18.0 * nth;
	rs_svg_line(&curve->svg, css, RIGHT + 14, key, RIGHT + 34, key);
	rs_svg_text(&curve->svg, "key", RIGHT + 40, key + 4, variant, 20);
}

static unsigned int count_variants(const struct curve *curve)
{
	unsigned int n = 0;
	for (size_t i = 0; i < curve->results->n_rows; i++)
		n += is_first_of(curve, i, false);
	return n;
}

static void draw(struct curve *curve, struct rs_sink *sink)
{
	char title[256];
	unsigned int nth = 0;
	const unsigned int keys = (unsigned int)TOP + 18 * (count_variants(curve) + 1);
	const unsigned int height = (unsigned int)BOTTOM + 42;
	curve->svg = (struct rs_svg){sink, 720, keys > height ? keys : height};
	snprintf(title, sizeof(title), "%s: %s per call over the enclosing frames",
		 curve->workload, curve->metric);
	rs_sink_text(sink, "<figure>\n");
	rs_svg_begin(&curve->svg, title,
		     "One curve for each variant. The tables have the numbers.");
	put_axes(curve);
	for (size_t i = 0; i < curve->results->n_rows; i++) {
		if (is_first_of(curve, i, false))
			put_variant(curve, curve->results->rows[i].variant, nth++);
	}
	rs_svg_end(&curve->svg);
	rs_html_element(sink, "figcaption", "", title);
	rs_sink_text(sink, "</figure>\n");
}

void rs_plot_curve(const struct rs_results *results, size_t row, struct rs_sink *sink)
{
	struct rs_rowset group;
	const int ret = rs_rowset_make(&group, results, row, 80);
	if (ret)
		rs_sink_fail(sink, ret);
	struct curve curve = {
	    .results = results,
	    .workload = results->rows[row].workload,
	    .metric = ret ? NULL : rs_plot_metric(&group),
	};
	if (curve.metric && measure(&curve))
		draw(&curve, sink);
	rs_rowset_end(&group);
}
