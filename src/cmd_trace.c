#include "src/cmd.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "events/events.h"
#include "src/affinity.h"
#include "src/counters.h"
#include "src/outfile.h"
#include "src/predictor.h"
#include "src/stopper.h"
#include "src/trace_sheet.h"

#define DEFAULT_TOP 20
#define MAX_TOP     65536

struct request {
	const struct rs_format *format;
	const char *preset; /* NULL: this processor's */
	const char *log;    /* NULL: run a command */
	const char *output; /* "-": standard output */
	const char *data_dir;
	uint64_t entries; /* 0: those of the preset */
	uint64_t n_top;
	char **arguments; /* the command, or the images; up to a NULL */
};

enum {
	KEY_DATA = 256,
	KEY_LOG,
	KEY_PRESET,
};

static const struct argp_option options[] = {
    {"preset", KEY_PRESET, "NAME", 0,
     "model the link stack of NAME, one of `retstack list presets' (default: this "
     "CPU's; with --log: generic)",
     0},
    {"entries", 'e', "N", 0, "model N entries instead of as many as the preset has", 0},
    {"top", 't', "N", 0, "show the N worst sites (default 20)", 0},
    {"log", KEY_LOG, "FILE", 0,
     "trace no command but what qemu-user executed and logged in FILE, with "
     "-singlestep -d nochain,exec -D FILE",
     0},
    {"format", 'f', "FORMAT", 0, "text (default), csv or json", 0},
    {"output", 'o', "FILE", 0,
     "write the result to FILE (default: standard output; then the command's own "
     "standard output goes to standard error)",
     0},
    {"data", KEY_DATA, "DIR", 0, "take presets from DIR/predictors.ini, too", 0},
    {0},
};

/* The first argument and all after it, which are not this program's options. */
static void take_arguments(struct request *request, struct argp_state *state)
{
	request->arguments = &state->argv[state->next - 1];
	state->next = state->argc;
}

static error_t take_option(int key, char *arg, struct argp_state *state)
{
	struct request *const request = state->input;
	switch (key) {
	case 'e':
		request->entries = rs_cmd_take_number(arg, "--entries", 1,
						      RS_LINKSTACK_MAX_ENTRIES, state);
		return 0;
	case 'f':
		request->format = rs_cmd_take_format(arg, RS_OUTPUT_SHEET, state);
		return 0;
	case 'o':
		request->output = rs_cmd_take_text(arg, "--output", state);
		return 0;
	case 't':
		request->n_top = rs_cmd_take_number(arg, "--top", 0, MAX_TOP, state);
		return 0;
	case KEY_DATA:
		request->data_dir = rs_cmd_take_text(arg, "--data", state);
		return 0;
	case KEY_LOG:
		request->log = rs_cmd_take_text(arg, "--log", state);
		return 0;
	case KEY_PRESET:
		request->preset = rs_cmd_take_text(arg, "--preset", state);
		return 0;
	case ARGP_KEY_ARG:
		take_arguments(request, state);
		return 0;
	case ARGP_KEY_END:
		if (!request->arguments)
			argp_error(state, request->log
					      ? "--log needs the image that was run"
					      : "trace needs a command");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp parser = {
    .options = options,
    .parser = take_option,
    .args_doc = "[--] COMMAND [ARGUMENT...]\n--log FILE IMAGE[@BASE]...",
    .doc =
	"Run a command one instruction at a time, show its calls and returns to the "
	"link-stack model, and name the places that unbalance the stack or suffer from "
	"it. All that the command starts is followed: threads, children and what they "
	"execute. It runs some 10 000 times slower.\v"
	"Each thread has a link stack of its own. Kinds: push-without-pop, a call that "
	"no return took off; pop-without-push, a return to where no call said; "
	"displaced, overflow and underflow, mispredicted returns of balanced calls. "
	"Exit status: 0 done, 2 bad input or no such command, 3 interrupted, or the "
	"command died of a signal, 77 this machine cannot single-step.",
};

/* A foreign program's processor is not this one. */
static const struct rs_predictor *choose(const struct rs_predictors *table,
					 const struct request *request,
					 struct rs_err *err)
{
	char identity[RS_IDENTITY_BYTES] = "";
	unsigned int cpu = RS_CPU_ANY;
	if (request->preset)
		return rs_predictors_find(table, request->preset, err);
	if (request->log)
		return rs_predictors_find(table, RS_PREDICTOR_DEFAULT, err);
	if (rs_cmd_settle_cpu(&cpu, err))
		return NULL;
	rs_cpu_identity(rs_counters_of_host(), cpu, identity);
	return rs_predictors_choose(table, identity);
}

static enum rs_exit exit_code(const struct rs_traced *traced)
{
	return traced->stopped || traced->has_died ? RS_EXIT_INCOMPLETE : RS_EXIT_DONE;
}

static int print(const struct request *request, const struct rs_traced *traced,
		 const struct rs_trace_model *model, struct rs_outfile *file)
{
	struct rs_sheet sheet;
	struct rs_err err;
	const struct rs_style style = rs_cmd_style();
	if (rs_trace_sheet_make(&sheet, traced, model, (size_t)request->n_top, &err))
		return rs_cmd_fail(RS_EXIT_INCOMPLETE, &err);
	const int written = request->format->sheet(&sheet, &style, file->stream);
	rs_trace_sheet_free(&sheet);
	if (rs_outfile_commit(file, written, &err))
		return rs_cmd_fail(RS_EXIT_INCOMPLETE, &err);
	return exit_code(traced);
}

/* Ctrl-C ends the command, not the report of what it did until then. */
static int run(const struct request *request, struct rs_traced *traced,
	       struct rs_err *err)
{
	const bool is_shared = strcmp(request->output, "-") == 0;
	if (request->log)
		return rs_traced_log(traced, request->log, request->arguments, err);
	rs_stopper_begin(0);
	const int ret = rs_traced_command(traced, request->arguments,
					  is_shared ? STDERR_FILENO : -1, err);
	rs_stopper_end();
	return ret;
}

static enum rs_exit code_of(int ret)
{
	switch (ret) {
	case -EPERM:
	case -ENOSYS:
	case -EIO:
		return RS_EXIT_UNMEASURABLE;
	case -ENOMEM:
		return RS_EXIT_INCOMPLETE;
	default:
		return RS_EXIT_USAGE;
	}
}

static int trace(const struct request *request, const struct rs_trace_model *model,
		 struct rs_outfile *file)
{
	struct rs_traced traced;
	struct rs_err err;
	int ret = rs_traced_open(&traced, &model->rules, &err);
	if (ret)
		return rs_cmd_fail(code_of(ret), &err);
	ret = run(request, &traced, &err);
	const int code = ret ? rs_cmd_fail(code_of(ret), &err)
			     : print(request, &traced, model, file);
	rs_traced_close(&traced);
	return code;
}

/* The result's file is created first, so that a bad path fails at once. */
static int choose_and_trace(const struct request *request)
{
	struct rs_predictors table = {0};
	struct rs_outfile file = {0};
	struct rs_err err;
	const struct rs_predictor *preset = NULL;
	int code = RS_EXIT_USAGE;
	if (!rs_predictors_load(&table, request->data_dir, &err) &&
	    !rs_outfile_open(&file, request->output, &err))
		preset = choose(&table, request, &err);
	if (preset) {
		struct rs_trace_model model = {preset->name, preset->rules};
		if (request->entries)
			model.rules.entries = (uint32_t)request->entries;
		code = trace(request, &model, &file);
	} else {
		rs_cmd_fail(code, &err);
	}
	rs_outfile_discard(&file);
	rs_predictors_free(&table);
	return code;
}

int rs_cmd_trace(int argc, char **argv)
{
	struct request request = {
	    .format = rs_format_find("text"),
	    .output = "-",
	    .n_top = DEFAULT_TOP,
	};
	char data_dir[4096];
	if (argp_parse(&parser, argc, argv, ARGP_IN_ORDER, NULL, &request))
		return RS_EXIT_USAGE;
	if (!request.data_dir)
		request.data_dir = rs_cmd_data_dir(data_dir, sizeof(data_dir));
	return choose_and_trace(&request);
}
