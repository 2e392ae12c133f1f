#include "events/events.h"

const char *rs_event_default_list(void)
{
	return "cycles,instructions,branches,branch-misses,returns,return-misses";
}
