#include "arch/arch.h"

/*
 * A read of the counter may be made early, like a load of anything; isb waits for what
 * precedes it (Arm ARM, "The Generic Timer in AArch64 state", on reads of CNTVCT_EL0).
 */
uint64_t rs_ticks(void)
{
	uint64_t ticks;
	__asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(ticks) : : "memory");
	return ticks;
}

const char *rs_ticks_name(void)
{
	return "cntvct_el0";
}
