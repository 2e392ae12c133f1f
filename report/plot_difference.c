#include "report/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/lookup.h"

static const struct rs_summary *difference_of(const struct rs_rowset *group, size_t row)
{
	const struct rs_summary *const summary =
	    row == RS_NO_ROW ? NULL : rs_rowset_delta(group, row);
	const bool is_whole = summary && rs_maybe_is_number(&summary->delta_pct) &&
			      rs_maybe_is_number(&summary->delta_low_pct) &&
			      rs_maybe_is_number(&summary->delta_high_pct);
	return is_whole ? summary : NULL;
}

/* Row i of the picture: the variants, then the control. */
static size_t row_at(const struct rs_rowset *group, size_t i)
{
	return i < group->n_rows ? group->rows[i] : group->control;
}

static void put_interval(const struct rs_lanes *lanes, const struct rs_summary *summary,
			 double y)
{
	const double low = rs_scale_at(&lanes->x, summary->delta_low_pct.value);
	const double high = rs_scale_at(&lanes->x, summary->delta_high_pct.value);
	rs_svg_line(&lanes->svg, "interval", low, y, high, y);
	rs_svg_line(&lanes->svg, "interval", low, y - 5, low, y + 5);
	rs_svg_line(&lanes->svg, "interval", high, y - 5, high, y + 5);
	rs_svg_dot(&lanes->svg, "mark",
		   rs_scale_at(&lanes->x, summary->delta_pct.value), y, 3.5);
}

static void put_threshold(const struct rs_lanes *lanes, double threshold_pct)
{
	const double low = rs_scale_at(&lanes->x, -threshold_pct);
	const double high = rs_scale_at(&lanes->x, threshold_pct);
	const double zero = rs_scale_at(&lanes->x, 0);
	if (threshold_pct > 0)
		rs_svg_box(&lanes->svg, "band", low, 8, high - low, lanes->n * RS_LANE);
	rs_svg_line(&lanes->svg, "zero", zero, 8, zero, 8 + lanes->n * RS_LANE);
}

static void draw(const struct rs_rowset *group, struct rs_lanes *lanes,
		 struct rs_sink *sink)
{
	char unit[256];
	char title[256];
	snprintf(unit, sizeof(unit), "%% %s against %s%s", group->delta_metric,
		 group->baseline ? group->baseline : "the baseline",
		 lanes->x.kind == RS_SCALE_SIGNED ? ", logarithmic away from 0" : "");
	snprintf(title, sizeof(title), "%s: difference in %s from %s", group->workload,
		 group->delta_metric,
		 group->baseline ? group->baseline : "the baseline");
	rs_lanes_begin(lanes, sink, title,
		       "One lane for each variant. The table has the numbers.", unit);
	put_threshold(lanes, group->results->settings.threshold_pct);
	unsigned int lane = 0;
	for (size_t i = 0; i <= group->n_rows; i++) {
		char name[RS_ROW_NAME_BYTES];
		const size_t row = row_at(group, i);
		const struct rs_summary *const summary = difference_of(group, row);
		if (!summary)
			continue;
		const double y = rs_lanes_name(
		    lanes, lane++, rs_row_name(name, &group->results->rows[row]));
		put_interval(lanes, summary, y);
	}
	rs_lanes_end(lanes, "Median of the paired differences with its 95 % interval. "
			    "Right of 0 is more; inside the band a difference is too "
			    "small to be called one.");
}

void rs_plot_difference(const struct rs_rowset *group, struct rs_sink *sink)
{
	struct rs_lanes lanes = {.n = 0};
	double low = INFINITY;
	double high = -INFINITY;
	for (size_t i = 0; i <= group->n_rows; i++) {
		const struct rs_summary *const summary =
		    difference_of(group, row_at(group, i));
		if (!summary)
			continue;
		low = fmin(low, summary->delta_low_pct.value);
		high = fmax(high, summary->delta_high_pct.value);
		lanes.n++;
	}
	if (lanes.n == 0)
		return;
	lanes.x = rs_scale_of_differences(low, high, RS_LANES_FROM, RS_LANES_TO);
	draw(group, &lanes, sink);
}
