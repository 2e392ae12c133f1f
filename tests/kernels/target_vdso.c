#include <dlfcn.h>
#include <stdio.h>

#include "arch/arch.h"
#include "tests/kernels/target.h"

static const char *const images[] = {"linux-vdso.so.1", "linux-vdso64.so.1"};

uintptr_t rs_target_vdso(const char *function)
{
	char name[64];
	snprintf(name, sizeof(name), "%s%s", rs_isa_host()->vdso_prefix, function);
	for (size_t i = 0; i < sizeof(images) / sizeof(images[0]); i++) {
		void *const image = dlopen(images[i], RTLD_LAZY | RTLD_NOLOAD);
		if (image)
			return (uintptr_t)dlsym(image, name);
	}
	return 0;
}
