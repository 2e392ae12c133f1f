#include "src/cmd.h"

#include <argp.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/affinity.h"
#include "src/base/text.h"
#include "src/counters.h"
#include "src/host.h"
#include "src/outfile.h"
#include "src/probes.h"

#define DEFAULT_PROCESSES 8

#define KEY_REPLAY 256

struct request {
	const struct rs_probe_kind *kind;
	struct rs_probe_request measuring;
	const struct rs_format *format;
	const char *dump;   /* NULL: no dump */
	const char *replay; /* NULL: the real counters */
	struct rs_outfile file;
	struct rs_backend *played;
	struct rs_event_list events;
	struct rs_predictors predictors;
	struct rs_probe_context context;
};

static const struct argp_option options[] = {
    {"cpu", 'c', "N", 0, "measure on CPU N (default: the last allowed one)", 0},
    {"csv", 'o', "FILE", 0, "write every process's curves to FILE, as `run --csv' does",
     0},
    {"format", 'f', "FORMAT", 0, "of standard output: text (default), csv or json", 0},
    {"processes", 'p', "N", 0,
     "fresh processes to measure in, 1 to 64 (default 8; a clear answer needs 3)", 0},
    {"replay", KEY_REPLAY, "FILE", 0, "play readings from FILE instead of counting", 0},
    {0},
};

/* "depth, forms, policy, penalty" */
static const char *kind_names(char *out, size_t size)
{
	out[0] = '\0';
	for (const struct rs_probe_kind *kind = rs_probe_kinds(); kind->name; kind++)
		rs_text_append(out, size, "%s%s", out[0] ? ", " : "", kind->name);
	return out;
}

static void take_kind(struct request *request, const char *arg,
		      struct argp_state *state)
{
	char clip[RS_CLIP_BYTES];
	char names[128];
	if (request->kind)
		argp_error(state, "probe takes one word; there are: %s",
			   kind_names(names, sizeof(names)));
	request->kind = rs_probe_kind_find(arg);
	if (!request->kind)
		argp_error(state, "cannot probe '%s'; there are: %s",
			   rs_text_clip(clip, arg), kind_names(names, sizeof(names)));
}

static error_t take_option(int key, char *arg, struct argp_state *state)
{
	struct request *const request = state->input;
	char names[128];
	switch (key) {
	case 'c':
		request->measuring.cpu = rs_cmd_take_cpu(arg, state);
		return 0;
	case 'f':
		request->format = rs_cmd_take_format(arg, RS_OUTPUT_SHEET, state);
		return 0;
	case 'o':
		request->dump = rs_cmd_take_text(arg, "--csv", state);
		return 0;
	case KEY_REPLAY:
		request->replay = rs_cmd_take_text(arg, "--replay", state);
		return 0;
	case 'p':
		request->measuring.n_processes = (unsigned int)rs_cmd_take_number(
		    arg, "--processes", 1, RS_MAX_PROCESSES, state);
		return 0;
	case ARGP_KEY_ARG:
		take_kind(request, arg, state);
		return 0;
	case ARGP_KEY_END:
		if (!request->kind)
			argp_error(state, "probe needs to know what; there are: %s",
				   kind_names(names, sizeof(names)));
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp parser = {
    .options = options,
    .parser = take_option,
    .args_doc = "depth|forms|policy|penalty",
    .doc =
	"Find out about the link stack of this processor: depth, how many calls in "
	"flight it holds; forms, which calls are pushed; policy, what it does when it "
	"is full or empty; penalty, what a mispredicted return costs.\v"
	"All measure in several fresh processes, by the tick clock and by counters "
	"where they can be had. An answer on which the processes do not agree is "
	"called "
	"unclear. Exit status: 0 done, 2 bad input, 3 interrupted, 77 cannot be "
	"measured "
	"here.",
};

static void show_progress(void *user, unsigned int done, unsigned int all)
{
	(void)user;
	fprintf(stderr, "\rprocess %u of %u", done + 1, all);
}

static int write_dump(struct request *request, const struct rs_probe *probe,
		      struct rs_err *err)
{
	struct rs_results results;
	if (!request->file.stream)
		return 0;
	int ret = rs_probe_results_make(&results, probe, err);
	if (ret)
		return ret;
	const struct rs_style style = rs_cmd_style();
	const int written =
	    rs_format_find("csv")->results(&results, &style, request->file.stream);
	ret = rs_outfile_commit(&request->file, written, err);
	rs_probe_results_free(&results);
	return ret;
}

static int print_report(const struct request *request,
			const struct rs_probe_report *report)
{
	const struct rs_style style = rs_cmd_style();
	int written = request->format->sheet(&report->cells.sheet, &style, stdout);
	if (!written && strcmp(request->format->name, "text") == 0)
		written = rs_curve_write(&report->curve, &style, stdout);
	return rs_cmd_finish(written);
}

static int print(struct request *request, const struct rs_probe *probe)
{
	struct rs_probe_report report = {.curve.n = 0};
	struct rs_err err;
	int ret = write_dump(request, probe, &err);
	if (!ret)
		ret = request->kind->judge(probe, &request->context, &report, &err);
	int code = ret ? rs_cmd_fail(RS_EXIT_INCOMPLETE, &err)
		       : print_report(request, &report);
	rs_probe_report_free(&report);
	return !code && probe->stopped ? RS_EXIT_INCOMPLETE : code;
}

/* In an emulator calls cost what its translator makes of them. */
static int warn_of_emulator(unsigned int cpu, struct rs_err *err)
{
	struct rs_host *host = NULL;
	const int ret = rs_host_read(&host, cpu, err);
	const char *const emulator = ret ? NULL : rs_host_fact(host, "emulator");
	if (emulator && strcmp(emulator, "none") != 0)
		fprintf(stderr,
			"retstack: this runs under %s: the answer describes the "
			"emulator, not a processor\n",
			emulator);
	rs_host_free(host);
	return ret;
}

/* The preset as `run` finds it. */
static int choose_preset(struct request *request, const char *data_dir,
			 struct rs_err *err)
{
	char identity[RS_IDENTITY_BYTES];
	const int ret = rs_predictors_load(&request->predictors, data_dir, err);
	if (ret)
		return ret;
	rs_cpu_identity(request->measuring.backend, request->measuring.cpu, identity);
	request->context.preset = rs_predictors_choose(&request->predictors, identity);
	return 0;
}

static int plan_events(struct request *request, const char *data_dir,
		       struct rs_err *err)
{
	struct rs_probe_request *const measuring = &request->measuring;
	struct rs_alias_table *aliases = NULL;
	int ret = rs_alias_table_load(data_dir, &aliases, err);
	if (!ret)
		ret = rs_event_list_add(&request->events, RS_PROBE_EVENTS, aliases,
					measuring->backend, measuring->cpu, err);
	if (!ret)
		ret = rs_event_list_plan(&request->events, measuring->backend,
					 measuring->cpu, err);
	rs_alias_table_free(aliases);
	measuring->events = &request->events;
	return ret;
}

static int settle(struct request *request, struct rs_err *err)
{
	struct rs_probe_request *const measuring = &request->measuring;
	int ret =
	    request->dump ? rs_outfile_open(&request->file, request->dump, err) : 0;
	if (!ret && request->replay)
		ret = rs_backend_replay(request->replay, &request->played, err);
	if (!ret)
		ret = rs_cmd_settle_cpu(&measuring->cpu, err);
	if (!ret)
		ret = rs_affinity_pin(measuring->cpu, err);
	if (!ret)
		ret = warn_of_emulator(measuring->cpu, err);
	measuring->backend = request->played ? request->played : rs_counters_of_host();
	return ret;
}

static int prepare(struct request *request, struct rs_probe *probe, struct rs_err *err)
{
	struct rs_probe_request *const measuring = &request->measuring;
	char folder[PATH_MAX];
	const char *const data_dir = rs_cmd_data_dir(folder, sizeof(folder));
	int ret = request->kind->list(probe, err);
	if (!ret)
		ret = settle(request, err);
	if (!ret)
		ret = plan_events(request, data_dir, err);
	if (!ret)
		ret = choose_preset(request, data_dir, err);
	measuring->seed = request->context.seed = rs_cmd_random_seed();
	if (isatty(STDERR_FILENO))
		measuring->show = show_progress;
	return ret;
}

int rs_cmd_probe(int argc, char **argv)
{
	struct request request = {
	    .format = rs_format_find("text"),
	    .measuring = {.cpu = RS_CPU_ANY, .n_processes = DEFAULT_PROCESSES},
	};
	struct rs_probe probe = {0};
	struct rs_err err;
	if (argp_parse(&parser, argc, argv, 0, NULL, &request))
		return RS_EXIT_USAGE;
	int ret = prepare(&request, &probe, &err);
	int code = rs_cmd_code_of(ret);
	if (!ret) {
		ret = rs_probe_measure(&probe, &request.measuring, &err);
		code = ret == -ENOTSUP ? RS_EXIT_UNMEASURABLE : RS_EXIT_INCOMPLETE;
	}
	if (request.measuring.show)
		fputs("\r\033[K", stderr);
	code = ret ? rs_cmd_fail(code, &err) : print(&request, &probe);
	rs_outfile_discard(&request.file);
	rs_probe_free(&probe);
	rs_predictors_free(&request.predictors);
	rs_backend_free(request.played);
	return code;
}
