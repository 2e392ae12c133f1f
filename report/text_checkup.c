#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/sink.h"
#include "report/utf8.h"
#include "report/writers.h"

#define STATE_WIDTH    9  /* "unknown" and a gap */
#define NAME_WIDTH_MAX 48 /* "clock_gettime:monotonic_coarse time namespace" */
#define GAP            2

/* SGR sequences; "" for what needs no attention. */
static const char *const colours[RS_N_CHECK_STATE] = {
    [RS_CHECK_GOOD] = "\033[32m",    [RS_CHECK_INFO] = "",
    [RS_CHECK_WARN] = "\033[33m",    [RS_CHECK_BAD] = "\033[31m",
    [RS_CHECK_UNKNOWN] = "\033[35m",
};

static void put_state(struct rs_sink *sink, enum rs_check_state state, bool use_colour)
{
	const char *const word = rs_check_state_name(state);
	const char *const colour = use_colour ? colours[state] : "";
	rs_sink_text(sink, colour);
	rs_sink_text(sink, word);
	rs_sink_text(sink, *colour ? "\033[0m" : "");
	rs_sink_spaces(sink, STATE_WIDTH - strlen(word));
}

static void put_name(struct rs_sink *sink, const char *name, size_t width)
{
	char *const cut = rs_utf8_cut(name, NAME_WIDTH_MAX);
	if (!cut) {
		rs_sink_fail(sink, -ENOMEM);
		return;
	}
	rs_sink_text(sink, cut);
	rs_sink_spaces(sink, width + GAP - rs_utf8_width(cut));
	free(cut);
}

static size_t name_width(const struct rs_checkup *checkup, struct rs_sink *sink)
{
	size_t width = 0;
	for (size_t i = 0; i < checkup->n_checks; i++) {
		char *const cut = rs_utf8_cut(checkup->checks[i].name, NAME_WIDTH_MAX);
		if (!cut) {
			rs_sink_fail(sink, -ENOMEM);
			break;
		}
		const size_t one = rs_utf8_width(cut);
		width = one > width ? one : width;
		free(cut);
	}
	return width;
}

static void put_below(struct rs_sink *sink, size_t width, const char *mark,
		      const char *text)
{
	if (!text)
		return;
	const size_t first = STATE_WIDTH + strlen(mark);
	rs_sink_spaces(sink, STATE_WIDTH);
	rs_sink_text(sink, mark);
	rs_sink_wrap(sink,
		     &(const struct rs_wrap){
			 .width = width,
			 .first = first,
			 .hang = first,
		     },
		     text);
}

static void put_check(struct rs_sink *sink, const struct rs_check *check,
		      const struct rs_style *style, size_t names)
{
	const size_t width = rs_style_width(style);
	const size_t first = STATE_WIDTH + names + GAP;
	put_state(sink, check->state, style->use_colour);
	put_name(sink, check->name, names);
	rs_sink_wrap(sink,
		     &(const struct rs_wrap){
			 .width = width,
			 .first = first,
			 .hang = first,
		     },
		     check->value ? check->value : "-");
	put_below(sink, width, "", check->cause);
	put_below(sink, width, "-> ", check->remedy);
}

int rs_text_checkup(const struct rs_checkup *checkup, const struct rs_style *style,
		    FILE *out)
{
	struct rs_sink sink;
	rs_sink_begin(&sink, out);
	const size_t names = name_width(checkup, &sink);
	for (size_t i = 0; i < checkup->n_checks && !sink.code; i++)
		put_check(&sink, &checkup->checks[i], style, names);
	return rs_sink_end(&sink);
}
