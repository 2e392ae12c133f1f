#include "arch/rows.h"

/* clang-format off */

#pragma GCC visibility push(hidden)
RS_K_PLAIN(lcall);
RS_K_FRAMED(returns_below);
RS_K_FRAMED(returns_beside);
#pragma GCC visibility pop

/* On ELFv1 a call of C loads three words from a descriptor (target.inc). */
#if defined(_CALL_ELF) && _CALL_ELF == 1
#define REST 12
#else
#define REST 9
#endif

static const struct rs_kernel hand_over = {
    RS_K_PLAIN_CODE(lcall),
    .counts = RS_PLAIN_COUNTS(REST, 2, 1, 1, 0),
};

RS_RETURNS_KERNEL(REST, 8, below);
RS_RETURNS_KERNEL(REST, 8, beside);

const struct rs_variant rs_ctxsw_rows[] = {
    RS_CTXSW_ROWS("threads", "a thread", false)
    RS_CTXSW_ROW("threads", "+altivec", false, RS_TOUCH_ALTIVEC, rs_altivec_missing,
		 "the same; each writes an AltiVec register every turn")
    RS_CTXSW_ROWS("processes", "a process", true)
    RS_CTXSW_ROW("processes", "+altivec", true, RS_TOUCH_ALTIVEC, rs_altivec_missing,
		 "the same; each writes an AltiVec register every turn")
    {.name = NULL},
};

const struct rs_variant rs_returns_rows[] = {
    RS_RETURNS_ROWS("threads", "a thread", false)
    RS_RETURNS_ROWS("processes", "a process", true)
    {.name = NULL},
};
