#ifndef SRC_BASE_READING_H
#define SRC_BASE_READING_H

#include <stdbool.h>
#include <stdint.h>

/* What is known about one counter value, or about whether an event can be counted. */
enum rs_status {
	RS_STATUS_OK,
	RS_STATUS_NOT_SUPPORTED, /* this machine, PMU or kernel lacks it */
	RS_STATUS_NOT_PERMITTED, /* it exists, but this process may not count it */
	RS_STATUS_NOT_COUNTED,   /* enabled, but it never ran */
	RS_STATUS_MULTIPLEXED,   /* it ran only part of the time */
	RS_STATUS_FAILED,        /* open, enable or read failed for another reason */
	RS_STATUS_UNTRUSTED,     /* implausible against what the code is known to do */
	RS_N_STATUS
};

/* The word for a status as files and tables spell it: "ok", "not-supported", ... */
const char *rs_status_name(enum rs_status status);

/*
 * One event in one repetition. value is a count (or ns, or ticks) and means something
 * only while rs_reading_is_valid; the times are in ns.
 */
struct rs_reading {
	uint64_t value;
	uint64_t time_enabled_ns;
	uint64_t time_running_ns;
	enum rs_status status;
};

bool rs_reading_is_valid(const struct rs_reading *reading);

/*
 * What was counted between two readings of the same running counter. The status is
 * derived: failed where a value or time went backwards or running exceeds enabled,
 * not-counted where it never ran, multiplexed where it ran part of the time.
 */
struct rs_reading rs_reading_between(const struct rs_reading *before,
				     const struct rs_reading *after);

#endif
