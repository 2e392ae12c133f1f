#include "src/cmd.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "src/base/text.h"
#include "src/verify.h"

#define MAX_SELECTORS 64

struct request {
	const struct rs_format *format;
	const char *selectors[MAX_SELECTORS];
	struct rs_pattern patterns[MAX_SELECTORS];
	struct rs_verify_request verify;
};

static const struct argp_option options[] = {
    {"format", 'f', "FORMAT", 0, "text (default), csv, json or tap", 0},
    {0},
};

static void take_selector(struct request *request, const char *arg,
			  struct argp_state *state)
{
	if (request->verify.n_patterns == MAX_SELECTORS)
		argp_error(state, "verify takes at most %d selectors", MAX_SELECTORS);
	request->selectors[request->verify.n_patterns++] = arg;
}

static error_t take_option(int key, char *arg, struct argp_state *state)
{
	struct request *const request = state->input;
	switch (key) {
	case 'f':
		request->format = rs_cmd_take_format(arg, RS_OUTPUT_CHECKUP, state);
		return 0;
	case ARGP_KEY_ARG:
		take_selector(request, arg, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp parser = {
    .options = options,
    .parser = take_option,
    .args_doc = "[FUNCTION[:CLOCK]...]",
    .doc =
	"Check whether the functions of the live vDSO tell the truth: their values "
	"against those of the system calls, and what they do with wrong arguments.\v"
	"A selector's parts are names or globs: clock_gettime:monotonic, 'clock_get*'. "
	"Known differences of Linux's own vDSO are warnings. "
	"Exit status: 0 done, 1 a check failed, 2 bad input, 77 there is no vDSO.",
};

/* As those of run, with or without the workloads' prefix. */
static int parse_selectors(struct request *request, struct rs_err *err)
{
	static const char prefix[] = "vdso.";
	for (size_t i = 0; i < request->verify.n_patterns; i++) {
		const char *const selector = request->selectors[i];
		char text[256] = "";
		if (strncmp(selector, prefix, sizeof(prefix) - 1) != 0)
			rs_text_copy(text, sizeof(text), prefix);
		if (!*selector || !rs_text_append(text, sizeof(text), "%s", selector))
			return rs_err_set(err, -EINVAL,
					  "a selector is empty or too long");
		const int ret =
		    rs_pattern_parse(&request->patterns[i], text, rs_isa_host(), err);
		if (ret)
			return ret;
	}
	return 0;
}

static enum rs_exit exit_code(const struct rs_checks *checks)
{
	for (size_t i = 0; i < checks->n_rows; i++) {
		if (checks->rows[i].state == RS_CHECK_BAD)
			return RS_EXIT_FOUND;
	}
	return RS_EXIT_DONE;
}

static int print(const struct request *request, const struct rs_checks *checks)
{
	const struct rs_style style = rs_cmd_style();
	const struct rs_checkup checkup = {checks->rows, checks->n_rows};
	const enum rs_exit finished =
	    rs_cmd_finish(request->format->checkup(&checkup, &style, stdout));
	return finished == RS_EXIT_DONE ? exit_code(checks) : finished;
}

int rs_cmd_verify(int argc, char **argv)
{
	struct request request = {.format = rs_format_find("text")};
	struct rs_checks checks = {0};
	struct rs_err err;
	if (argp_parse(&parser, argc, argv, 0, NULL, &request))
		return RS_EXIT_USAGE;
	if (parse_selectors(&request, &err))
		return rs_cmd_fail(RS_EXIT_USAGE, &err);
	request.verify.patterns = request.patterns;
	const int ret = rs_verify(&checks, &request.verify, &err);
	const int code =
	    ret ? rs_cmd_fail(
		      ret == -ENOENT ? RS_EXIT_UNMEASURABLE : RS_EXIT_INCOMPLETE, &err)
		: print(&request, &checks);
	rs_checks_free(&checks);
	return code;
}
