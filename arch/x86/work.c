#include "arch/x86/clockread.h"

#include "arch/rows.h"

/* clang-format off */

#define DECLARED(id, name, n, text, missing) RS_WORK_READ_DECLARED(id)
#define KERNEL(id, name, n, text, missing) RS_WORK_READ_KERNEL(id, 51 + (n), 8, 0)
#define ROW(id, row_name, n, row_text, why)                                            \
	{.name = row_name, .text = row_text, .kernel = &work_##id, .missing = why},

#pragma GCC visibility push(hidden)
RS_K_PLAIN(work_none);
RS_K_PLAIN(work_target);
RS_K_PLAIN(work_syscall);
RS_CLOCKREAD_FORMS(DECLARED)
#pragma GCC visibility pop

RS_WORK_KERNEL(none, 15, 2, 0);
RS_WORK_KERNEL(target, 22, 4, 1);
RS_WORK_KERNEL(syscall, 23, 3, 0);

RS_CLOCKREAD_FORMS(KERNEL)

const struct rs_variant rs_work_rows[] = {
    RS_WORK_ROWS(&work_target, &work_target)
    RS_CLOCKREAD_FORMS(ROW)
    {.name = NULL},
};
