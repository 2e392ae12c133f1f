#ifndef SRC_TRACE_SHEET_H
#define SRC_TRACE_SHEET_H

#include "src/model.h"
#include "src/traced.h"

/* What the model was, for the reader. */
struct rs_trace_model {
	const char *name; /* of the preset */
	struct rs_linkstack_rules rules;
};

/*
 * The trace as a table: its totals, then the n_top sites with the most mispredicts, of
 * their own and caused, then the rest in one line. Returns 0 or -ENOMEM. Free with
 * rs_trace_sheet_free.
 */
int rs_trace_sheet_make(struct rs_sheet *out, const struct rs_traced *traced,
			const struct rs_trace_model *model, size_t n_top,
			struct rs_err *err);

/* Accepts an empty object and leaves it empty. */
void rs_trace_sheet_free(struct rs_sheet *sheet);

#endif
