#ifndef EVENTS_REPLAY_H
#define EVENTS_REPLAY_H

/* What a replay file says (docs/replay.md), and how far it has been played. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "events/events.h"
#include "src/base/err.h"

#define RS_REPLAY_NAME 160

struct rs_replay_host {
	char name[RS_REPLAY_NAME];
	char value[RS_REPLAY_NAME];
};

/* open and enable lines: what an event answers. */
struct rs_replay_answer {
	char event[RS_REPLAY_NAME];
	int open_code;   /* 0 or a negative errno */
	int enable_code; /* the same */
	bool refuses_hv; /* -EINVAL while exclude_hv is asked for */
};

/* One value of a read line, or why there is none. */
struct rs_replay_value {
	int code; /* negative errno of the whole read, else 0 */
	int64_t value;
	uint64_t enabled_ns;
	uint64_t running_ns;
};

/* A read or disturb line (event "" for disturb); values cycle. */
struct rs_replay_script {
	char label[RS_REPLAY_NAME];
	char event[RS_REPLAY_NAME];
	size_t first; /* into values */
	size_t n;
};

#define RS_REPLAY_COUNTERS 256
#define RS_REPLAY_CURSORS  4096

struct rs_replay_counter {
	bool is_open;
	int leader;
	uint64_t id;
	bool is_pmu; /* takes a counter of the PMU */
	char name[RS_EVENT_TEXT];
	char chosen[RS_EVENT_TEXT];
	uint64_t value;
	uint64_t enabled_ns;
	uint64_t running_ns;
};

struct rs_replay_cursor {
	uint64_t key; /* 0: free */
	size_t next;
};

struct rs_replay {
	struct rs_replay_host *hosts;
	size_t n_hosts;
	struct rs_replay_answer *answers;
	size_t n_answers;
	char (*fits)[RS_REPLAY_NAME];
	size_t n_fits;
	size_t counters_limit; /* 0: no limit */
	struct rs_replay_script *scripts;
	size_t n_scripts;
	struct rs_replay_value *values;
	size_t n_values;

	/* How far it has been played. */
	struct rs_replay_counter counters[RS_REPLAY_COUNTERS];
	struct rs_replay_cursor cursors[RS_REPLAY_CURSORS];
	uint64_t next_id;
	const char *label; /* borrowed from whoever marked last */
	bool is_end;
	uint64_t ns;
	uint64_t ticks;
};

/*
 * Parses a text. name is what error sentences call it. Returns 0 or a negative errno
 * with file and line in err; *out is then NULL. Free with rs_replay_free.
 */
int rs_replay_parse(const char *name, const char *text, size_t n_bytes,
		    struct rs_replay **out, struct rs_err *err);
void rs_replay_free(struct rs_replay *replay);

/* A back end that owns replay and frees it. NULL on lack of memory. */
struct rs_backend *rs_backend_of_replay(struct rs_replay *replay);

#endif
