#include "src/base/reading.h"

static const char *const status_names[RS_N_STATUS] = {
    [RS_STATUS_OK] = "ok",
    [RS_STATUS_NOT_SUPPORTED] = "not-supported",
    [RS_STATUS_NOT_PERMITTED] = "not-permitted",
    [RS_STATUS_NOT_COUNTED] = "not-counted",
    [RS_STATUS_MULTIPLEXED] = "multiplexed",
    [RS_STATUS_FAILED] = "failed",
    [RS_STATUS_UNTRUSTED] = "untrusted",
};

const char *rs_status_name(enum rs_status status)
{
	return status_names[status];
}

bool rs_reading_is_valid(const struct rs_reading *reading)
{
	return reading->status == RS_STATUS_OK;
}

static enum rs_status status_between(const struct rs_reading *before,
				     const struct rs_reading *after,
				     const struct rs_reading *diff)
{
	if (before->status != RS_STATUS_OK)
		return before->status;
	if (after->status != RS_STATUS_OK)
		return after->status;
	if (after->value < before->value ||
	    after->time_enabled_ns < before->time_enabled_ns ||
	    after->time_running_ns < before->time_running_ns ||
	    diff->time_running_ns > diff->time_enabled_ns)
		return RS_STATUS_FAILED;
	if (diff->time_enabled_ns == 0)
		return RS_STATUS_OK;
	if (diff->time_running_ns == 0)
		return RS_STATUS_NOT_COUNTED;
	if (diff->time_running_ns < diff->time_enabled_ns)
		return RS_STATUS_MULTIPLEXED;
	return RS_STATUS_OK;
}

struct rs_reading rs_reading_between(const struct rs_reading *before,
				     const struct rs_reading *after)
{
	struct rs_reading diff = {
	    .value = after->value - before->value,
	    .time_enabled_ns = after->time_enabled_ns - before->time_enabled_ns,
	    .time_running_ns = after->time_running_ns - before->time_running_ns,
	};
	diff.status = status_between(before, after, &diff);
	return diff;
}
