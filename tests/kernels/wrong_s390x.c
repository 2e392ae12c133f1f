#include <stddef.h>

#include "tests/kernels/wrong.h"

RS_WRONG(r6);
RS_WRONG(r7);
RS_WRONG(r8);
RS_WRONG(r9);
RS_WRONG(r10);
RS_WRONG(r11);
RS_WRONG(r12);
RS_WRONG(r13);
RS_WRONG(f8);
RS_WRONG(f9);
RS_WRONG(f10);
RS_WRONG(f11);
RS_WRONG(f12);
RS_WRONG(f13);
RS_WRONG(f14);
RS_WRONG(f15);
RS_WRONG(a0);
RS_WRONG(a1);
RS_WRONG(program_mask);
RS_WRONG(takes_from_stack);
RS_WRONG(back_chain);

const struct rs_wrong rs_wrong[] = {
    RS_WRONG_EVERYWHERE,
    RS_WRONG_ROW(r6, "r6"),
    RS_WRONG_ROW(r7, "r7"),
    RS_WRONG_ROW(r8, "r8"),
    RS_WRONG_ROW(r9, "r9"),
    RS_WRONG_ROW(r10, "r10"),
    RS_WRONG_ROW(r11, "r11"),
    RS_WRONG_ROW(r12, "r12"),
    RS_WRONG_ROW(r13, "r13"),
    RS_WRONG_ROW(f8, "f8 to f15"),
    RS_WRONG_ROW(f9, "f8 to f15"),
    RS_WRONG_ROW(f10, "f8 to f15"),
    RS_WRONG_ROW(f11, "f8 to f15"),
    RS_WRONG_ROW(f12, "f8 to f15"),
    RS_WRONG_ROW(f13, "f8 to f15"),
    RS_WRONG_ROW(f14, "f8 to f15"),
    RS_WRONG_ROW(f15, "f8 to f15"),
    RS_WRONG_ROW(a0, "a0 and a1"),
    RS_WRONG_ROW(a1, "a0 and a1"),
    RS_WRONG_ROW(program_mask, "program mask"),
    RS_WRONG_ROW(takes_from_stack, "stack pointer"),
    RS_WRONG_ROW(back_chain, "stack above the frame"),
    {.name = NULL},
};
