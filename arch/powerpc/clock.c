#include "arch/arch.h"

/*
 * isync: mftb is not executed before what precedes it has completed (Power ISA 2.07,
 * book II, 4.4.1). A 32-bit program reads the halves, and again where the upper one
 * changed meanwhile.
 */
uint64_t rs_ticks(void)
{
#ifdef __powerpc64__
	uint64_t ticks;
	__asm__ volatile("isync\n\tmftb %0" : "=r"(ticks) : : "memory");
	return ticks;
#else
	uint32_t high;
	uint32_t low;
	uint32_t again;
	do {
		__asm__ volatile("isync\n\tmftbu %0\n\tmftb %1\n\tmftbu %2"
				 : "=&r"(high), "=&r"(low), "=&r"(again)
				 :
				 : "memory");
	} while (high != again);
	return (uint64_t)high << 32 | low;
#endif
}

const char *rs_ticks_name(void)
{
	return "mftb";
}
