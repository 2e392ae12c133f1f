#ifndef REPORT_ROWSET_H
#define REPORT_ROWSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/sink.h"
#include "src/model.h"

#define RS_NO_ROW SIZE_MAX

/*
 * The rows of one text table: one workload at one depth. Rows that have no depth join
 * the workload's first table. Borrows results.
 */
struct rs_rowset {
	const struct rs_results *results;
	const char *workload;
	unsigned int depth;
	size_t *rows; /* indices of its variants, in order; at least one */
	size_t n_rows;
	size_t control;           /* index or RS_NO_ROW */
	size_t empty;             /* index or RS_NO_ROW */
	const char *baseline;     /* NULL: no row is compared with anything */
	const char *delta_metric; /* the metric that difference and verdict are of */
	size_t width;             /* columns for text */
};

/* Whether two rows stand in one table. */
bool rs_rowset_shares(const struct rs_results *results, size_t row, size_t other);

/* Whether row is a variant and the first of its table. */
bool rs_rowset_is_first(const struct rs_results *results, size_t row);

/*
 * The group that row, a variant, belongs to. Returns 0 or -ENOMEM; free with
 * rs_rowset_end.
 */
int rs_rowset_make(struct rs_rowset *group, const struct rs_results *results,
		   size_t row, size_t width);
void rs_rowset_end(struct rs_rowset *group);

/* The summary that the row's difference and verdict come from; NULL: none. */
const struct rs_summary *rs_rowset_delta(const struct rs_rowset *group, size_t row);

/* "+3.9 % [+3.1,+4.6]", or "-" where unknown, into out of RS_DELTA_BYTES. */
#define RS_DELTA_BYTES 160
const char *rs_delta_text(char out[RS_DELTA_BYTES], const struct rs_summary *summary,
			  bool has_interval);

/* The table or tables of a group, and below them what did not fit. */
void rs_rowset_put_tables(const struct rs_rowset *group, struct rs_sink *sink);

/* What there is to say of its rows below the tables; each on a line of its own. */
void rs_rowset_put_notes(const struct rs_rowset *group, struct rs_sink *sink);

/* What the whole run has to say below its tables. */
void rs_put_footnotes(const struct rs_results *results, struct rs_sink *sink,
		      size_t width);

#endif
