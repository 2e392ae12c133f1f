#ifndef SRC_COMPARE_SHEET_H
#define SRC_COMPARE_SHEET_H

#include "src/compare.h"

/* The table of a comparison. Returns 0 or -ENOMEM; free with rs_compare_sheet_free. */
int rs_compare_sheet_make(struct rs_sheet *out, const struct rs_comparison *comparison,
			  struct rs_err *err);
void rs_compare_sheet_free(struct rs_sheet *sheet);

#endif
