#include "src/compare_sheet.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum column {
	COL_HOST,
	COL_BASE_FILE,
	COL_FILE,
	COL_WORKLOAD,
	COL_VARIANT,
	COL_DEPTH,
	COL_METRIC,
	COL_UNIT,
	COL_BASE,
	COL_NEW,
	COL_IMPROVEMENT,
	COL_LOW,
	COL_HIGH,
	COL_NOISE,
	COL_SHIFT,
	COL_SHIFT_LOW,
	COL_SHIFT_HIGH,
	COL_P_VALUE,
	COL_N_BASE,
	COL_N_NEW,
	COL_VERDICT,
	N_COLUMNS
};

static const struct rs_sheet_column all_columns[N_COLUMNS] = {
    [COL_HOST] = {.name = "host", .title = "host"},
    [COL_BASE_FILE] = {.name = "base_file", .title = "base file", .is_detail = true},
    [COL_FILE] = {.name = "file", .title = "file"},
    [COL_WORKLOAD] = {.name = "workload", .title = "workload"},
    [COL_VARIANT] = {.name = "variant", .title = "variant"},
    [COL_DEPTH] = {.name = "depth",
		   .title = "depth",
		   .is_right = true,
		   .is_number = true},
    [COL_METRIC] = {.name = "metric", .title = "metric"},
    [COL_UNIT] = {.name = "unit", .title = "unit", .is_detail = true},
    [COL_BASE] = {.name = "base", .title = "base", .is_right = true, .is_number = true},
    [COL_NEW] = {.name = "new", .title = "new", .is_right = true, .is_number = true},
    [COL_IMPROVEMENT] = {.name = "improvement_pct",
			 .title = "(base-new)/base %",
			 .is_right = true,
			 .is_number = true},
    [COL_LOW] = {.name = "improvement_low_pct",
		 .title = "from",
		 .is_right = true,
		 .is_number = true},
    [COL_HIGH] = {.name = "improvement_high_pct",
		  .title = "to",
		  .is_right = true,
		  .is_number = true},
    [COL_NOISE] = {.name = "noise_pct",
		   .title = "noise %",
		   .is_right = true,
		   .is_number = true},
    [COL_SHIFT] = {.name = "shift",
		   .title = "shift",
		   .is_detail = true,
		   .is_number = true},
    [COL_SHIFT_LOW] = {.name = "shift_low",
		       .title = "shift from",
		       .is_detail = true,
		       .is_number = true},
    [COL_SHIFT_HIGH] = {.name = "shift_high",
			.title = "shift to",
			.is_detail = true,
			.is_number = true},
    [COL_P_VALUE] = {.name = "p_value",
		     .title = "p",
		     .is_detail = true,
		     .is_number = true},
    [COL_N_BASE] = {.name = "n_base",
		    .title = "n base",
		    .is_detail = true,
		    .is_number = true},
    [COL_N_NEW] = {.name = "n_new",
		   .title = "n new",
		   .is_detail = true,
		   .is_number = true},
    [COL_VERDICT] = {.name = "verdict", .title = "verdict"},
};

struct filling {
	const char **cells; /* of one row */
	bool is_out_of_memory;
};

static void put_text(struct filling *filling, enum column column, const char *text)
{
	if (!text)
		return;
	filling->cells[column] = strdup(text);
	filling->is_out_of_memory |= !filling->cells[column];
}

static void put_fixed(struct filling *filling, enum column column, int decimals,
		      double value)
{
	char text[400]; /* as many digits as the largest double has */
	snprintf(text, sizeof(text), "%.*f", decimals, value);
	put_text(filling, column, text);
}

static void put_digits(struct filling *filling, enum column column, int digits,
		       double value)
{
	char text[64];
	snprintf(text, sizeof(text), "%.*g", digits, value);
	put_text(filling, column, text);
}

static void put_maybe(struct filling *filling, enum column column,
		      const struct rs_maybe *maybe)
{
	if (maybe->known)
		put_fixed(filling, column, 1, maybe->value);
}

static void put_change(struct filling *filling, const struct rs_change *change)
{
	put_text(filling, COL_HOST, rs_host_of(change->file));
	put_text(filling, COL_BASE_FILE, change->base->path);
	put_text(filling, COL_FILE, change->file->path);
	put_text(filling, COL_WORKLOAD, change->row->workload);
	put_text(filling, COL_VARIANT, change->row->variant);
	put_fixed(filling, COL_DEPTH, 0, change->row->depth);
	put_text(filling, COL_METRIC, change->metric);
	put_text(filling, COL_UNIT, change->unit);
	put_fixed(filling, COL_BASE, 2, change->base_median);
	put_fixed(filling, COL_NEW, 2, change->new_median);
	put_maybe(filling, COL_IMPROVEMENT, &change->improvement_pct);
	put_maybe(filling, COL_LOW, &change->improvement_low_pct);
	put_maybe(filling, COL_HIGH, &change->improvement_high_pct);
	if (change->noise_pct.known)
		put_fixed(filling, COL_NOISE, 1, change->noise_pct.value);
	put_digits(filling, COL_SHIFT, 17, change->shift);
	put_digits(filling, COL_SHIFT_LOW, 17, change->shift_low);
	put_digits(filling, COL_SHIFT_HIGH, 17, change->shift_high);
	put_digits(filling, COL_P_VALUE, 3, change->p_value);
	put_fixed(filling, COL_N_BASE, 0, (double)change->n_base);
	put_fixed(filling, COL_N_NEW, 0, (double)change->n_new);
	put_text(filling, COL_VERDICT, change->verdict);
}

/* A column that says the same in every line is left to CSV and JSON. */
static void choose_columns(struct rs_sheet_column columns[N_COLUMNS],
			   const struct rs_comparison *comparison)
{
	bool has_hosts = false;
	bool has_files = false;
	memcpy(columns, all_columns, sizeof(all_columns));
	for (size_t i = 1; i < comparison->n_changes; i++) {
		const struct rs_loaded *const first = comparison->changes[0].file;
		const struct rs_loaded *const file = comparison->changes[i].file;
		const char *const host = rs_host_of(file);
		const char *const first_host = rs_host_of(first);
		has_files |= file != first;
		has_hosts |= host && first_host ? strcmp(host, first_host) != 0
						: host != first_host;
	}
	columns[COL_HOST].is_detail = !has_hosts;
	columns[COL_FILE].is_detail = !has_files;
}

int rs_compare_sheet_make(struct rs_sheet *out, const struct rs_comparison *comparison,
			  struct rs_err *err)
{
	struct rs_sheet_column *const columns = calloc(N_COLUMNS, sizeof(*columns));
	const char **const cells =
	    calloc(comparison->n_changes * N_COLUMNS + 1, sizeof(*cells));
	struct filling filling = {.is_out_of_memory = !columns || !cells};
	*out = (struct rs_sheet){
	    .title = "changes per call; above 0 % is better",
	    .columns = columns,
	    .n_columns = N_COLUMNS,
	    .cells = cells,
	    .n_rows = cells ? comparison->n_changes : 0,
	    .notes = comparison->notes,
	    .n_notes = comparison->n_notes,
	};
	if (columns)
		choose_columns(columns, comparison);
	for (size_t i = 0; i < out->n_rows; i++) {
		filling.cells = &cells[i * N_COLUMNS];
		put_change(&filling, &comparison->changes[i]);
	}
	if (!filling.is_out_of_memory)
		return 0;
	rs_compare_sheet_free(out);
	return rs_err_set(err, -ENOMEM, "not enough memory for the comparison");
}

void rs_compare_sheet_free(struct rs_sheet *sheet)
{
	for (size_t i = 0; i < sheet->n_rows * sheet->n_columns; i++)
		free((char *)(uintptr_t)sheet->cells[i]);
	free(sheet->cells);
	free((struct rs_sheet_column *)(uintptr_t)sheet->columns);
	*sheet = (struct rs_sheet){0};
}
