#include "report/lookup.h"

#include <math.h>
#include <string.h>

bool rs_maybe_is_number(const struct rs_maybe *maybe)
{
	return maybe->known && isfinite(maybe->value);
}

bool rs_row_is_timed(const struct rs_row *row)
{
	return row->state == RS_ROW_OK || row->state == RS_ROW_PARTIAL;
}

const char *rs_row_role_name(enum rs_row_role role)
{
	static const char *const names[] = {
	    [RS_ROLE_VARIANT] = "variant",
	    [RS_ROLE_EMPTY] = "empty",
	    [RS_ROLE_CONTROL] = "control",
	};
	return names[role];
}

const struct rs_summary *rs_summary_find(const struct rs_results *results, size_t row,
					 const char *metric)
{
	for (size_t i = 0; i < results->n_summaries; i++) {
		const struct rs_summary *const summary = &results->summaries[i];
		if (summary->row == row && strcmp(summary->metric, metric) == 0)
			return summary;
	}
	return NULL;
}

const struct rs_summary *rs_summary_valid(const struct rs_results *results, size_t row,
					  const char *metric)
{
	if (!rs_row_is_timed(&results->rows[row]))
		return NULL;
	const struct rs_summary *const summary = rs_summary_find(results, row, metric);
	return summary && summary->status == RS_STATUS_OK ? summary : NULL;
}

struct rs_maybe rs_row_model(const struct rs_results *results, size_t row)
{
	for (size_t i = 0; i < results->n_summaries; i++) {
		const struct rs_summary *const summary = &results->summaries[i];
		if (summary->row == row && rs_maybe_is_number(&summary->model))
			return summary->model;
	}
	return (struct rs_maybe){0};
}

#define NS_PER_S      1e9
#define BYTES_PER_MIB 0x1p20

static struct rs_maybe per_second(const struct rs_results *results, size_t row,
				  double per_call)
{
	const struct rs_summary *const summary = rs_summary_valid(results, row, "ns");
	if (!summary || !rs_maybe_is_number(&summary->median) || per_call <= 0 ||
	    summary->median.value <= 0)
		return (struct rs_maybe){0};
	return (struct rs_maybe){
	    .value = per_call / (summary->median.value / NS_PER_S),
	    .known = true,
	};
}

struct rs_maybe rs_row_mib_per_s(const struct rs_results *results, size_t row)
{
	const double block_bytes = (double)results->rows[row].block_bytes;
	return per_second(results, row, block_bytes / BYTES_PER_MIB);
}

struct rs_maybe rs_row_switches_per_s(const struct rs_results *results, size_t row)
{
	return per_second(results, row, results->rows[row].switches);
}

bool rs_row_has_repetition(const struct rs_results *results, size_t row)
{
	for (size_t i = 0; i < results->n_repetitions; i++) {
		if (results->repetitions[i].row == row)
			return true;
	}
	return false;
}

const char *rs_row_status_name(const struct rs_row *row, enum rs_status status)
{
	const bool is_worse = !rs_row_is_timed(row) ||
			      (row->state == RS_ROW_PARTIAL && status == RS_STATUS_OK);
	return is_worse ? rs_row_state_name(row->state) : rs_status_name(status);
}

bool rs_text_same(const char *a, const char *b)
{
	if (!a || !b)
		return a == b;
	return strcmp(a, b) == 0;
}

const char *rs_cause_of(const char *reason, const char *subject)
{
	static const char opening[] = "cannot open ";
	const char *const cause = strstr(reason, "; ");
	const char *const name = strstr(reason, subject);
	if (strncmp(reason, opening, sizeof(opening) - 1) != 0)
		return reason;
	return cause && name && name < cause ? cause + 2 : reason;
}
