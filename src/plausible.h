#ifndef SRC_PLAUSIBLE_H
#define SRC_PLAUSIBLE_H

#include <stdbool.h>

#include "src/summary.h"

/*
 * Whether a gross count per call can be true, given what the kernel is known to
 * execute. calls is the size of one repetition, over which the cost of reading the
 * counters spreads. Metrics of which nothing is known are always plausible.
 */
bool rs_is_plausible(enum rs_meaning meaning, const struct rs_expected *expected,
		     double per_call, double calls);

#endif
