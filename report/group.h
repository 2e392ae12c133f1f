#ifndef REPORT_GROUP_H
#define REPORT_GROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/sink.h"
#include "src/model.h"

#define RS_NO_ROW SIZE_MAX

/* The rows of one text table: one workload at one depth. Borrows results. */
struct rs_group {
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

/*
 * The group that row, a variant, belongs to. Returns 0 or -ENOMEM; free with
 * rs_group_end.
 */
int rs_group_make(struct rs_group *group, const struct rs_results *results, size_t row,
		  size_t width);
void rs_group_end(struct rs_group *group);

/* The summary that the row's difference and verdict come from; NULL: none. */
const struct rs_summary *rs_group_delta(const struct rs_group *group, size_t row);

/* "+3.9 % [+3.1,+4.6]", or "-" where unknown, into out of RS_DELTA_BYTES. */
#define RS_DELTA_BYTES 160
const char *rs_delta_text(char out[RS_DELTA_BYTES], const struct rs_summary *summary,
			  bool has_interval);

/* The table or tables of a group, and below them what did not fit. */
void rs_group_put_tables(const struct rs_group *group, struct rs_sink *sink);

/* What the whole run has to say below its tables. */
void rs_put_footnotes(const struct rs_results *results, struct rs_sink *sink,
		      size_t width);

#endif
