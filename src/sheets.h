#ifndef SRC_SHEETS_H
#define SRC_SHEETS_H

/* The tables of `list`, but for the vDSO's (src/vdso_sheet.h). */

#include "src/base/err.h"
#include "src/model.h"

/*
 * Each fills out; returns 0 or a negative errno with a sentence. cpu is the CPU whose
 * PMU is meant; data_dir may be NULL. Free with rs_list_sheet_free.
 */
int rs_sheet_of_workloads(struct rs_sheet *out, struct rs_err *err);
int rs_sheet_of_variants(struct rs_sheet *out, struct rs_err *err);
int rs_sheet_of_events(struct rs_sheet *out, unsigned int cpu, const char *data_dir,
		       struct rs_err *err);
int rs_sheet_of_pmus(struct rs_sheet *out, struct rs_err *err);
int rs_sheet_of_presets(struct rs_sheet *out, unsigned int cpu, const char *data_dir,
			struct rs_err *err);

/* Accepts an empty object and leaves it empty. */
void rs_list_sheet_free(struct rs_sheet *sheet);

#endif
