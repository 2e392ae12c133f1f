#include "tests/kernels/target.h"

/* A static program under a user-mode emulator has no vDSO. */
uintptr_t rs_target_vdso(const char *function)
{
	(void)function;
	return 0;
}
