#include "src/cmd.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/affinity.h"
#include "src/base/text.h"
#include "src/host.h"
#include "src/outfile.h"
#include "src/probe_sheet.h"

#define DEFAULT_PROCESSES 8

struct request {
	struct rs_probe_request probe;
	const struct rs_format *format;
	const char *what;
	const char *dump; /* NULL: no dump */
	struct rs_outfile file;
};

static const struct argp_option options[] = {
    {"cpu", 'c', "N", 0, "measure on CPU N (default: the last allowed one)", 0},
    {"csv", 'o', "FILE", 0, "write every process's curves to FILE, as `run --csv' does",
     0},
    {"format", 'f', "FORMAT", 0, "of standard output: text (default), csv or json", 0},
    {"processes", 'p', "N", 0,
     "fresh processes to measure in, 1 to 64 (default 8; a clear answer needs 3)", 0},
    {0},
};

static void take_what(struct request *request, const char *arg,
		      struct argp_state *state)
{
	char clip[RS_CLIP_BYTES];
	if (request->what)
		argp_error(state, "probe takes one word; there is: depth");
	if (strcmp(arg, "depth") != 0)
		argp_error(state, "cannot probe '%s'; there is: depth",
			   rs_text_clip(clip, arg));
	request->what = arg;
}

static error_t take_option(int key, char *arg, struct argp_state *state)
{
	struct request *const request = state->input;
	switch (key) {
	case 'c':
		request->probe.cpu = rs_cmd_take_cpu(arg, state);
		return 0;
	case 'f':
		request->format = rs_cmd_take_format(arg, RS_OUTPUT_SHEET, state);
		return 0;
	case 'o':
		request->dump = rs_cmd_take_text(arg, "--csv", state);
		return 0;
	case 'p':
		request->probe.n_processes = (unsigned int)rs_cmd_take_number(
		    arg, "--processes", 1, RS_MAX_PROCESSES, state);
		return 0;
	case ARGP_KEY_ARG:
		take_what(request, arg, state);
		return 0;
	case ARGP_KEY_END:
		if (!request->what)
			argp_error(state, "probe needs to know what; there is: depth");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp parser = {
    .options = options,
    .parser = take_option,
    .args_doc = "depth",
    .doc =
	"Find out how many calls in flight the link stack of this processor holds: by "
	"the time of chains of 1 to 128 nested calls whose call sites are chosen at "
	"random, so that nothing else can predict the returns.\v"
	"Beside it stand two controls, whose returns other predictors may know: one "
	"fixed site a level, and one site for all. An answer on which the processes do "
	"not agree is called unclear. Exit status: 0 done, 2 bad input, 3 interrupted, "
	"77 cannot be measured here.",
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

static int print(struct request *request, const struct rs_probe *probe)
{
	struct rs_probe_sheet sheet;
	struct rs_probe_curve curve;
	struct rs_err err;
	const struct rs_style style = rs_cmd_style();
	if (write_dump(request, probe, &err))
		return rs_cmd_fail(RS_EXIT_INCOMPLETE, &err);
	rs_probe_sheet_make(&sheet, probe);
	rs_probe_curve_make(&curve, probe);
	int written = request->format->sheet(&sheet.sheet, &style, stdout);
	if (!written && strcmp(request->format->name, "text") == 0)
		written = rs_curve_write(&curve.curve, &style, stdout);
	const int finished = rs_cmd_finish(written);
	return !finished && probe->stopped ? RS_EXIT_INCOMPLETE : finished;
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

static int prepare(struct request *request, struct rs_err *err)
{
	struct rs_probe_request *const probe = &request->probe;
	probe->chains = rs_isa_host()->chains;
	if (!probe->chains)
		return rs_err_set(err, -ENOTSUP,
				  "there are no chains of calls for this instruction "
				  "set (%s) yet, so its link stack cannot be probed",
				  rs_isa_host()->name);
	int ret =
	    request->dump ? rs_outfile_open(&request->file, request->dump, err) : 0;
	if (!ret)
		ret = rs_cmd_settle_cpu(&probe->cpu, err);
	if (!ret)
		ret = rs_affinity_pin(probe->cpu, err);
	if (!ret)
		ret = warn_of_emulator(probe->cpu, err);
	probe->seed = rs_cmd_random_seed();
	if (isatty(STDERR_FILENO))
		probe->show = show_progress;
	return ret;
}

int rs_cmd_probe(int argc, char **argv)
{
	struct request request = {
	    .format = rs_format_find("text"),
	    .probe = {.cpu = RS_CPU_ANY, .n_processes = DEFAULT_PROCESSES},
	};
	struct rs_probe probe = {0};
	struct rs_err err;
	if (argp_parse(&parser, argc, argv, 0, NULL, &request))
		return RS_EXIT_USAGE;
	int ret = prepare(&request, &err);
	int code = rs_cmd_code_of(ret);
	if (!ret) {
		ret = rs_probe_depth(&probe, &request.probe, &err);
		code = ret == -ENOTSUP ? RS_EXIT_UNMEASURABLE : RS_EXIT_INCOMPLETE;
	}
	if (request.probe.show)
		fputs("\r\033[K", stderr);
	code = ret ? rs_cmd_fail(code, &err) : print(&request, &probe);
	rs_outfile_discard(&request.file);
	rs_probe_free(&probe);
	return code;
}
