#include "arch/arch.h"

/*
 * stckf, unlike stck, does not serialise; bcr 15,0 does, and waits for what precedes it
 * (Principles of Operation, chapter 7, STORE CLOCK FAST and BRANCH ON CONDITION).
 */
uint64_t rs_ticks(void)
{
	uint64_t ticks;
	__asm__ volatile("bcr 15, 0\n\tstckf %0" : "=Q"(ticks) : : "cc", "memory");
	return ticks;
}

const char *rs_ticks_name(void)
{
	return "stckf";
}
