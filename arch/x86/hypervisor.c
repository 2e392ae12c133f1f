#include <cpuid.h>
#include <string.h>

#include "arch/arch.h"

#define LEAF_HYPERVISOR 0x40000000

/*
 * CPUID leaf 1, ECX bit 31 is zero on every processor and set by hypervisors; leaf
 * 0x40000000 then holds their signature (Linux, Documentation/virt/kvm/x86/cpuid.rst).
 * That leaf is beyond the basic range, so it is read without __get_cpuid's limit check.
 */
bool rs_hypervisor_id(char id[RS_HYPERVISOR_ID_BYTES])
{
	unsigned int eax = 0;
	unsigned int words[3] = {0};
	unsigned int ecx = 0;
	unsigned int edx = 0;
	unsigned int ebx = 0;
	id[0] = '\0';
	if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !(ecx >> 31))
		return false;
	__cpuid(LEAF_HYPERVISOR, eax, words[0], words[1], words[2]);
	memcpy(id, words, sizeof(words));
	id[sizeof(words)] = '\0';
	return id[0] != '\0';
}
