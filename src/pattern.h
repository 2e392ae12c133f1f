#ifndef SRC_PATTERN_H
#define SRC_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#include "arch/arch.h"
#include "src/base/err.h"
#include "src/oracle.h"

/* A selector, taken apart: WORKLOAD[:CLOCK][/VARIANT]. */
struct rs_pattern {
	char workload[128]; /* glob */
	char clock[64];     /* "" : the workload's default */
	char variant[64];   /* "*" when not given */
};

/*
 * Parses text and makes sure that it fits at least one workload, clock and variant of
 * the ISA; -EINVAL with a sentence that says what there is.
 */
int rs_pattern_parse(struct rs_pattern *out, const char *text, const struct rs_isa *isa,
		     struct rs_err *err);

/* clock is NULL for a workload without clocks, and for the default clock. */
bool rs_pattern_fits(const struct rs_pattern *pattern,
		     const struct rs_workload *workload, const struct rs_clock *clock);
bool rs_pattern_fits_variant(const struct rs_pattern *pattern,
			     const struct rs_variant *variant);

/* The clock of a workload that takes one, when none is asked for: CLOCK_MONOTONIC. */
const struct rs_clock *rs_default_clock(void);

#endif
