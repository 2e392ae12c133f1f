#include <stddef.h>
#include <sys/auxv.h>

#include "arch/rows.h"

/* Linux, arch/s390/include/asm/elf.h: the vector facility, and that Linux saves it. */
#define HWCAP_BIT_VXRS (1UL << 11)

static const char *vector_missing(void)
{
	return getauxval(AT_HWCAP) & HWCAP_BIT_VXRS
		   ? NULL
		   : "this processor has no vector registers (HWCAP_S390_VXRS)";
}

/* Every processor with z/Architecture has floating-point registers. */
static void write_fp(void)
{
	__asm__ volatile("lzdr %%f0" : : : "f0");
}

/* The upper 16 are no floating-point registers, and the callee's to write. */
static void write_vector(void)
{
	__asm__ volatile(".machine push\n\t"
			 ".machine z13\n\t"
			 "vaf %%v16, %%v16, %%v16\n\t"
			 ".machine pop"
			 :
			 :
			 : "v16");
}

const struct rs_registers rs_registers[] = {
    {.touch = RS_TOUCH_FP, .write = write_fp},
    {.touch = RS_TOUCH_VECTOR, .write = write_vector, .missing = vector_missing},
    {.touch = 0},
};
