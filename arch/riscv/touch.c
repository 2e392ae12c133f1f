#include <stddef.h>
#include <sys/auxv.h>

#include "arch/rows.h"

/* One bit for each single-letter extension (Linux,
 * arch/riscv/include/uapi/asm/hwcap.h).
 */
#define HAS_EXTENSION(letter) (getauxval(AT_HWCAP) & 1UL << ((letter) - 'A'))

static const char *fp_missing(void)
{
	return HAS_EXTENSION('D')
		   ? NULL
		   : "this processor has no floating-point registers (extension D)";
}

static const char *vector_missing(void)
{
	return HAS_EXTENSION('V')
		   ? NULL
		   : "this processor has no vector registers (extension V)";
}

static void write_fp(void)
{
	__asm__ volatile("fmv.d.x ft0, zero" : : : "ft0");
}

/*
 * All vector registers are the callee's to write; compilers that know of none accept no
 * name of one.
 */
static void write_vector(void)
{
	__asm__ volatile(".option push\n\t"
			 ".option arch, +v\n\t"
			 "vsetivli zero, 4, e32, m1, ta, ma\n\t"
			 "vadd.vv v8, v8, v8\n\t"
			 ".option pop"
			 :
			 :
			 : "memory");
}

const struct rs_registers rs_registers[] = {
    {.touch = RS_TOUCH_FP, .write = write_fp, .missing = fp_missing},
    {.touch = RS_TOUCH_VECTOR, .write = write_vector, .missing = vector_missing},
    {.touch = 0},
};
