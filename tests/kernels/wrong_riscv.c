#include <stddef.h>

#include "tests/kernels/wrong.h"

RS_WRONG(s0);
RS_WRONG(s1);
RS_WRONG(s2);
RS_WRONG(s3);
RS_WRONG(s4);
RS_WRONG(s5);
RS_WRONG(s6);
RS_WRONG(s7);
RS_WRONG(s8);
RS_WRONG(s9);
RS_WRONG(s10);
RS_WRONG(s11);
RS_WRONG(gp);
RS_WRONG(tp);
RS_WRONG(fs0);
RS_WRONG(fs1);
RS_WRONG(fs2);
RS_WRONG(fs3);
RS_WRONG(fs4);
RS_WRONG(fs5);
RS_WRONG(fs6);
RS_WRONG(fs7);
RS_WRONG(fs8);
RS_WRONG(fs9);
RS_WRONG(fs10);
RS_WRONG(fs11);
RS_WRONG(rounding);
RS_WRONG(takes_from_stack);
RS_WRONG(returns_further_past);

const struct rs_wrong rs_wrong[] = {
    RS_WRONG_EVERYWHERE,
    RS_WRONG_ROW(s0, "s0"),
    RS_WRONG_ROW(s1, "s1"),
    RS_WRONG_ROW(s2, "s2"),
    RS_WRONG_ROW(s3, "s3"),
    RS_WRONG_ROW(s4, "s4"),
    RS_WRONG_ROW(s5, "s5"),
    RS_WRONG_ROW(s6, "s6"),
    RS_WRONG_ROW(s7, "s7"),
    RS_WRONG_ROW(s8, "s8"),
    RS_WRONG_ROW(s9, "s9"),
    RS_WRONG_ROW(s10, "s10"),
    RS_WRONG_ROW(s11, "s11"),
    RS_WRONG_ROW(gp, "gp"),
    RS_WRONG_ROW(tp, "tp"),
    RS_WRONG_ROW(fs0, "fs0 to fs11"),
    RS_WRONG_ROW(fs1, "fs0 to fs11"),
    RS_WRONG_ROW(fs2, "fs0 to fs11"),
    RS_WRONG_ROW(fs3, "fs0 to fs11"),
    RS_WRONG_ROW(fs4, "fs0 to fs11"),
    RS_WRONG_ROW(fs5, "fs0 to fs11"),
    RS_WRONG_ROW(fs6, "fs0 to fs11"),
    RS_WRONG_ROW(fs7, "fs0 to fs11"),
    RS_WRONG_ROW(fs8, "fs0 to fs11"),
    RS_WRONG_ROW(fs9, "fs0 to fs11"),
    RS_WRONG_ROW(fs10, "fs0 to fs11"),
    RS_WRONG_ROW(fs11, "fs0 to fs11"),
    RS_WRONG_ROW(rounding, "rounding mode"),
    RS_WRONG_ROW(takes_from_stack, "stack pointer"),
    RS_WRONG_ROW(returns_further_past, "return address"),
    {.name = NULL},
};
