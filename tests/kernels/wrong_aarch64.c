#include <stddef.h>

#include "tests/kernels/wrong.h"

RS_WRONG(x19);
RS_WRONG(x20);
RS_WRONG(x21);
RS_WRONG(x22);
RS_WRONG(x23);
RS_WRONG(x24);
RS_WRONG(x25);
RS_WRONG(x26);
RS_WRONG(x27);
RS_WRONG(x28);
RS_WRONG(x29);
RS_WRONG(d8);
RS_WRONG(d9);
RS_WRONG(d10);
RS_WRONG(d11);
RS_WRONG(d12);
RS_WRONG(d13);
RS_WRONG(d14);
RS_WRONG(d15);
RS_WRONG(fpcr);
RS_WRONG(tpidr_el0);
RS_WRONG(takes_from_stack);

const struct rs_wrong rs_wrong[] = {
    RS_WRONG_EVERYWHERE,
    RS_WRONG_ROW(x19, "x19"),
    RS_WRONG_ROW(x20, "x20"),
    RS_WRONG_ROW(x21, "x21"),
    RS_WRONG_ROW(x22, "x22"),
    RS_WRONG_ROW(x23, "x23"),
    RS_WRONG_ROW(x24, "x24"),
    RS_WRONG_ROW(x25, "x25"),
    RS_WRONG_ROW(x26, "x26"),
    RS_WRONG_ROW(x27, "x27"),
    RS_WRONG_ROW(x28, "x28"),
    RS_WRONG_ROW(x29, "x29"),
    RS_WRONG_ROW(d8, "d8 to d15"),
    RS_WRONG_ROW(d9, "d8 to d15"),
    RS_WRONG_ROW(d10, "d8 to d15"),
    RS_WRONG_ROW(d11, "d8 to d15"),
    RS_WRONG_ROW(d12, "d8 to d15"),
    RS_WRONG_ROW(d13, "d8 to d15"),
    RS_WRONG_ROW(d14, "d8 to d15"),
    RS_WRONG_ROW(d15, "d8 to d15"),
    RS_WRONG_ROW(fpcr, "fpcr"),
    RS_WRONG_ROW(tpidr_el0, "tpidr_el0"),
    RS_WRONG_ROW(takes_from_stack, "stack pointer"),
    {.name = NULL},
};
