#ifndef REPORT_COLUMNS_H
#define REPORT_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include "report/rowset.h"
#include "report/number.h"

/* The columns of a result table and what stands in their cells. */

enum rs_verdict_style {
	RS_VERDICT_LONG,  /* "same (placement spread 5 %)" */
	RS_VERDICT_SHORT, /* "same (spread 5 %)" */
	RS_VERDICT_WORD,  /* "same", and the spreads on a line of their own */
};

/* Where a column stands when the first table is too wide. */
enum rs_part {
	RS_PART_MAIN, /* always in the first table */
	RS_PART_TICKS,
	RS_PART_MODEL,
	RS_PART_EVENT,
};

struct rs_layout {
	enum rs_part last; /* parts after it go into tables below the first */
	bool has_interval;
	enum rs_verdict_style verdict;
};

#define RS_CELL_BYTES 192

struct rs_column_spec;

/* Writes the text of one cell; "-" where there is nothing to show. */
typedef void rs_cell_text(char out[RS_CELL_BYTES], const struct rs_rowset *group,
			  const struct rs_layout *layout,
			  const struct rs_column_spec *spec, size_t row);

struct rs_column_spec {
	char title[RS_CELL_BYTES];
	char narrow_title[RS_CELL_BYTES]; /* without the interval; "": title */
	const char *metric;               /* for values */
	/* For numbers of a row as a whole. */
	struct rs_maybe (*number)(const struct rs_results *results, size_t row);
	enum rs_part part;
	bool is_right;
	rs_cell_text *text;
};

#define RS_MORE_COLUMNS 5 /* MiB/s, switches/s, model, difference, verdict */

/*
 * The columns after the variant's name that have something to show, in order; specs
 * holds n_metrics + RS_MORE_COLUMNS, *n_specs becomes how many there are. A column
 * without any number is left to the footnotes. Returns 0 or -ENOMEM.
 */
int rs_rowset_columns(const struct rs_rowset *group, struct rs_column_spec *specs,
		      size_t *n_specs);

/* The verdict was reached because of the spread between placements. */
bool rs_has_spread(const struct rs_summary *summary);
const char *rs_spread_text(char out[RS_NUMBER_BYTES], const struct rs_summary *summary);

#endif
