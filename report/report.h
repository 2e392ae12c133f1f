#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

/*
 * Door of report/: results -> bytes. Sees only src/model.h and src/base. Every writer
 * returns 0 or a negative errno of the first write that failed; it does not close out.
 */

#include <stdbool.h>
#include <stdio.h>

#include "src/model.h"

/* How text output looks; other formats ignore it. */
struct rs_style {
	unsigned int width; /* columns available */
	bool use_colour;
};

struct rs_format {
	const char *name; /* "text"; NULL ends the list */
	const char *text; /* one sentence for --help */
	int (*results)(const struct rs_results *, const struct rs_style *, FILE *out);
	int (*sheet)(const struct rs_sheet *, const struct rs_style *, FILE *out);
	int (*checkup)(const struct rs_checkup *, const struct rs_style *, FILE *out);
	/* NULL where a format does not have that kind of output. */
};

/* All formats: text, csv, summary-csv, json, tap. */
const struct rs_format *rs_formats(void);

/* NULL when there is no such format. */
const struct rs_format *rs_format_find(const char *name);

/* A small plot in characters. Nothing is drawn of fewer than two points. */
int rs_curve_write(const struct rs_curve *curve, const struct rs_style *style,
		   FILE *out);

/* One result file on a page. */
struct rs_page_file {
	const char *path;
	const char *kind; /* "JSON", "CSV dump", ... */
	const struct rs_results *results;
};

struct rs_page {
	const struct rs_page_file *files;
	size_t n_files;
	const struct rs_sheet *comparison; /* NULL: nothing is compared */
};

/*
 * One HTML page of facts, tables and plots that needs nothing else: no script, no other
 * file, no network. Every text of a file is escaped.
 */
int rs_page_write(const struct rs_page *page, FILE *out);

/* The JSON Schema that `--json` output obeys, as text. */
const char *rs_schema_text(void);

#endif
