#include "report/rowset.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/lookup.h"
#include "report/number.h"
#include "src/base/text.h"

/* The row's own depth, or for a row without frames the first one of its workload. */
static unsigned int table_depth(const struct rs_results *results,
				const struct rs_row *row)
{
	for (size_t i = 0; i < results->n_rows && row->depth == 0; i++) {
		const struct rs_row *const other = &results->rows[i];
		if (other->depth > 0 && strcmp(other->workload, row->workload) == 0)
			return other->depth;
	}
	return row->depth;
}

static bool is_in_group(const struct rs_rowset *group, const struct rs_row *row)
{
	return strcmp(row->workload, group->workload) == 0 &&
	       table_depth(group->results, row) == group->depth;
}

bool rs_rowset_shares(const struct rs_results *results, size_t row, size_t other)
{
	const struct rs_row *const a = &results->rows[row];
	const struct rs_row *const b = &results->rows[other];
	return strcmp(a->workload, b->workload) == 0 &&
	       table_depth(results, a) == table_depth(results, b);
}

bool rs_rowset_is_first(const struct rs_results *results, size_t row)
{
	if (results->rows[row].role != RS_ROLE_VARIANT)
		return false;
	for (size_t i = 0; i < row; i++) {
		if (results->rows[i].role == RS_ROLE_VARIANT &&
		    rs_rowset_shares(results, row, i))
			return false;
	}
	return true;
}

static size_t find_role(const struct rs_rowset *group, enum rs_row_role role)
{
	const struct rs_results *const results = group->results;
	for (size_t i = 0; i < results->n_rows; i++) {
		const struct rs_row *const row = &results->rows[i];
		if (row->role == role && is_in_group(group, row))
			return i;
	}
	return RS_NO_ROW;
}

static const char *find_baseline(const struct rs_rowset *group)
{
	for (size_t i = 0; i < group->n_rows; i++) {
		const struct rs_row *const row = &group->results->rows[group->rows[i]];
		if (row->baseline)
			return row->baseline;
	}
	return NULL;
}

static bool has_delta(const struct rs_rowset *group, const char *metric)
{
	for (size_t i = 0; i < group->n_rows; i++) {
		const struct rs_summary *const summary =
		    rs_summary_valid(group->results, group->rows[i], metric);
		if (summary && rs_maybe_is_number(&summary->delta_pct))
			return true;
	}
	return false;
}

int rs_rowset_make(struct rs_rowset *group, const struct rs_results *results,
		   size_t row, size_t width)
{
	*group = (struct rs_rowset){
	    .results = results,
	    .workload = results->rows[row].workload,
	    .depth = table_depth(results, &results->rows[row]),
	    .width = width,
	};
	group->rows = calloc(results->n_rows, sizeof(*group->rows));
	if (!group->rows)
		return -ENOMEM;
	for (size_t i = 0; i < results->n_rows; i++) {
		const struct rs_row *const other = &results->rows[i];
		if (other->role == RS_ROLE_VARIANT && is_in_group(group, other))
			group->rows[group->n_rows++] = i;
	}
	group->control = find_role(group, RS_ROLE_CONTROL);
	group->empty = find_role(group, RS_ROLE_EMPTY);
	group->baseline = find_baseline(group);
	group->delta_metric = "ticks";
	if (!has_delta(group, "ticks") && has_delta(group, "ns"))
		group->delta_metric = "ns";
	return 0;
}

void rs_rowset_end(struct rs_rowset *group)
{
	free(group->rows);
	*group = (struct rs_rowset){0};
}

const struct rs_summary *rs_rowset_delta(const struct rs_rowset *group, size_t row)
{
	return rs_summary_valid(group->results, row, group->delta_metric);
}

const char *rs_delta_text(char out[RS_DELTA_BYTES], const struct rs_summary *summary,
			  bool has_interval)
{
	char value[RS_NUMBER_BYTES];
	char low[RS_NUMBER_BYTES];
	char high[RS_NUMBER_BYTES];
	rs_text_copy(out, RS_DELTA_BYTES, "-");
	if (!summary || !rs_maybe_is_number(&summary->delta_pct))
		return out;
	out[0] = '\0';
	rs_text_append(out, RS_DELTA_BYTES, "%s %%",
		       rs_number_signed(value, summary->delta_pct.value));
	if (has_interval && rs_maybe_is_number(&summary->delta_low_pct) &&
	    rs_maybe_is_number(&summary->delta_high_pct))
		rs_text_append(out, RS_DELTA_BYTES, " [%s,%s]",
			       rs_number_signed(low, summary->delta_low_pct.value),
			       rs_number_signed(high, summary->delta_high_pct.value));
	return out;
}
