#ifndef TESTS_KERNELS_DYING_H
#define TESTS_KERNELS_DYING_H

#include "arch/arch.h"

/*
 * An ISA whose one family, getpc, has good kernels ("good", the baseline, and "fine")
 * and such as do not come back: "ud2" and "null" crash, "late" in its 500th call of a
 * process, "back" reads a counter that runs backwards, "lazy" says 0
 * calls, "exit" ends the process with status 3, "kill" with SIGKILL, "hang" never.
 */
extern const struct rs_isa rs_dying_isa;

#endif
