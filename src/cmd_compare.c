#include "src/cmd.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/text.h"
#include "src/compare.h"
#include "src/compare_sheet.h"

#define MAX_FILES 64

struct request {
	const struct rs_format *format;
	const struct fail_on *fail_on;
	const char *paths[MAX_FILES];
	struct rs_loaded files[MAX_FILES];
	struct rs_compare_request compare;
};

/* What --fail-on takes: whether a change makes the exit status 1. */
struct fail_on {
	const char *name;
	bool (*is_failure)(const struct rs_change *change);
};

static bool is_slower(const struct rs_change *change)
{
	return change->is_worse;
}

static bool is_different(const struct rs_change *change)
{
	static const char *const words[] = {"faster", "slower", "fewer", "more"};
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(change->verdict, words[i]) == 0)
			return true;
	}
	return false;
}

static bool is_never(const struct rs_change *change)
{
	(void)change;
	return false;
}

static const struct fail_on fail_ons[] = {
    {"slower", is_slower},
    {"different", is_different},
    {"never", is_never},
    {0},
};

enum {
	KEY_FAIL_ON = 256,
};

static const struct argp_option options[] = {
    {"fail-on", KEY_FAIL_ON, "WHAT", 0,
     "exit with status 1 on a change that is slower (default; time and cycles that "
     "grow, and mispredicts), different, or never",
     0},
    {"format", 'f', "FORMAT", 0, "text (default), csv or json", 0},
    {"metric", 'm', "LIST", 0,
     "compare these metrics: names or globs, separated by commas (default: all)", 0},
    {"threshold", 't', "PERCENT", 0, "smallest change that is called one (default 1)",
     0},
    {0},
};

static const struct fail_on *take_fail_on(const char *arg, struct argp_state *state)
{
	char clip[RS_CLIP_BYTES];
	for (const struct fail_on *fail_on = fail_ons; fail_on->name; fail_on++) {
		if (strcmp(arg, fail_on->name) == 0)
			return fail_on;
	}
	argp_error(state, "--fail-on takes slower, different or never, not '%s'",
		   rs_text_clip(clip, arg));
	return NULL;
}

static void take_file(struct request *request, const char *arg,
		      struct argp_state *state)
{
	if (request->compare.n_files == MAX_FILES)
		argp_error(state, "compare takes at most %d files", MAX_FILES);
	request->paths[request->compare.n_files++] = arg;
}

static error_t take_option(int key, char *arg, struct argp_state *state)
{
	struct request *const request = state->input;
	char clip[RS_CLIP_BYTES];
	switch (key) {
	case 'f':
		request->format = rs_cmd_take_format(arg, RS_OUTPUT_SHEET, state);
		return 0;
	case 'm':
		request->compare.metrics = rs_cmd_take_text(arg, "--metric", state);
		return 0;
	case 't':
		if (rs_text_double(arg, 0, 1000, &request->compare.threshold_pct))
			argp_error(
			    state,
			    "--threshold takes per cent from 0 to 1000, not '%s'",
			    rs_text_clip(clip, arg));
		return 0;
	case KEY_FAIL_ON:
		request->fail_on = take_fail_on(arg, state);
		return 0;
	case ARGP_KEY_ARG:
		take_file(request, arg, state);
		return 0;
	case ARGP_KEY_END:
		if (request->compare.n_files < 2)
			argp_error(state, "compare needs two files or more");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp parser = {
    .options = options,
    .parser = take_option,
    .args_doc = "BASE NEW...",
    .doc =
	"Tell what changed between result files: CSV dumps and JSON of `retstack run', "
	"and what perf stat writes with -x, or -j.\v"
	"A file is compared with the first file of its host, or with BASE. Per cent "
	"are "
	"(base - new) / base: above 0 is better. Exit status: 0 done, 1 something is "
	"worse, 2 bad input, 3 nothing could be judged.",
};

static bool is_judged(const struct rs_change *change)
{
	return strcmp(change->verdict, "unclear") != 0 &&
	       strcmp(change->verdict, "not-comparable") != 0;
}

static enum rs_exit exit_code(const struct request *request,
			      const struct rs_comparison *comparison)
{
	enum rs_exit code = RS_EXIT_INCOMPLETE;
	for (size_t i = 0; i < comparison->n_changes; i++) {
		if (request->fail_on->is_failure(&comparison->changes[i]))
			return RS_EXIT_FOUND;
		if (is_judged(&comparison->changes[i]))
			code = RS_EXIT_DONE;
	}
	return code;
}

static int print(const struct request *request, const struct rs_comparison *comparison,
		 struct rs_err *err)
{
	struct rs_sheet sheet;
	const struct rs_style style = rs_cmd_style();
	if (rs_compare_sheet_make(&sheet, comparison, err))
		return rs_cmd_fail(RS_EXIT_INCOMPLETE, err);
	const int written = request->format->sheet(&sheet, &style, stdout);
	rs_compare_sheet_free(&sheet);
	const enum rs_exit finished = rs_cmd_finish(written);
	return finished == RS_EXIT_DONE ? exit_code(request, comparison) : finished;
}

static int load_and_compare(struct request *request, struct rs_err *err)
{
	struct rs_comparison comparison;
	for (size_t i = 0; i < request->compare.n_files; i++) {
		if (rs_load(&request->files[i], request->paths[i], err))
			return rs_cmd_fail(RS_EXIT_USAGE, err);
	}
	if (rs_compare(&comparison, &request->compare, err))
		return rs_cmd_fail(RS_EXIT_USAGE, err);
	const int code = print(request, &comparison, err);
	rs_comparison_free(&comparison);
	return code;
}

int rs_cmd_compare(int argc, char **argv)
{
	struct request request = {
	    .format = rs_format_find("text"),
	    .fail_on = &fail_ons[0],
	    .compare = {.threshold_pct = 1},
	};
	struct rs_err err;
	if (argp_parse(&parser, argc, argv, 0, NULL, &request))
		return RS_EXIT_USAGE;
	request.compare.files = request.files;
	const int code = load_and_compare(&request, &err);
	for (size_t i = 0; i < request.compare.n_files; i++)
		rs_loaded_free(&request.files[i]);
	return code;
}
