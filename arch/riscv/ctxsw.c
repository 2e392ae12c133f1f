#include "arch/rows.h"

/* clang-format off */

#pragma GCC visibility push(hidden)
RS_K_PLAIN(vcall);
RS_K_FRAMED(returns_below);
RS_K_FRAMED(returns_beside);
#pragma GCC visibility pop

static const struct rs_kernel hand_over = {
    RS_K_PLAIN_CODE(vcall),
    .counts = RS_PLAIN_COUNTS(7, 2, 1, 1, 0),
};

RS_RETURNS_KERNEL(7, 6, below);
RS_RETURNS_KERNEL(7, 6, beside);

const struct rs_variant rs_ctxsw_rows[] = {
    RS_CTXSW_ROWS("threads", "a thread", false)
    RS_CTXSW_ROWS("processes", "a process", true)
    {.name = NULL},
};

const struct rs_variant rs_returns_rows[] = {
    RS_RETURNS_ROWS("threads", "a thread", false)
    RS_RETURNS_ROWS("processes", "a process", true)
    {.name = NULL},
};
