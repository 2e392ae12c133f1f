#include "arch/arch.h"

/*
 * The fence keeps the reading, to it a device input, after the memory accesses before
 * it (unprivileged specification, Zicsr, CSR Access Ordering). Nothing at user level
 * waits for other instructions.
 */
uint64_t rs_ticks(void)
{
	uint64_t ticks;
	__asm__ volatile("fence iorw, i\n\trdtime %0" : "=r"(ticks) : : "memory");
	return ticks;
}

const char *rs_ticks_name(void)
{
	return "rdtime";
}
