#include <stddef.h>
#include <sys/auxv.h>

#include "arch/rows.h"

/* Linux, Documentation/arch/arm64/elf_hwcaps.rst. */
#define HWCAP_BIT_FP    (1UL << 0)
#define HWCAP_BIT_ASIMD (1UL << 1)

static const char *fp_missing(void)
{
	return getauxval(AT_HWCAP) & HWCAP_BIT_FP
		   ? NULL
		   : "this processor has no floating-point registers (HWCAP_FP)";
}

static const char *vector_missing(void)
{
	return getauxval(AT_HWCAP) & HWCAP_BIT_ASIMD
		   ? NULL
		   : "this processor has no vector registers (HWCAP_ASIMD)";
}

/* d0 and v0 are one register of one file: a switch saves all of it for either. */

static void write_fp(void)
{
	__asm__ volatile("fmov d0, #1.0" : : : "v0");
}

static void write_vector(void)
{
	__asm__ volatile("add v0.4s, v0.4s, v0.4s" : : : "v0");
}

const struct rs_registers rs_registers[] = {
    {.touch = RS_TOUCH_FP, .write = write_fp, .missing = fp_missing},
    {.touch = RS_TOUCH_VECTOR, .write = write_vector, .missing = vector_missing},
    {.touch = 0},
};
