#ifndef SRC_CLOCKID_H
#define SRC_CLOCKID_H

/* Clock ids of clock_gettime(2), by the name used in selections. */

#include "src/operand.h"

/* Every clock id of Linux that has a name, in the order in which they are listed. */
const struct rs_operand *rs_clocks(void);

/*
 * Accepts "monotonic", "CLOCK_MONOTONIC" (both in any case) and "1"; NULL for what is
 * none of them.
 */
const struct rs_operand *rs_clock_find(const char *text);

#endif
