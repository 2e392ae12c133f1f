#include <stddef.h>
#include <sys/auxv.h>

#include "arch/rows.h"

/* Linux, arch/powerpc/include/uapi/asm/cputable.h. */
#define HWCAP_BIT_ALTIVEC 0x10000000UL
#define HWCAP_BIT_FPU     0x08000000UL
#define HWCAP_BIT_VSX     0x00000080UL

static const char *fp_missing(void)
{
	return getauxval(AT_HWCAP) & HWCAP_BIT_FPU
		   ? NULL
		   : "this processor has no floating-point registers "
		     "(PPC_FEATURE_HAS_FPU)";
}

static const char *altivec_missing(void)
{
	return getauxval(AT_HWCAP) & HWCAP_BIT_ALTIVEC
		   ? NULL
		   : "this processor has no AltiVec (PPC_FEATURE_HAS_ALTIVEC)";
}

static const char *vector_missing(void)
{
	return getauxval(AT_HWCAP) & HWCAP_BIT_VSX
		   ? NULL
		   : "this processor has no VSX (PPC_FEATURE_HAS_VSX)";
}

static void write_fp(void)
{
	__asm__ volatile("fmr 0, 0" : : : "fr0");
}

static void write_altivec(void)
{
	__asm__ volatile(".machine push\n\t"
			 ".machine power7\n\t"
			 "vadduwm 0, 0, 0\n\t"
			 ".machine pop"
			 :
			 :
			 : "v0");
}

/* VSR 32 is VR 0, reached through VSX; VSRs 0 to 31 hold the floating-point ones. */
static void write_vector(void)
{
	__asm__ volatile(".machine push\n\t"
			 ".machine power7\n\t"
			 "xxlxor 32, 32, 32\n\t"
			 ".machine pop"
			 :
			 :
			 : "v0");
}

const struct rs_registers rs_registers[] = {
    {.touch = RS_TOUCH_FP, .write = write_fp, .missing = fp_missing},
    {.touch = RS_TOUCH_ALTIVEC, .write = write_altivec, .missing = altivec_missing},
    {.touch = RS_TOUCH_VECTOR, .write = write_vector, .missing = vector_missing},
    {.touch = 0},
};
