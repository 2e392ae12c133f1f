#include "src/model.h"

const char *rs_row_state_name(enum rs_row_state state)
{
	static const char *const names[RS_N_ROW_STATE] = {
	    [RS_ROW_OK] = "ok",         [RS_ROW_ABSENT] = "absent",
	    [RS_ROW_BROKEN] = "broken", [RS_ROW_CRASHED] = "crashed",
	    [RS_ROW_ERROR] = "error",   [RS_ROW_PARTIAL] = "partial",
	};
	return names[state];
}

const char *rs_check_state_name(enum rs_check_state state)
{
	static const char *const names[RS_N_CHECK_STATE] = {
	    [RS_CHECK_GOOD] = "good",       [RS_CHECK_INFO] = "info",
	    [RS_CHECK_WARN] = "warn",       [RS_CHECK_BAD] = "bad",
	    [RS_CHECK_UNKNOWN] = "unknown",
	};
	return names[state];
}
