#include "src/clockid.h"

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "src/base/text.h"

#define LIBC_PREFIX "CLOCK_"

static const struct rs_operand clocks[] = {
    {.name = "realtime", .id = CLOCK_REALTIME},
    {.name = "monotonic", .id = CLOCK_MONOTONIC},
    {.name = "monotonic_raw", .id = CLOCK_MONOTONIC_RAW},
    {.name = "realtime_coarse", .id = CLOCK_REALTIME_COARSE},
    {.name = "monotonic_coarse", .id = CLOCK_MONOTONIC_COARSE},
    {.name = "boottime", .id = CLOCK_BOOTTIME},
    {.name = "tai", .id = CLOCK_TAI},
    {.name = "process_cputime_id", .id = CLOCK_PROCESS_CPUTIME_ID},
    {.name = "thread_cputime_id", .id = CLOCK_THREAD_CPUTIME_ID},
    {.name = "realtime_alarm", .id = CLOCK_REALTIME_ALARM},
    {.name = "boottime_alarm", .id = CLOCK_BOOTTIME_ALARM},
    {.name = NULL},
};

const struct rs_operand *rs_clocks(void)
{
	return clocks;
}

const struct rs_operand *rs_clock_find(const char *text)
{
	uint64_t id = 0;
	const bool is_number = rs_text_u64(text, 0, INT_MAX, &id) == 0;
	const size_t n = strlen(LIBC_PREFIX);
	const char *const name =
	    strncasecmp(text, LIBC_PREFIX, n) == 0 ? text + n : text;
	for (const struct rs_operand *clock = clocks; clock->name; clock++) {
		if (is_number ? clock->id == (int)id
			      : strcasecmp(clock->name, name) == 0)
			return clock;
	}
	return NULL;
}
