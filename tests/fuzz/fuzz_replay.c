/* Replay files: parsed, and played where they parse. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "events/events.h"
#include "events/replay.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Plans and measures a fixed list against whatever the file says. */
static void play(struct rs_backend *backend)
{
	static struct rs_event_list list;
	static struct rs_reading readings[RS_MAX_EVENTS];
	static struct rs_alias_table *aliases;
	struct rs_err err;
	struct rs_group *group = NULL;
	struct rs_watch *watch = NULL;
	if (!aliases && rs_alias_table_load(NULL, &aliases, &err))
		abort();
	list.n_events = 0;
	if (rs_event_list_add(&list, "cycles,instructions,r1234", aliases, backend, 0,
			      &err) ||
	    rs_event_list_plan(&list, backend, 0, &err))
		return;
	if (rs_group_open(&group, &list, 0, backend, 0, &err) == 0) {
		rs_group_begin(group, "getpc/lea/3/0");
		rs_group_end(group, readings);
		rs_group_close(group);
	}
	if (rs_watch_open(&watch, backend, &err) == 0) {
		rs_watch_begin(watch, "getpc/lea/3/0");
		if (rs_watch_end(watch, 0) >= RS_N_DISTURBANCE)
			abort();
		rs_watch_close(watch);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rs_replay *replay = NULL;
	struct rs_err err = {""};
	const char *const text = size ? (const char *)data : "";
	if (rs_replay_parse("fuzz.replay", text, size, &replay, &err)) {
		if (!err.text[0])
			abort();
		return 0;
	}
	struct rs_backend *const backend = rs_backend_of_replay(replay);
	if (!backend) {
		rs_replay_free(replay);
		return 0;
	}
	play(backend);
	rs_backend_free(backend);
	return 0;
}
