#ifndef REPORT_WRITERS_H
#define REPORT_WRITERS_H

/* The writers behind the rows of report.c; the door says what each kind obeys. */

#include <stdio.h>

#include "report/report.h"

int rs_text_results(const struct rs_results *results, const struct rs_style *style,
		    FILE *out);
int rs_text_sheet(const struct rs_sheet *sheet, const struct rs_style *style,
		  FILE *out);
int rs_text_checkup(const struct rs_checkup *checkup, const struct rs_style *style,
		    FILE *out);

/* The counter dump: one line per reading, and one per row that never ran. */
int rs_csv_results(const struct rs_results *results, const struct rs_style *style,
		   FILE *out);
int rs_csv_sheet(const struct rs_sheet *sheet, const struct rs_style *style, FILE *out);
int rs_csv_checkup(const struct rs_checkup *checkup, const struct rs_style *style,
		   FILE *out);

/* One line per row and metric. */
int rs_summary_csv_results(const struct rs_results *results,
			   const struct rs_style *style, FILE *out);

/* One document; report/schema/ describes each kind. */
int rs_json_results(const struct rs_results *results, const struct rs_style *style,
		    FILE *out);
int rs_json_sheet(const struct rs_sheet *sheet, const struct rs_style *style,
		  FILE *out);
int rs_json_checkup(const struct rs_checkup *checkup, const struct rs_style *style,
		    FILE *out);

int rs_tap_checkup(const struct rs_checkup *checkup, const struct rs_style *style,
		   FILE *out);

/* Columns that text may use: style's, within reason. */
size_t rs_style_width(const struct rs_style *style);

#endif
