#include <stddef.h>

#include "tests/kernels/wrong.h"

/* The 32-bit base ABI has no vector registers that a callee keeps. */
#define VECTORS (sizeof(long) == 8 ? "v20 to v31" : "")

RS_WRONG(r14);
RS_WRONG(r15);
RS_WRONG(r16);
RS_WRONG(r17);
RS_WRONG(r18);
RS_WRONG(r19);
RS_WRONG(r20);
RS_WRONG(r21);
RS_WRONG(r22);
RS_WRONG(r23);
RS_WRONG(r24);
RS_WRONG(r25);
RS_WRONG(r26);
RS_WRONG(r27);
RS_WRONG(r28);
RS_WRONG(r29);
RS_WRONG(r30);
RS_WRONG(r31);
RS_WRONG(r2);
RS_WRONG(r13);
RS_WRONG(cr2);
RS_WRONG(cr3);
RS_WRONG(cr4);
RS_WRONG(f14);
RS_WRONG(f31);
RS_WRONG(takes_from_stack);
RS_WRONG(v20);
RS_WRONG(v31);

const struct rs_wrong rs_wrong[] = {
    RS_WRONG_EVERYWHERE,
    RS_WRONG_ROW(r14, "r14"),
    RS_WRONG_ROW(r15, "r15"),
    RS_WRONG_ROW(r16, "r16"),
    RS_WRONG_ROW(r17, "r17"),
    RS_WRONG_ROW(r18, "r18"),
    RS_WRONG_ROW(r19, "r19"),
    RS_WRONG_ROW(r20, "r20"),
    RS_WRONG_ROW(r21, "r21"),
    RS_WRONG_ROW(r22, "r22"),
    RS_WRONG_ROW(r23, "r23"),
    RS_WRONG_ROW(r24, "r24"),
    RS_WRONG_ROW(r25, "r25"),
    RS_WRONG_ROW(r26, "r26"),
    RS_WRONG_ROW(r27, "r27"),
    RS_WRONG_ROW(r28, "r28"),
    RS_WRONG_ROW(r29, "r29"),
    RS_WRONG_ROW(r30, "r30"),
    RS_WRONG_ROW(r31, "r31"),
    RS_WRONG_ROW(r2, "r2"),
    RS_WRONG_ROW(r13, "r13"),
    RS_WRONG_ROW(cr2, "cr2"),
    RS_WRONG_ROW(cr3, "cr3"),
    RS_WRONG_ROW(cr4, "cr4"),
    RS_WRONG_ROW(f14, "f14 to f31"),
    RS_WRONG_ROW(f31, "f14 to f31"),
    RS_WRONG_ROW(takes_from_stack, "stack pointer"),
    RS_WRONG_ROW(v20, VECTORS),
    RS_WRONG_ROW(v31, VECTORS),
    {.name = NULL},
};
