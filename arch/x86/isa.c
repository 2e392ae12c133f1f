#include "arch/arch.h"

#include <stddef.h>

/* A host without a folder of its own: every row is there, with the reason. */
static const struct rs_family families[] = {{.name = NULL}};

static const struct rs_isa x86 = {
    .name = "x86-64",
    .vdso_prefix = "__vdso_",
    .vdso_version = "",
    .families = families,
    .absent = "retstack has no kernels for this instruction set yet",
};

const struct rs_isa *rs_isa_host(void)
{
	return &x86;
}

unsigned long rs_kernel_call(const void *entry, unsigned long *kargs)
{
	unsigned long (*const call)(unsigned long *) =
	    (unsigned long (*)(unsigned long *))(uintptr_t)entry;
	return call(kargs);
}

long rs_vdso_call(const void *function, unsigned long arg0, unsigned long arg1,
		  unsigned long arg2)
{
	long (*const call)(unsigned long, unsigned long, unsigned long) =
	    (long (*)(unsigned long, unsigned long, unsigned long))(uintptr_t)function;
	return call(arg0, arg1, arg2);
}

uint64_t rs_ticks(void)
{
	return 0;
}

const char *rs_ticks_name(void)
{
	return NULL;
}
