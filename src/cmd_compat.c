#include "src/cmd.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/text.h"
#include "src/compat.h"

#define MIN_SCALE 1e-9
#define MAX_SCALE 1000.0

#define GROUP_ORIGINALS 1

enum {
	KEY_SCALE = 256,
};

static const struct argp_option options[] = {
    {"scale", KEY_SCALE, "FACTOR", 0,
     "multiply loop counts and durations by FACTOR, at most 1000", 0},
    {NULL, 0, NULL, 0, "Benchmarks:", GROUP_ORIGINALS},
};

#define N_OPTIONS (sizeof(options) / sizeof(options[0]))

static const char doc[] =
    "Run a benchmark that the field quotes, under its own name and with its own "
    "arguments, and print its exact lines, for scripts that read those. `retstack run' "
    "measures the same with counters, repetitions and intervals.\v"
    "What the original would not have done or said is said on standard error. Exit "
    "status: 0 done, 1 the benchmark's check failed, 2 bad input, 77 cannot be "
    "measured "
    "here.";

static void take_scale(struct rs_compat *compat, const char *arg,
		       struct argp_state *state)
{
	char clip[RS_CLIP_BYTES];
	if (rs_text_double(arg, MIN_SCALE, MAX_SCALE, &compat->scale))
		argp_error(state,
			   "--scale takes a factor up to 1000, such as 0.01, not '%s'",
			   rs_text_clip(clip, arg));
}

/* The name and all after it, which is the original's. */
static void take_command(struct rs_compat *compat, struct argp_state *state)
{
	compat->argv = &state->argv[state->next - 1];
	compat->argc = state->argc - state->next + 1;
	state->next = state->argc;
}

static error_t take_option(int key, char *arg, struct argp_state *state)
{
	struct rs_compat *const compat = state->input;
	switch (key) {
	case KEY_SCALE:
		take_scale(compat, arg, state);
		return 0;
	case ARGP_KEY_ARG:
		take_command(compat, state);
		return 0;
	case ARGP_KEY_END:
		if (!compat->argv)
			argp_error(state, "compat needs the name of a benchmark");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static enum rs_exit code_of(int ret)
{
	if (ret == -EINVAL)
		return RS_EXIT_USAGE;
	return ret == -ENOTSUP ? RS_EXIT_UNMEASURABLE : RS_EXIT_INCOMPLETE;
}

static enum rs_exit run(struct rs_compat *compat)
{
	struct rs_err err;
	const struct rs_original *const original =
	    rs_original_find(compat->argv[0], &err);
	if (!original)
		return rs_cmd_fail(RS_EXIT_USAGE, &err);
	/* As on a terminal, so that what was said stands when it is interrupted. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	const int ret = original->run(compat, &err);
	const enum rs_exit finished = rs_cmd_finish(ferror(stdout) ? -EIO : 0);
	if (ret)
		return rs_cmd_fail(code_of(ret), &err);
	return !finished && compat->has_failed ? RS_EXIT_FOUND : finished;
}

/* Options of compat, then a line of help for each original. NULL without memory. */
static struct argp_option *list_options(void)
{
	size_t n = 0;
	while (rs_originals()[n].name)
		n++;
	struct argp_option *const list = calloc(N_OPTIONS + n + 1, sizeof(*list));
	if (!list)
		return NULL;
	memcpy(list, options, sizeof(options));
	for (size_t i = 0; i < n; i++)
		list[N_OPTIONS + i] = (struct argp_option){
		    .name = rs_originals()[i].usage,
		    .flags = OPTION_DOC,
		    .doc = rs_originals()[i].text,
		    .group = GROUP_ORIGINALS,
		};
	return list;
}

int rs_cmd_compat(int argc, char **argv)
{
	struct rs_compat compat = {.scale = 1, .out = stdout, .notes = stderr};
	struct argp_option *const list = list_options();
	const struct argp parser = {
	    .options = list,
	    .parser = take_option,
	    .args_doc = "BENCHMARK [ARGUMENT...]",
	    .doc = doc,
	};
	const bool is_parsed =
	    list && argp_parse(&parser, argc, argv, ARGP_IN_ORDER, NULL, &compat) == 0;
	free(list);
	return is_parsed ? run(&compat) : RS_EXIT_USAGE;
}
