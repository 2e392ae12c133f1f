#include "events/replay.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/text.h"

#define FIRST_LINE   "retstack-replay 1"
#define DEFAULT_TIME UINT64_C(1000000) /* enabled and running, where not given */
#define MAX_ERRNO    200
#define BLANKS       " \t\r"

/* A line on its way: rest is what has not been taken yet. */
struct line {
	struct rs_replay *replay;
	char *rest;
	struct rs_err why;
};

static int no_memory(struct line *line)
{
	return rs_err_set(&line->why, -ENOMEM, "not enough memory");
}

/* Takes the next word; "" at the end. */
static char *next_word(struct line *line)
{
	line->rest += strspn(line->rest, BLANKS);
	char *const word = line->rest;
	line->rest += strcspn(line->rest, BLANKS);
	if (*line->rest)
		*line->rest++ = '\0';
	return word;
}

static int take_name(struct line *line, char out[RS_REPLAY_NAME], const char *what)
{
	const char *const word = next_word(line);
	if (!*word)
		return rs_err_set(&line->why, -EINVAL, "%s is missing", what);
	if (!rs_text_copy(out, RS_REPLAY_NAME, word))
		return rs_err_set(&line->why, -EINVAL, "%s is too long", what);
	return 0;
}

static int take_end(struct line *line)
{
	const char *const word = next_word(line);
	char clip[RS_CLIP_BYTES];
	if (!*word)
		return 0;
	return rs_err_set(&line->why, -EINVAL, "'%s' is one word too many",
			  rs_text_clip(clip, word));
}

/* A negative errno for "EACCES"; 0 when word is none. */
static int errno_of(const char *word)
{
	for (int code = 1; word[0] == 'E' && code < MAX_ERRNO; code++) {
		const char *const name = strerrorname_np(code);
		if (name && strcmp(name, word) == 0)
			return -code;
	}
	return 0;
}

static int take_host(struct line *line)
{
	struct rs_replay *const replay = line->replay;
	struct rs_replay_host *const hosts =
	    reallocarray(replay->hosts, replay->n_hosts + 1, sizeof(*hosts));
	if (!hosts)
		return no_memory(line);
	replay->hosts = hosts;
	struct rs_replay_host *const host = &hosts[replay->n_hosts];
	const int ret = take_name(line, host->name, "the fact's name");
	if (ret)
		return ret;
	line->rest += strspn(line->rest, BLANKS);
	size_t length = strlen(line->rest);
	while (length > 0 && strchr(BLANKS, line->rest[length - 1]))
		line->rest[--length] = '\0';
	if (!rs_text_copy(host->value, sizeof(host->value), line->rest))
		return rs_err_set(&line->why, -EINVAL, "the fact's value is too long");
	replay->n_hosts++;
	return 0;
}

/* The answer row of an event, made when it is new. */
static struct rs_replay_answer *answer_of(struct rs_replay *replay, const char *event)
{
	for (size_t i = 0; i < replay->n_answers; i++)
		if (strcmp(replay->answers[i].event, event) == 0)
			return &replay->answers[i];
	struct rs_replay_answer *const answers =
	    reallocarray(replay->answers, replay->n_answers + 1, sizeof(*answers));
	if (!answers)
		return NULL;
	replay->answers = answers;
	struct rs_replay_answer *const answer = &answers[replay->n_answers++];
	*answer = (struct rs_replay_answer){.open_code = 0};
	rs_text_copy(answer->event, sizeof(answer->event), event);
	return answer;
}

static int take_answer(struct line *line, bool is_open)
{
	char event[RS_REPLAY_NAME];
	const int ret = take_name(line, event, "the event");
	if (ret)
		return ret;
	const char *const word = next_word(line);
	const bool no_hv = is_open && strcmp(word, "no-hv") == 0;
	const int code = errno_of(word);
	char clip[RS_CLIP_BYTES];
	if (!no_hv && code == 0 && strcmp(word, "ok") != 0)
		return rs_err_set(&line->why, -EINVAL,
				  "'%s' is neither ok nor an errno such as EACCES",
				  rs_text_clip(clip, word));
	struct rs_replay_answer *const answer = answer_of(line->replay, event);
	if (!answer)
		return no_memory(line);
	*(is_open ? &answer->open_code : &answer->enable_code) = code;
	answer->refuses_hv |= no_hv;
	return take_end(line);
}

static int take_open(struct line *line)
{
	return take_answer(line, true);
}

static int take_enable(struct line *line)
{
	return take_answer(line, false);
}

static int take_fits(struct line *line)
{
	struct rs_replay *const replay = line->replay;
	char(*const fits)[RS_REPLAY_NAME] =
	    reallocarray(replay->fits, replay->n_fits + 1, sizeof(*fits));
	if (!fits)
		return no_memory(line);
	replay->fits = fits;
	const int ret = take_name(line, fits[replay->n_fits], "the list of events");
	if (ret)
		return ret;
	replay->n_fits++;
	return take_end(line);
}

static int take_counters(struct line *line)
{
	uint64_t limit = 0;
	const char *const word = next_word(line);
	if (rs_text_u64(word, 1, RS_MAX_EVENTS, &limit))
		return rs_err_set(&line->why, -EINVAL,
				  "counters needs a number from 1 to %d",
				  RS_MAX_EVENTS);
	line->replay->counters_limit = limit;
	return take_end(line);
}

static int add_value(struct line *line, const struct rs_replay_value *value)
{
	struct rs_replay *const replay = line->replay;
	struct rs_replay_value *const values =
	    reallocarray(replay->values, replay->n_values + 1, sizeof(*values));
	if (!values)
		return no_memory(line);
	replay->values = values;
	values[replay->n_values++] = *value;
	replay->scripts[replay->n_scripts - 1].n++;
	return 0;
}

/* "eof", "short", an errno, or VALUE[/ENABLED/RUNNING] with a value that may be
 * negative. */
static int parse_reading(char *word, struct rs_replay_value *out)
{
	*out = (struct rs_replay_value){
	    .enabled_ns = DEFAULT_TIME,
	    .running_ns = DEFAULT_TIME,
	};
	if (strcmp(word, "eof") == 0)
		out->code = -ENODATA;
	else if (strcmp(word, "short") == 0)
		out->code = -EIO;
	else
		out->code = errno_of(word);
	if (out->code)
		return 0;
	char *const first = strchr(word, '/');
	char *const second = first ? strchr(first + 1, '/') : NULL;
	if (first && !second)
		return -EINVAL;
	if (first)
		*first = *second = '\0';
	const bool is_negative = word[0] == '-';
	uint64_t magnitude;
	if (rs_text_u64(word + is_negative, 0, INT64_MAX, &magnitude))
		return -EINVAL;
	out->value = is_negative ? -(int64_t)magnitude : (int64_t)magnitude;
	if (!first)
		return 0;
	if (rs_text_u64(first + 1, 0, INT64_MAX, &out->enabled_ns) ||
	    rs_text_u64(second + 1, 0, INT64_MAX, &out->running_ns))
		return -EINVAL;
	return 0;
}

static int parse_disturbance(char *word, struct rs_replay_value *out)
{
	*out = (struct rs_replay_value){.value = RS_DISTURBANCE_NONE};
	if (strcmp(word, "nothing") == 0)
		return 0;
	for (int i = RS_DISTURBANCE_NONE + 1; i < RS_N_DISTURBANCE; i++) {
		if (strcmp(word, rs_disturbance_name((enum rs_disturbance)i)) == 0) {
			out->value = i;
			return 0;
		}
	}
	return -EINVAL;
}

static int take_values(struct line *line, const char *what,
		       int (*parse)(char *word, struct rs_replay_value *out))
{
	const struct rs_replay_script *const script =
	    &line->replay->scripts[line->replay->n_scripts - 1];
	for (char *word = next_word(line); *word; word = next_word(line)) {
		char clip[RS_CLIP_BYTES];
		struct rs_replay_value value;
		rs_text_clip(clip, word);
		if (parse(word, &value))
			return rs_err_set(&line->why, -EINVAL, "'%s' is not %s", clip,
					  what);
		const int ret = add_value(line, &value);
		if (ret)
			return ret;
	}
	if (script->n == 0)
		return rs_err_set(&line->why, -EINVAL, "there is no value");
	return 0;
}

static struct rs_replay_script *add_script(struct line *line)
{
	struct rs_replay *const replay = line->replay;
	struct rs_replay_script *const scripts =
	    reallocarray(replay->scripts, replay->n_scripts + 1, sizeof(*scripts));
	if (!scripts)
		return NULL;
	replay->scripts = scripts;
	scripts[replay->n_scripts] =
	    (struct rs_replay_script){.first = replay->n_values};
	return &scripts[replay->n_scripts++];
}

static int take_read(struct line *line)
{
	struct rs_replay_script *const script = add_script(line);
	if (!script)
		return no_memory(line);
	int ret = take_name(line, script->label, "the label");
	if (!ret)
		ret = take_name(line, script->event, "the event");
	if (ret)
		return ret;
	return take_values(line,
			   "a value, VALUE/ENABLED/RUNNING, eof, short or an errno",
			   parse_reading);
}

static int take_disturb(struct line *line)
{
	struct rs_replay_script *const script = add_script(line);
	if (!script)
		return no_memory(line);
	const int ret = take_name(line, script->label, "the label");
	if (ret)
		return ret;
	return take_values(line, "nothing, context-switch, cpu-migration or page-fault",
			   parse_disturbance);
}

struct word_row {
	const char *word;
	int (*take)(struct line *line);
};

static const struct word_row words[] = {
    {"host", take_host},         {"open", take_open},
    {"enable", take_enable},     {"fits", take_fits},
    {"counters", take_counters}, {"read", take_read},
    {"disturb", take_disturb},   {NULL, NULL},
};

static int take_line(struct line *line)
{
	const char *const word = next_word(line);
	if (!*word || *word == '#')
		return 0;
	const struct word_row *row = words;
	while (row->word && strcmp(row->word, word) != 0)
		row++;
	char clip[RS_CLIP_BYTES];
	if (!row->word)
		return rs_err_set(&line->why, -EINVAL,
				  "'%s' is none of host, open, enable, fits, counters, "
				  "read, disturb",
				  rs_text_clip(clip, word));
	return row->take(line);
}

static int parse_lines(struct rs_replay *replay, const char *name, char *text,
		       struct rs_err *err)
{
	unsigned int number = 0;
	for (char *start = text; start && *start;) {
		char *const end = strchr(start, '\n');
		if (end)
			*end = '\0';
		number++;
		struct line line = {.replay = replay, .rest = start};
		int ret = 0;
		if (number > 1)
			ret = take_line(&line);
		else if (strcmp(start, FIRST_LINE) != 0)
			ret = rs_err_set(&line.why, -EINVAL,
					 "a replay file starts with '" FIRST_LINE "'");
		if (ret)
			return rs_err_set(err, ret, "%s line %u: %s", name, number,
					  line.why.text);
		start = end ? end + 1 : NULL;
	}
	if (number == 0)
		return rs_err_set(err, -EINVAL, "%s: the file is empty", name);
	return 0;
}

int rs_replay_parse(const char *name, const char *text, size_t n_bytes,
		    struct rs_replay **out, struct rs_err *err)
{
	*out = NULL;
	if (memchr(text, '\0', n_bytes))
		return rs_err_set(err, -EINVAL, "%s: not a text file", name);
	char *const copy = strndup(text, n_bytes);
	struct rs_replay *const replay = calloc(1, sizeof(*replay));
	int ret = 0;
	if (!copy || !replay)
		ret = rs_err_set(err, -ENOMEM, "%s: not enough memory", name);
	else
		ret = parse_lines(replay, name, copy, err);
	free(copy);
	if (ret) {
		rs_replay_free(replay);
		return ret;
	}
	*out = replay;
	return 0;
}

void rs_replay_free(struct rs_replay *replay)
{
	if (!replay)
		return;
	free(replay->hosts);
	free(replay->answers);
	free(replay->fits);
	free(replay->scripts);
	free(replay->values);
	free(replay);
}
