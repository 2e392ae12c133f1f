#ifndef TESTS_GOLDEN_FIXTURE_H
#define TESTS_GOLDEN_FIXTURE_H

#include "src/model.h"

/*
 * Results made by hand, not measured: every row state, reading status and verdict,
 * several depths, a control, an empty loop, counts above 2^63, long and hostile
 * strings. Storage is static; each call gives the same.
 */
const struct rs_results *rs_fixture_results(void);

/* A whole run of one workload without events, as on a machine without a PMU. */
const struct rs_results *rs_fixture_plain(void);

const struct rs_sheet *rs_fixture_sheet(void);
const struct rs_sheet *rs_fixture_empty_sheet(void);
const struct rs_checkup *rs_fixture_checkup(void);

#endif
