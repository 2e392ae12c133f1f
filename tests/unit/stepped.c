/*
 * A program for test_stepper to execute: it runs a kernel, whose counts are in its row,
 * and little else.
 */

#include "arch/arch.h"
#include "tests/unit/stepped.h"

int main(void)
{
	const struct rs_family *const family = rs_isa_family(rs_isa_host(), "getpc");
	unsigned long kargs[RS_N_KARGS] = {[RS_KARG_CALLS] = STEPPED_CALLS};
	rs_kernel_call(family->variants->kernel->entry[STEPPED_FRAMES], kargs);
	return STEPPED_EXIT;
}
