#ifndef SRC_PATTERN_H
#define SRC_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#include "arch/arch.h"
#include "src/base/err.h"
#include "src/operand.h"

/* A selector, taken apart: WORKLOAD[:OPERAND][/VARIANT]. */
struct rs_pattern {
	char workload[128]; /* glob */
	char operand[64];   /* a clock or a size; "": the workload's default */
	char variant[64];   /* "*" when not given */
};

/*
 * Parses text and makes sure that it fits at least one workload, operand and variant of
 * the ISA; -EINVAL with a sentence that says what there is.
 */
int rs_pattern_parse(struct rs_pattern *out, const char *text, const struct rs_isa *isa,
		     struct rs_err *err);

/* operand is NULL for a workload that takes none, and for the default. */
bool rs_pattern_fits(const struct rs_pattern *pattern,
		     const struct rs_workload *workload,
		     const struct rs_operand *operand);
bool rs_pattern_fits_variant(const struct rs_pattern *pattern,
			     const struct rs_variant *variant);

#endif
