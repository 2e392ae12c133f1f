#include "arch/arch.h"

#include <stddef.h>

/* A host without a folder of its own: every row is there, with the reason. */
static const struct rs_family families[] = {{.name = NULL}};

static const struct rs_isa unknown = {
    .name = "unknown",
    .vdso_prefix = "__vdso_",
    .vdso_version = "",
    .families = families,
    .absent = "retstack has no kernels for this instruction set yet",
};

const struct rs_isa *rs_isa_host(void)
{
	return &unknown;
}

unsigned long rs_kernel_call(const void *entry, unsigned long *kargs)
{
	unsigned long (*const call)(unsigned long *) =
	    (unsigned long (*)(unsigned long *))(uintptr_t)entry;
	return call(kargs);
}

long rs_vdso_call(const void *function, const unsigned long args[RS_N_VDSO_ARGS])
{
	typedef long vdso_function(unsigned long, unsigned long, unsigned long,
				   unsigned long, unsigned long);
	vdso_function *const call = (vdso_function *)(uintptr_t)function;
	return call(args[0], args[1], args[2], args[3], args[4]);
}

uint64_t rs_ticks(void)
{
	return 0;
}

const char *rs_ticks_name(void)
{
	return NULL;
}
