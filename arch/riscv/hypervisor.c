#include "arch/arch.h"

bool rs_hypervisor_id(char id[RS_HYPERVISOR_ID_BYTES])
{
	id[0] = '\0';
	return false;
}
