#ifndef REPORT_PLOT_H
#define REPORT_PLOT_H

#include "report/html.h"
#include "report/rowset.h"
#include "report/scale.h"

/*
 * The pictures of a page. Each draws nothing where it would have nothing to show, and
 * stands in a <figure> whose caption says how to read it.
 */

/* What each variant's repetitions cost, a line of dots for each placement. */
void rs_plot_distribution(const struct rs_rowset *group, struct rs_sink *sink);

/* The differences from the baseline with their intervals. */
void rs_plot_difference(const struct rs_rowset *group, struct rs_sink *sink);

/* Mispredicts per call: what the model says and what was counted. */
void rs_plot_mispredicts(const struct rs_rowset *group, struct rs_sink *sink);

/*
 * What each variant costs over the number of enclosing frames, for the workload of a
 * row that is the first of its workload and has three depths or more.
 */
void rs_plot_curve(const struct rs_results *results, size_t row, struct rs_sink *sink);

/* What they share: lanes with a name at the left, above an axis. */
struct rs_lanes {
	struct rs_svg svg;
	struct rs_scale x;
	unsigned int n;
};

#define RS_LANES_FROM 190.0
#define RS_LANES_TO   700.0
#define RS_LANE       34.0

/* Opens the figure and the picture with its axis; unit stands below the axis. */
void rs_lanes_begin(struct rs_lanes *lanes, struct rs_sink *sink, const char *title,
		    const char *desc, const char *unit);

/* caption is ours and says how to read the picture. */
void rs_lanes_end(const struct rs_lanes *lanes, const char *caption);

/* Names lane i and returns the y of its middle. */
double rs_lanes_name(const struct rs_lanes *lanes, unsigned int i, const char *name);

/* "lea", and of a control "lea again". */
#define RS_ROW_NAME_BYTES 256
const char *rs_row_name(char out[RS_ROW_NAME_BYTES], const struct rs_row *row);

/* The index of the metric of that name in results; SIZE_MAX for none. */
size_t rs_metric_index(const struct rs_results *results, const char *name);

/* The clock that a table is drawn by: that of its differences, else one that ran. */
const char *rs_plot_metric(const struct rs_rowset *group);

#endif
