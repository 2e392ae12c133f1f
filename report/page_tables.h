#ifndef REPORT_PAGE_TABLES_H
#define REPORT_PAGE_TABLES_H

#include "report/html.h"
#include "report/rowset.h"

/* The tables and lists of a page. */

#define RS_PAGE_LINE 100000 /* columns of a line that the browser wraps */

/* The table of a group and what there is to say below it. */
void rs_page_put_rowset(const struct rs_rowset *group, struct rs_sink *sink);

/* Settings and facts of the host, folded. */
void rs_page_put_origin(const struct rs_results *results, struct rs_sink *sink);

void rs_page_put_footnotes(const struct rs_results *results, struct rs_sink *sink);

void rs_page_put_sheet(const struct rs_sheet *sheet, struct rs_sink *sink);

#endif
