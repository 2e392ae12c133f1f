#ifndef SRC_AUDIT_SHEET_H
#define SRC_AUDIT_SHEET_H

/* The table of `audit`, over any number of images. */

#include <stdbool.h>

#include "src/audit.h"
#include "src/model.h"

struct rs_audit_sheet {
	const char **cells; /* their own */
	size_t n_rows;
	size_t max_rows;
	const char **notes; /* likewise: the coverage of each image */
	size_t n_notes;
	size_t n_findings;
	bool is_brief; /* without rows for what is undecoded and for the coverage, both
			* of which the notes have as well */
};

/*
 * Adds the rows of one image, which may be closed then: a row for each thing found and
 * one for the coverage. Returns 0 or -ENOMEM.
 */
int rs_audit_sheet_add(struct rs_audit_sheet *sheet, const char *image,
		       const struct rs_audit *audit);

/* The whole as a plain table, valid until the next add or free. */
struct rs_sheet rs_audit_sheet_get(const struct rs_audit_sheet *sheet);

/* Accepts an empty object and leaves it empty. */
void rs_audit_sheet_free(struct rs_audit_sheet *sheet);

#endif
