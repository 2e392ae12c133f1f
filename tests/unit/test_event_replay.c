#include "events/events.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "events/replay.h"
#include "src/base/file.h"

/*
 * Plays every tests/replay/NAME.replay. Its lines that start with "#> " are what has
 * to come out:
 *
 *   events LIST             the events to add; first of all
 *   groups N                how many groups they are planned into
 *   status EVENT STATUS     of an event after planning
 *   chosen EVENT TEXT       the event behind it
 *   note EVENT TEXT         a part of its note
 *   reason EVENT TEXT       a part of the sentence that says why not
 *   group EVENT N
 *   rep LABEL EVENT=STATUS[:VALUE] ...
 *                           one repetition of the first event's group
 *   disturb LABEL WORD      what the watch says
 *   list-error TEXT         adding the events fails with a sentence like this
 *   open-error TEXT         opening group 0 fails with a sentence like this
 */
struct play {
	struct rs_alias_table *aliases;
	struct rs_backend *backend;
	struct rs_event_list list;
	struct rs_err err;
	int add_code;
	unsigned int n_checks;
};

#define FOLDER RS_SOURCE_DIR "/tests/replay"

static char *word_of(char **rest)
{
	*rest += strspn(*rest, " ");
	char *const word = *rest;
	*rest += strcspn(*rest, " ");
	if (**rest)
		*(*rest)++ = '\0';
	return word;
}

static const struct rs_event *event_named(const struct play *play, const char *name)
{
	for (size_t i = 0; i < play->list.n_events; i++)
		if (strcmp(play->list.events[i].name, name) == 0)
			return &play->list.events[i];
	fail_msg("no event '%s' in the list", name);
	return NULL;
}

static void assert_part(const char *text, const char *part)
{
	if (!*part || !strstr(text, part))
		fail_msg("'%s' is not a part of '%s'", part, text);
}

static void do_events(struct play *play, char *rest)
{
	play->add_code = rs_event_list_add(&play->list, rest, play->aliases,
					   play->backend, 0, &play->err);
	if (play->add_code == 0)
		assert_int_equal(
		    rs_event_list_plan(&play->list, play->backend, 0, &play->err), 0);
}

static void do_list_error(struct play *play, char *rest)
{
	assert_true(play->add_code < 0);
	assert_part(play->err.text, rest);
	play->add_code = 0;
}

static void do_groups(struct play *play, char *rest)
{
	assert_int_equal(play->list.n_groups, strtoul(rest, NULL, 10));
}

static void do_status(struct play *play, char *rest)
{
	const struct rs_event *const event = event_named(play, word_of(&rest));
	print_message("      %s\n", event->reason);
	assert_string_equal(rs_status_name(event->status), rest);
}

static void do_chosen(struct play *play, char *rest)
{
	const struct rs_event *const event = event_named(play, word_of(&rest));
	assert_string_equal(event->chosen, rest);
}

static void do_note(struct play *play, char *rest)
{
	const struct rs_event *const event = event_named(play, word_of(&rest));
	assert_part(event->note, rest);
}

static void do_reason(struct play *play, char *rest)
{
	const struct rs_event *const event = event_named(play, word_of(&rest));
	assert_part(event->reason, rest);
}

static void do_group(struct play *play, char *rest)
{
	const struct rs_event *const event = event_named(play, word_of(&rest));
	assert_int_equal(event->group, strtoul(rest, NULL, 10));
}

static void check_reading(const struct play *play, const struct rs_reading *readings,
			  char *wanted)
{
	char *const equals = strchr(wanted, '=');
	assert_non_null(equals);
	*equals = '\0';
	char *const status = equals + 1;
	char *const colon = strchr(status, ':');
	if (colon)
		*colon = '\0';
	const struct rs_event *const event = event_named(play, wanted);
	const struct rs_reading *const reading = &readings[event - play->list.events];
	assert_string_equal(rs_status_name(reading->status), status);
	if (colon)
		assert_int_equal(reading->value, strtoull(colon + 1, NULL, 10));
}

static void do_rep(struct play *play, char *rest)
{
	const char *const label = word_of(&rest);
	char first[RS_EVENT_TEXT];
	snprintf(first, sizeof(first), "%.*s", (int)strcspn(rest, "="), rest);
	struct rs_group *group = NULL;
	if (rs_group_open(&group, &play->list, event_named(play, first)->group,
			  play->backend, 0, &play->err))
		fail_msg("%s", play->err.text);
	struct rs_reading readings[RS_MAX_EVENTS];
	rs_group_begin(group, label);
	rs_group_end(group, readings);
	rs_group_close(group);
	for (char *wanted = word_of(&rest); *wanted; wanted = word_of(&rest))
		check_reading(play, readings, wanted);
}

static void do_open_error(struct play *play, char *rest)
{
	struct rs_group *group = NULL;
	const int ret =
	    rs_group_open(&group, &play->list, 0, play->backend, 0, &play->err);
	assert_true(ret < 0);
	assert_null(group);
	assert_part(play->err.text, rest);
}

static void do_disturb(struct play *play, char *rest)
{
	const char *const label = word_of(&rest);
	struct rs_watch *watch = NULL;
	assert_int_equal(rs_watch_open(&watch, play->backend, &play->err), 0);
	rs_watch_begin(watch, label);
	assert_string_equal(rs_disturbance_name(rs_watch_end(watch, 0)),
			    strcmp(rest, "nothing") == 0 ? "" : rest);
	rs_watch_close(watch);
}

struct word_row {
	const char *word;
	void (*check)(struct play *play, char *rest);
};

static const struct word_row words[] = {
    {"events", do_events}, {"list-error", do_list_error}, {"open-error", do_open_error},
    {"groups", do_groups}, {"status", do_status},         {"chosen", do_chosen},
    {"note", do_note},     {"reason", do_reason},         {"group", do_group},
    {"rep", do_rep},       {"disturb", do_disturb},       {NULL, NULL},
};

static void check_line(struct play *play, char *line)
{
	print_message("   %s\n", line);
	const char *const word = word_of(&line);
	const struct word_row *row = words;
	while (row->word && strcmp(row->word, word) != 0)
		row++;
	if (!row->word)
		fail_msg("unknown expectation '%s'", word);
	row->check(play, line);
	play->n_checks++;
}

static void play_file(const char *path)
{
	static struct play play;
	memset(&play, 0, sizeof(play));
	print_message("%s\n", path);
	if (rs_alias_table_load(NULL, &play.aliases, &play.err) ||
	    rs_backend_replay(path, &play.backend, &play.err))
		fail_msg("%s", play.err.text);
	char *text = NULL;
	size_t n_bytes = 0;
	assert_int_equal(rs_file_read_all(path, 1 << 20, &text, &n_bytes), 0);
	char *rest = text;
	for (char *line; (line = strsep(&rest, "\n"));)
		if (strncmp(line, "#> ", 3) == 0)
			check_line(&play, line + 3);
	free(text);
	if (play.add_code)
		fail_msg("%s", play.err.text);
	assert_true(play.n_checks >= 2);
	rs_backend_free(play.backend);
	rs_alias_table_free(play.aliases);
}

static int is_replay(const struct dirent *entry)
{
	const char *const dot = strrchr(entry->d_name, '.');
	return dot && strcmp(dot, ".replay") == 0;
}

static void every_file_plays_as_it_says(void **state)
{
	(void)state;
	struct dirent **entries = NULL;
	const int n = scandir(FOLDER, &entries, is_replay, alphasort);
	assert_true(n > 20);
	for (int i = 0; i < n; i++) {
		char path[512];
		snprintf(path, sizeof(path), FOLDER "/%s", entries[i]->d_name);
		free(entries[i]);
		play_file(path);
	}
	free(entries);
}

struct bad_case {
	const char *text;
	const char *sentence;
};

static const struct bad_case bad_cases[] = {
    {"", "the file is empty"},
    {"retstack-replay 2\n", "line 1: a replay file starts with"},
    {"retstack-replay 1\nplay x\n", "line 2: 'play' is none of"},
    {"retstack-replay 1\nhost\n", "line 2: the fact's name is missing"},
    {"retstack-replay 1\nopen\n", "line 2: the event is missing"},
    {"retstack-replay 1\nopen cycles\n", "line 2: '' is neither ok nor an errno"},
    {"retstack-replay 1\nopen cycles ENOTHING\n", "line 2: 'ENOTHING' is neither"},
    {"retstack-replay 1\nopen cycles ok ok\n", "line 2: 'ok' is one word too many"},
    {"retstack-replay 1\nenable cycles no-hv\n", "line 2: 'no-hv' is neither"},
    {"retstack-replay 1\nfits\n", "line 2: the list of events is missing"},
    {"retstack-replay 1\ncounters 0\n", "line 2: counters needs a number"},
    {"retstack-replay 1\n\nread a b\n", "line 3: there is no value"},
    {"retstack-replay 1\nread a\n", "line 2: the event is missing"},
    {"retstack-replay 1\nread a b 1/2\n", "line 2: '1/2' is not a value"},
    {"retstack-replay 1\nread a b 1/2/x\n", "line 2: '1/2/x' is not a value"},
    {"retstack-replay 1\nread a b 1e3\n", "line 2: '1e3' is not a value"},
    {"retstack-replay 1\nread a b 99999999999999999999\n",
     "line 2: '99999999999999999999' is not"},
    {"retstack-replay 1\ndisturb a earthquake\n",
     "line 2: 'earthquake' is not nothing"},
};

static void bad_files_are_named_by_line(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(bad_cases) / sizeof(bad_cases[0]); i++) {
		const char *const text = bad_cases[i].text;
		struct rs_replay *replay = NULL;
		struct rs_err err = {""};
		assert_true(
		    rs_replay_parse("x.replay", text, strlen(text), &replay, &err) < 0);
		assert_null(replay);
		assert_part(err.text, "x.replay");
		assert_part(err.text, bad_cases[i].sentence);
	}
	struct rs_replay *replay = NULL;
	struct rs_err err;
	static const char with_nul[] = "retstack-replay 1\n\0";
	assert_true(
	    rs_replay_parse("x.replay", with_nul, sizeof(with_nul), &replay, &err) < 0);
	assert_part(err.text, "not a text file");
	struct rs_backend *backend = NULL;
	assert_true(rs_backend_replay(FOLDER "/no-such-file", &backend, &err) < 0);
	assert_part(err.text, "no-such-file");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_file_plays_as_it_says),
	    cmocka_unit_test(bad_files_are_named_by_line),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
