#include <stddef.h>
#include <sys/auxv.h>

#include "tests/kernels/wrong.h"

/* clang-format off */
#define EACH_GPR(X)                                                                    \
	X(r14) X(r15) X(r16) X(r17) X(r18) X(r19) X(r20) X(r21) X(r22)                 \
	X(r23) X(r24) X(r25) X(r26) X(r27) X(r28) X(r29) X(r30) X(r31)
#define EACH_FPR(X)                                                                    \
	X(f14) X(f15) X(f16) X(f17) X(f18) X(f19) X(f20) X(f21) X(f22)                 \
	X(f23) X(f24) X(f25) X(f26) X(f27) X(f28) X(f29) X(f30) X(f31)
#define EACH_VR(X)                                                                     \
	X(v20) X(v21) X(v22) X(v23) X(v24) X(v25) X(v26) X(v27) X(v28)                 \
	X(v29) X(v30) X(v31)

#define DECLARED(name) RS_WRONG(name);
#define GPR_ROW(name) RS_WRONG_ROW(name, #name),
#define FPR_ROW(name) RS_WRONG_WHERE(name, "f14 to f31", has_fpu),
#define VR_ROW(name)  RS_WRONG_WHERE(name, "v20 to v31", has_vector),
/* clang-format on */

EACH_GPR(DECLARED)
EACH_FPR(DECLARED)
EACH_VR(DECLARED)
RS_WRONG(r2);
RS_WRONG(r13);
RS_WRONG(cr2);
RS_WRONG(cr3);
RS_WRONG(cr4);
RS_WRONG(vrsave);
RS_WRONG(takes_from_stack);

static bool has_fpu(void)
{
	return getauxval(AT_HWCAP) & PPC_FEATURE_HAS_FPU;
}

static bool has_vector(void)
{
	return getauxval(AT_HWCAP) & PPC_FEATURE_HAS_ALTIVEC;
}

const struct rs_wrong rs_wrong[] = {
    RS_WRONG_EVERYWHERE,
    EACH_GPR(GPR_ROW) EACH_FPR(FPR_ROW) EACH_VR(VR_ROW) RS_WRONG_ROW(r2, "r2"),
    RS_WRONG_ROW(r13, "r13"),
    RS_WRONG_ROW(cr2, "cr2"),
    RS_WRONG_ROW(cr3, "cr3"),
    RS_WRONG_ROW(cr4, "cr4"),
    RS_WRONG_WHERE(vrsave, "vrsave", has_vector),
    RS_WRONG_ROW(takes_from_stack, "stack pointer"),
    {.name = NULL},
};
