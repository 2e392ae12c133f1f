#include "arch/arch.h"

#include <stddef.h>

/*
 * rdtsc alone may be executed before earlier instructions are: lfence waits for them
 * (Intel SDM volume 2B, RDTSC; AMD APM volume 3, LFENCE, dispatch serialising as Linux
 * sets it up). rdtscp waits as well, but not every CPU and hypervisor has it.
 */
uint64_t rs_ticks(void)
{
	uint32_t low;
	uint32_t high;
	__asm__ volatile("lfence\n\trdtsc" : "=a"(low), "=d"(high) : : "memory");
	return (uint64_t)high << 32 | low;
}

const char *rs_ticks_name(void)
{
	return "rdtsc";
}
