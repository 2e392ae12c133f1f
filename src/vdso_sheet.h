#ifndef SRC_VDSO_SHEET_H
#define SRC_VDSO_SHEET_H

#include "arch/arch.h"
#include "src/base/err.h"
#include "src/model.h"
#include "src/vdso.h"

/*
 * The table of `list vdso`: a row per function of the vDSO, per clock id where it
 * takes one, with the oracle's verdict; and a row per workload whose function is
 * absent. Asks the oracle, so it forks once per row.
 *
 * vdso may be an empty object where rs_vdso_open failed; why is then its sentence,
 * which becomes a note (NULL: none). Returns 0 or -ENOMEM with a sentence; free with
 * rs_vdso_sheet_free. The strings do not depend on vdso, which may be closed.
 */
int rs_vdso_sheet_make(struct rs_sheet *out, const struct rs_vdso *vdso,
		       const struct rs_isa *isa, const char *why, struct rs_err *err);

/* Accepts an empty object and leaves it empty. */
void rs_vdso_sheet_free(struct rs_sheet *sheet);

#endif
