#include "report/plot.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/lookup.h"

#define MAX_DOTS                                                                       \
	120 /* of one row at one placement; more become that many quantiles            \
	     */

/* The repetitions of one table as counted per call. */
struct cloud {
	const struct rs_rowset *group;
	const char *metric;
	size_t index; /* of the metric */
	size_t *rows; /* the variants, the control and the empty loop */
	size_t n_rows;
	double *values; /* of one row at one placement */
};

static bool gross_of(const struct cloud *cloud, const struct rs_repetition *repetition,
		     double *value)
{
	const struct rs_reading *const reading = &repetition->readings[cloud->index];
	if (repetition->rejected || repetition->calls == 0 ||
	    !rs_reading_is_valid(reading))
		return false;
	*value = (double)reading->value / (double)repetition->calls;
	return isfinite(*value);
}

static int compare_values(const void *a, const void *b)
{
	const double x = *(const double *)a;
	const double y = *(const double *)b;
	return (x > y) - (x < y);
}

/* Sorted; returns how many there are. */
static size_t gather(struct cloud *cloud, size_t row, unsigned int placement)
{
	const struct rs_results *const results = cloud->group->results;
	size_t n = 0;
	for (size_t i = 0; i < results->n_repetitions; i++) {
		const struct rs_repetition *const repetition = &results->repetitions[i];
		if (repetition->row == row && repetition->placement == placement &&
		    gross_of(cloud, repetition, &cloud->values[n]))
			n++;
	}
	if (n > 0)
		qsort(cloud->values, n, sizeof(*cloud->values), compare_values);
	return n;
}

static bool has_values(const struct cloud *cloud, size_t row)
{
	const struct rs_results *const results = cloud->group->results;
	for (size_t i = 0; i < results->n_repetitions; i++) {
		double value;
		if (results->repetitions[i].row == row &&
		    gross_of(cloud, &results->repetitions[i], &value))
			return true;
	}
	return false;
}

static void add_row(struct cloud *cloud, size_t row)
{
	if (row != RS_NO_ROW && has_values(cloud, row))
		cloud->rows[cloud->n_rows++] = row;
}

static void choose_rows(struct cloud *cloud)
{
	for (size_t i = 0; i < cloud->group->n_rows; i++)
		add_row(cloud, cloud->group->rows[i]);
	add_row(cloud, cloud->group->control);
	add_row(cloud, cloud->group->empty);
}

static struct rs_scale scale_of(struct cloud *cloud)
{
	double low = INFINITY;
	double high = -INFINITY;
	for (size_t i = 0; i < cloud->n_rows; i++) {
		for (unsigned int p = 0; p < cloud->group->results->settings.placements;
		     p++) {
			const size_t n = gather(cloud, cloud->rows[i], p);
			if (n == 0)
				continue;
			low = fmin(low, cloud->values[0]);
			high = fmax(high, cloud->values[n - 1]);
		}
	}
	return rs_scale_of_values(low, high, RS_LANES_FROM, RS_LANES_TO);
}

/* The dots of one placement, and a bar at their median. */
static void put_placement(struct cloud *cloud, const struct rs_lanes *lanes, size_t row,
			  unsigned int placement, double y)
{
	const size_t n = gather(cloud, row, placement);
	const size_t n_dots = n < MAX_DOTS ? n : MAX_DOTS;
	for (size_t i = 0; i < n_dots; i++) {
		const double value = cloud->values[(2 * i + 1) * n / (2 * n_dots)];
		rs_svg_dot(&lanes->svg, "dot", rs_scale_at(&lanes->x, value), y, 1.6);
	}
	if (n == 0)
		return;
	const double median = (cloud->values[(n - 1) / 2] + cloud->values[n / 2]) / 2;
	const double x = rs_scale_at(&lanes->x, median);
	rs_svg_line(&lanes->svg, "median", x, y - 3, x, y + 3);
}

static void put_lane(struct cloud *cloud, const struct rs_lanes *lanes, unsigned int i)
{
	char name[RS_ROW_NAME_BYTES];
	const struct rs_results *const results = cloud->group->results;
	const size_t row = cloud->rows[i];
	const unsigned int n = results->settings.placements;
	const struct rs_row *const about = &results->rows[row];
	const double y = rs_lanes_name(
	    lanes, i,
	    about->role == RS_ROLE_EMPTY ? "empty loop" : rs_row_name(name, about));
	for (unsigned int p = 0; p < n; p++)
		put_placement(cloud, lanes, row, p,
			      y + (p + 0.5 - n / 2.0) * (RS_LANE - 8) / n);
}

static void draw(struct cloud *cloud, struct rs_sink *sink)
{
	char unit[128];
	char title[256];
	const struct rs_metric *const metric =
	    &cloud->group->results->metrics[cloud->index];
	struct rs_lanes lanes = {.n = (unsigned int)cloud->n_rows,
				 .x = scale_of(cloud)};
	snprintf(unit, sizeof(unit), "%s per call%s", metric->name,
		 lanes.x.kind == RS_SCALE_LOG ? ", logarithmic" : "");
	snprintf(title, sizeof(title), "%s: %s per call of each repetition",
		 cloud->group->workload, metric->name);
	rs_lanes_begin(&lanes, sink, title,
		       "One lane for each variant. The table has the medians.", unit);
	for (unsigned int i = 0; i < lanes.n; i++)
		put_lane(cloud, &lanes, i);
	rs_lanes_end(&lanes,
		     "Each dot is a repetition as counted, the empty loop not "
		     "subtracted; each line of dots is a placement with a bar at its "
		     "median. More than 120 dots in a line are drawn as that many "
		     "quantiles.");
}

void rs_plot_distribution(const struct rs_rowset *group, struct rs_sink *sink)
{
	struct cloud cloud = {.group = group};
	const char *const metric = rs_plot_metric(group);
	if (!metric)
		return;
	cloud.index = rs_metric_index(group->results, metric);
	cloud.rows = calloc(group->n_rows + 2, sizeof(*cloud.rows));
	cloud.values = calloc(group->results->n_repetitions + 1, sizeof(*cloud.values));
	if (!cloud.rows || !cloud.values)
		rs_sink_fail(sink, -ENOMEM);
	else if (cloud.index != SIZE_MAX)
		choose_rows(&cloud);
	if (cloud.n_rows > 0)
		draw(&cloud, sink);
	free(cloud.rows);
	free(cloud.values);
}
