#ifndef SRC_FORECAST_H
#define SRC_FORECAST_H

/*
 * What the link-stack model says of the rows of a plan: each kernel is stepped through
 * for a few iterations in a child, and the model sees them again and again until the
 * stack no longer remembers how it began.
 */

#include "src/linkstack.h"
#include "src/model.h"
#include "src/plan.h"

struct rs_forecast {
	struct rs_maybe mispredicts; /* per call */
	char reason[320]; /* why they are not known; "" where the row is not run */
};

/*
 * Fills out[i] for each cell of the plan. A control gets what its baseline has, the
 * empty loop is left without a reason. Takes some 10 to 100 ms a cell. Returns 0 or
 * -ENOMEM; a cell that could not be stepped through has its reason. While it runs, this
 * process must have no children.
 */
int rs_forecast_make(const struct rs_plan *plan, const struct rs_linkstack_rules *rules,
		     struct rs_forecast *out, struct rs_err *err);

/* More than this between model and counter, per call, is a disagreement. */
#define RS_FORECAST_TOLERANCE 0.1

/* "agrees", "disagrees", or NULL where one of the two is not known. */
const char *rs_forecast_verdict(const struct rs_maybe *model,
				const struct rs_maybe *counted);

#endif
