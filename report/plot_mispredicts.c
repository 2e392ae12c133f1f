#include "report/plot.h"

#include <math.h>
#include <stdio.h>

#include "report/lookup.h"

/* What a row was counted to mispredict; the finer event where both were counted. */
static struct rs_maybe measured_of(const struct rs_rowset *group, size_t row)
{
	static const char *const metrics[] = {"return-misses", "branch-misses"};
	for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++) {
		const struct rs_summary *const summary =
		    rs_summary_valid(group->results, row, metrics[i]);
		if (summary && rs_maybe_is_number(&summary->median))
			return summary->median;
	}
	return (struct rs_maybe){0};
}

static bool has_mispredicts(const struct rs_rowset *group, size_t row)
{
	return rs_row_model(group->results, row).known || measured_of(group, row).known;
}

static void put_lane(const struct rs_rowset *group, const struct rs_lanes *lanes,
		     unsigned int lane, size_t row)
{
	char name[RS_ROW_NAME_BYTES];
	const struct rs_maybe model = rs_row_model(group->results, row);
	const struct rs_maybe measured = measured_of(group, row);
	const double y =
	    rs_lanes_name(lanes, lane, rs_row_name(name, &group->results->rows[row]));
	if (model.known)
		rs_svg_dot(&lanes->svg, "model", rs_scale_at(&lanes->x, model.value), y,
			   6);
	if (measured.known)
		rs_svg_dot(&lanes->svg, "mark", rs_scale_at(&lanes->x, measured.value),
			   y, 3.5);
}

static void draw(const struct rs_rowset *group, struct rs_lanes *lanes,
		 struct rs_sink *sink)
{
	char title[256];
	unsigned int lane = 0;
	snprintf(title, sizeof(title), "%s: mispredicts per call, model and counted",
		 group->workload);
	rs_lanes_begin(lanes, sink, title,
		       "One lane for each variant. The table has the numbers.",
		       "mispredicts per call");
	for (size_t i = 0; i < group->n_rows; i++) {
		if (has_mispredicts(group, group->rows[i]))
			put_lane(group, lanes, lane++, group->rows[i]);
	}
	rs_lanes_end(lanes, "Ring: the link-stack model. Dot: counted (return-misses "
			    "where counted, else branch-misses). No dot: not counted.");
}

void rs_plot_mispredicts(const struct rs_rowset *group, struct rs_sink *sink)
{
	struct rs_lanes lanes = {.n = 0};
	double high = 1;
	for (size_t i = 0; i < group->n_rows; i++) {
		const size_t row = group->rows[i];
		lanes.n += has_mispredicts(group, row);
		high = fmax(high, fmax(rs_row_model(group->results, row).value,
				       measured_of(group, row).value));
	}
	if (lanes.n == 0)
		return;
	lanes.x = rs_scale_of_values(0, high, RS_LANES_FROM, RS_LANES_TO);
	draw(group, &lanes, sink);
}
