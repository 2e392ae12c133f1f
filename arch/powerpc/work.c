#include "arch/powerpc/clockread.h"

#include "arch/rows.h"

#ifdef __powerpc64__
#define MORE_LOADS 0
#else
#define MORE_LOADS 8 /* of a line */
#endif

#if defined(_CALL_ELF) && _CALL_ELF == 1
#define DESCRIPTOR_LOADS 3
#else
#define DESCRIPTOR_LOADS 0
#endif

/* clang-format off */

#define WORK(id, n, n_branches, n_calls)                                               \
	RS_WORK_KERNEL(id, (n) + MORE_LOADS, n_branches, n_calls)

#define DECLARED(id, name, n, text) RS_WORK_READ_DECLARED(id)
#define KERNEL(id, name, n, text)                                                      \
	RS_WORK_READ_KERNEL(                                                           \
	    id,                                                                        \
	    32 + READ_INSTRUCTIONS + TICKS_INSTRUCTIONS + (n) + MORE_LOADS,            \
	    6 + READ_BRANCHES + TICKS_BRANCHES, 1)
#define ROW(id, row_name, n, row_text)                                                 \
	{.name = row_name, .text = row_text, .kernel = &work_##id,                     \
	 .effect = RS_EFFECT_EXEMPT},

#pragma GCC visibility push(hidden)
RS_K_PLAIN(work_none);
RS_K_PLAIN(work_vdso);
RS_K_PLAIN(work_libc);
RS_K_PLAIN(work_syscall);
RS_CLOCKREAD_FORMS(DECLARED)
#pragma GCC visibility pop

WORK(none, 17, 2, 0);
WORK(vdso, 27, 4, 1);
WORK(libc, 27 + DESCRIPTOR_LOADS, 4, 1);
WORK(syscall, 26, 3, 0);

RS_CLOCKREAD_FORMS(KERNEL)

const struct rs_variant rs_work_rows[] = {
    RS_WORK_ROWS(&work_vdso, &work_libc)
    RS_CLOCKREAD_FORMS(ROW)
    {.name = NULL},
};
