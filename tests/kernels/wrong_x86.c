#include <stddef.h>

#include "tests/kernels/wrong.h"

RS_WRONG(rbx);
RS_WRONG(rbp);
RS_WRONG(r12);
RS_WRONG(r13);
RS_WRONG(r14);
RS_WRONG(r15);
RS_WRONG(takes_from_stack);
RS_WRONG(overwrites_return_address);
RS_WRONG(direction_flag);
RS_WRONG(mxcsr);
RS_WRONG(x87);

const struct rs_wrong rs_wrong[] = {
    RS_WRONG_EVERYWHERE,
    RS_WRONG_ROW(rbx, "rbx"),
    RS_WRONG_ROW(rbp, "rbp"),
    RS_WRONG_ROW(r12, "r12"),
    RS_WRONG_ROW(r13, "r13"),
    RS_WRONG_ROW(r14, "r14"),
    RS_WRONG_ROW(r15, "r15"),
    RS_WRONG_ROW(takes_from_stack, "stack pointer"),
    RS_WRONG_ROW(overwrites_return_address, "return address"),
    RS_WRONG_ROW(direction_flag, "direction flag"),
    RS_WRONG_ROW(mxcsr, "mxcsr"),
    RS_WRONG_ROW(x87, "x87 control word"),
    {.name = NULL},
};
