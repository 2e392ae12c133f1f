#ifndef REPORT_LOOKUP_H
#define REPORT_LOOKUP_H

#include <stdbool.h>
#include <stddef.h>

#include "src/model.h"

/* What several formats ask of struct rs_results. */

/* A number to show: known and finite. */
bool rs_maybe_is_number(const struct rs_maybe *maybe);

/* The row was timed, wholly or in part. */
bool rs_row_is_timed(const struct rs_row *row);

/* "variant", "empty", "control". */
const char *rs_row_role_name(enum rs_row_role role);

/* NULL when there is none. row is an index into results->rows. */
const struct rs_summary *rs_summary_find(const struct rs_results *results, size_t row,
					 const char *metric);

/*
 * The same, and NULL too where its status says that the numbers are not to be shown.
 */
const struct rs_summary *rs_summary_valid(const struct rs_results *results, size_t row,
					  const char *metric);

/* The model's mispredicts per call of a row, whichever summary carries it. */
struct rs_maybe rs_row_model(const struct rs_results *results, size_t row);

/*
 * Memory read a second, in MiB, and context switches a second, by the median net ns of
 * a row; unknown where the row is not about that, or noise made that time nothing or
 * less.
 */
struct rs_maybe rs_row_mib_per_s(const struct rs_results *results, size_t row);
struct rs_maybe rs_row_switches_per_s(const struct rs_results *results, size_t row);

bool rs_row_has_repetition(const struct rs_results *results, size_t row);

/*
 * The word for files that says whether a row with this status of a metric has numbers:
 * the row's state where that is worse than the metric's status.
 */
const char *rs_row_status_name(const struct rs_row *row, enum rs_status status);

/*
 * Same text, or both NULL.
 */
bool rs_text_same(const char *a, const char *b);

/*
 * A reason that names its subject does so before the first semicolon; what follows is
 * the cause, which several subjects may share. Other reasons are returned whole.
 */
const char *rs_cause_of(const char *reason, const char *subject);

#endif
