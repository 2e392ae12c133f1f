#include "src/cmd.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/affinity.h"
#include "src/base/text.h"
#include "src/outfile.h"
#include "src/placement.h"
#include "src/run.h"

#define DEFAULT_DEPTH       3
#define DEFAULT_PLACEMENTS  4
#define DEFAULT_REPETITIONS 30
#define MAX_REPETITIONS     100000
#define MAX_CALLS           1000000000
#define MAX_TIME_S          1e6
#define MAX_FILES           3
#define MAX_BLOCK_BYTES     (UINT64_C(1) << 30)
#define MAX_TOTAL_BYTES     (UINT64_C(1) << 50)
#define MAX_CLOCK_READS     1000000

/* Options without a letter of their own. */
enum {
	KEY_BLOCK_SIZE = 256,
	KEY_CLOCK_READS,
	KEY_MAX_TIME,
	KEY_STRICT,
	KEY_THREADS,
	KEY_TOTAL_SIZE,
	KEY_CSV,
	KEY_SUMMARY_CSV,
	KEY_JSON,
	KEY_DATA,
	KEY_PRESET,
	KEY_REPLAY,
};

struct output {
	const char *path; /* NULL: not asked for */
	struct rs_outfile file;
};

struct request {
	struct rs_run_request run;
	const struct rs_format *format;
	const char **patterns;
	struct output outputs[MAX_FILES];
	uint64_t total_bytes; /* 0: not asked for */
	bool has_seed;
};

/* Files besides standard output, and the format each is written in. */
static const struct {
	int key;
	const char *option;
	const char *format;
} files[MAX_FILES] = {
    {KEY_CSV, "--csv", "csv"},
    {KEY_SUMMARY_CSV, "--summary-csv", "summary-csv"},
    {KEY_JSON, "--json", "json"},
};

static const struct argp_option options[] = {
    {"events", 'e', "LIST", 0,
     "count these events (default: cycles, instructions, "
     "branches, branch-misses, returns, return-misses)",
     0},
    {"calls", 'n', "N", 0, "calls in one repetition (default: about 1 ms of them)", 0},
    {"repetitions", 'r', "N", 0,
     "blocks, in each of which every variant is measured "
     "once at every placement (default 30)",
     0},
    {"depth", 'd', "LIST", 0,
     "read the program counter below this many enclosing "
     "calls, 1 to 8: a number, a range or a list (default 3)",
     0},
    {"placements", 'p', "N", 0,
     "copies of the code at different offsets within a page, "
     "1 to 64 (default 4)",
     0},
    {"cpu", 'c', "N", 0, "measure on CPU N (default: the last allowed one)", 0},
    {"baseline", 'b', "VARIANT", 0,
     "compare with VARIANT (default: each workload's "
     "own)",
     0},
    {"seed", 's', "N", 0,
     "of the order of measurement and of the intervals (default: "
     "random, and shown)",
     0},
    {"threads", KEY_THREADS, "N", 0,
     "make the same calls in N threads at once, each on a CPU of its own, and measure "
     "one of them (default 1)",
     0},
    {"block-size", KEY_BLOCK_SIZE, "BYTES", 0,
     "memory that a call of work+clock reads, a multiple of 64 (default 1024); K, M "
     "and G are units",
     0},
    {"clock-reads", KEY_CLOCK_READS, "N", 0,
     "how often it then reads the clock (default 4)", 0},
    {"total-size", KEY_TOTAL_SIZE, "BYTES", 0,
     "make as many calls in one repetition as read this much, instead of --calls", 0},
    {"max-time", KEY_MAX_TIME, "SECONDS", 0, "stop measuring then, keep what there is",
     0},
    {"strict", KEY_STRICT, NULL, 0, "fail with status 77 if an event cannot be counted",
     0},
    {"format", 'f', "FORMAT", 0,
     "of standard output: text (default), csv, summary-csv "
     "or json",
     0},
    {"csv", KEY_CSV, "FILE", 0, "write every reading to FILE", 0},
    {"summary-csv", KEY_SUMMARY_CSV, "FILE", 0, "write the summaries to FILE", 0},
    {"json", KEY_JSON, "FILE", 0, "write everything to FILE as JSON", 0},
    {"preset", KEY_PRESET, "NAME", 0,
     "model the link stack of NAME, one of `retstack list presets' (default: this "
     "CPU's)",
     0},
    {"data", KEY_DATA, "DIR", 0,
     "take rows from DIR/alias/*.ini and DIR/predictors.ini, too", 0},
    {"replay", KEY_REPLAY, "FILE", 0, "play readings from FILE instead of counting", 0},
    {0},
};

/* One element of a depth list: "3" or "1-8"; 0 when it is neither. */
static unsigned int depth_bits(const char *text)
{
	unsigned int low;
	unsigned int high;
	if (text[0] < '1' || text[0] > '0' + RS_MAX_FRAMES)
		return 0;
	low = high = (unsigned int)(text[0] - '0');
	if (text[1] == '-' && text[2] >= text[0] && text[2] <= '0' + RS_MAX_FRAMES &&
	    !text[3])
		high = (unsigned int)(text[2] - '0');
	else if (text[1])
		return 0;
	return (2U << high) - (1U << low);
}

static void take_depths(struct request *request, const char *arg,
			struct argp_state *state)
{
	char clip[RS_CLIP_BYTES];
	char copy[64];
	bool good = rs_text_copy(copy, sizeof(copy), arg);
	unsigned int bits = 0;
	char *rest = copy;
	for (const char *part = strsep(&rest, ","); part; part = strsep(&rest, ",")) {
		const unsigned int more = depth_bits(part);
		good &= more != 0;
		bits |= more;
	}
	if (!good)
		argp_error(
		    state,
		    "--depth takes numbers from 1 to %d, such as 3, 1-8 or 1,2,4, "
		    "not '%s'",
		    RS_MAX_FRAMES, rs_text_clip(clip, arg));
	request->run.selection.depths = bits;
}

static void take_block_size(struct request *request, const char *arg,
			    struct argp_state *state)
{
	char clip[RS_CLIP_BYTES];
	const uint64_t bytes = rs_cmd_take_bytes(arg, "--block-size", RS_LINE_BYTES,
						 MAX_BLOCK_BYTES, state);
	request->run.selection.block_bytes = bytes;
	if (bytes % RS_LINE_BYTES)
		argp_error(state, "--block-size takes a multiple of %d, not '%s'",
			   RS_LINE_BYTES, rs_text_clip(clip, arg));
}

/* A total is a number of calls, once the size of a block is known. */
static void set_total(struct request *request, struct argp_state *state)
{
	struct rs_run_request *const run = &request->run;
	const uint64_t asked = run->selection.block_bytes;
	const uint64_t block_bytes = asked ? asked : RS_BLOCK_BYTES;
	if (!request->total_bytes)
		return;
	if (run->calls)
		argp_error(state, "--total-size and --calls say the same; give one");
	run->calls = request->total_bytes / block_bytes;
	if (run->calls < 1 || run->calls > MAX_CALLS ||
	    request->total_bytes % block_bytes)
		argp_error(
		    state,
		    "--total-size takes a multiple of the block's %llu bytes, at "
		    "most %d of them",
		    (unsigned long long)block_bytes, MAX_CALLS);
}

static void take_max_time(struct request *request, const char *arg,
			  struct argp_state *state)
{
	char clip[RS_CLIP_BYTES];
	if (rs_text_double(arg, 1e-3, MAX_TIME_S, &request->run.max_time_s))
		argp_error(state,
			   "--max-time takes seconds from 0.001 to 1000000, not '%s'",
			   rs_text_clip(clip, arg));
}

static error_t take_file(struct request *request, int key, const char *arg,
			 struct argp_state *state)
{
	for (size_t i = 0; i < MAX_FILES; i++) {
		if (files[i].key != key)
			continue;
		request->outputs[i].path =
		    rs_cmd_take_text(arg, files[i].option, state);
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

/* Two outputs under one name: one would replace the other, or follow it. */
static void check_files(const struct request *request, struct argp_state *state)
{
	char clip[RS_CLIP_BYTES];
	for (size_t i = 1; i < MAX_FILES; i++) {
		for (size_t j = 0; j < i; j++) {
			const char *const a = request->outputs[i].path;
			const char *const b = request->outputs[j].path;
			if (a && b && strcmp(a, b) == 0)
				argp_error(state, "%s and %s both write to '%s'",
					   files[j].option, files[i].option,
					   rs_text_clip(clip, a));
		}
	}
}

static error_t take_option(int key, char *arg, struct argp_state *state)
{
	struct request *const request = state->input;
	struct rs_run_request *const run = &request->run;
	switch (key) {
	case 'e':
		run->events = arg;
		return 0;
	case 'n':
		run->calls = rs_cmd_take_number(arg, "--calls", 1, MAX_CALLS, state);
		return 0;
	case 'r':
		run->repetitions = (unsigned int)rs_cmd_take_number(
		    arg, "--repetitions", 1, MAX_REPETITIONS, state);
		return 0;
	case 'd':
		take_depths(request, arg, state);
		return 0;
	case 'p':
		run->selection.n_placements = (unsigned int)rs_cmd_take_number(
		    arg, "--placements", 1, RS_MAX_PLACEMENTS, state);
		return 0;
	case 'c':
		run->cpu = rs_cmd_take_cpu(arg, state);
		return 0;
	case 'b':
		run->selection.baseline = rs_cmd_take_text(arg, "--baseline", state);
		return 0;
	case 's':
		run->seed = rs_cmd_take_number(arg, "--seed", 0, UINT64_MAX, state);
		request->has_seed = true;
		return 0;
	case 'f':
		request->format = rs_cmd_take_format(arg, RS_OUTPUT_RESULTS, state);
		return 0;
	case KEY_BLOCK_SIZE:
		take_block_size(request, arg, state);
		return 0;
	case KEY_CLOCK_READS:
		run->selection.clock_reads = (unsigned int)rs_cmd_take_number(
		    arg, "--clock-reads", 1, MAX_CLOCK_READS, state);
		return 0;
	case KEY_THREADS:
		run->selection.n_threads = (unsigned int)rs_cmd_take_number(
		    arg, "--threads", 1, RS_MAX_THREADS, state);
		return 0;
	case KEY_TOTAL_SIZE:
		request->total_bytes =
		    rs_cmd_take_bytes(arg, "--total-size", 1, MAX_TOTAL_BYTES, state);
		return 0;
	case KEY_MAX_TIME:
		take_max_time(request, arg, state);
		return 0;
	case KEY_STRICT:
		run->strict = true;
		return 0;
	case KEY_DATA:
		run->data_dir = rs_cmd_take_text(arg, "--data", state);
		return 0;
	case KEY_PRESET:
		run->preset = rs_cmd_take_text(arg, "--preset", state);
		return 0;
	case KEY_REPLAY:
		run->replay = rs_cmd_take_text(arg, "--replay", state);
		return 0;
	case ARGP_KEY_ARG:
		request->patterns[run->selection.n_patterns++] = arg;
		return 0;
	case ARGP_KEY_END:
		check_files(request, state);
		set_total(request, state);
		return 0;
	default:
		return take_file(request, key, arg, state);
	}
}

static const struct argp parser = {
    .options = options,
    .parser = take_option,
    .args_doc = "[WORKLOAD[:OPERAND][/VARIANT]...]",
    .doc =
	"Loop workloads and variants, count, and print a table for each workload."
	"\vA selector's parts are names or globs: getpc, 'vdso.*', 'getpc/call*', "
	"vdso.clock_gettime:boottime. Without one, every workload is measured. "
	"`retstack list variants' shows what there is. An event is an alias (cycles, "
	"return-misses; see `retstack list events'), a libpfm4 or perf name, rHEX, "
	"PMU/term=value,.../ or mem:ADDR:x. Exit status: 0 done, 2 bad input, 3 "
	"incomplete, 77 cannot be measured here.",
};

/* Joins argv with spaces; NULL without memory. Free it. */
static char *join(const char *first, char **argv, int argc)
{
	size_t bytes = strlen(first) + 1;
	for (int i = 0; i < argc; i++)
		bytes += strlen(argv[i]) + 1;
	char *const text = malloc(bytes);
	if (!text)
		return NULL;
	char *end = stpcpy(text, first);
	for (int i = 0; i < argc; i++) {
		if (end != text)
			*end++ = ' ';
		end = stpcpy(end, argv[i]);
	}
	return text;
}

static void show_progress(void *user, unsigned int done, unsigned int all)
{
	(void)user;
	fprintf(stderr, "\r%3u %% of %u repetitions", all ? 100 * done / all : 100,
		all);
	if (done >= all)
		fputs("\r\033[K", stderr);
}

static int open_outputs(struct request *request, struct rs_err *err)
{
	int ret = 0;
	for (size_t i = 0; i < MAX_FILES && !ret; i++) {
		struct output *const output = &request->outputs[i];
		if (output->path)
			ret = rs_outfile_open(&output->file, output->path, err);
	}
	return ret;
}

/* Every file is tried, so that one full disk does not cost the others. */
static int commit_outputs(struct request *request, const struct rs_results *results,
			  const struct rs_style *style, struct rs_err *err)
{
	int ret = 0;
	for (size_t i = 0; i < MAX_FILES; i++) {
		struct rs_outfile *const file = &request->outputs[i].file;
		if (!file->stream)
			continue;
		const struct rs_format *const format = rs_format_find(files[i].format);
		const int written = format->results(results, style, file->stream);
		struct rs_err one;
		const int code = rs_outfile_commit(file, written, &one);
		if (!code || ret)
			continue;
		ret = code;
		*err = one;
	}
	return ret;
}

/* By "-", or by a name of the file that standard output was redirected to. */
static bool writes_to_stdout(const struct request *request)
{
	for (size_t i = 0; i < MAX_FILES; i++) {
		if (request->outputs[i].file.stream == stdout)
			return true;
	}
	return false;
}

static void discard_outputs(struct request *request)
{
	for (size_t i = 0; i < MAX_FILES; i++)
		rs_outfile_discard(&request->outputs[i].file);
}

static enum rs_exit judge(const struct rs_run *run)
{
	const struct rs_results *const results = rs_run_results(run);
	if (results->is_partial)
		fprintf(stderr, "retstack: %s; what was measured until then is kept\n",
			results->partial_reason);
	if (results->is_partial || rs_run_has_failed_rows(run))
		return RS_EXIT_INCOMPLETE;
	if (!rs_run_is_all_absent(run))
		return RS_EXIT_DONE;
	fputs("retstack: nothing that was asked for can be measured here; the rows say "
	      "why\n",
	      stderr);
	return RS_EXIT_UNMEASURABLE;
}

/* A file that goes to standard output takes the table's place there. */
static int print(struct request *request, const struct rs_run *run)
{
	const struct rs_results *const results = rs_run_results(run);
	const struct rs_style style = rs_cmd_style();
	const bool is_taken = writes_to_stdout(request);
	struct rs_err err;
	int written = 0;
	const int ret = commit_outputs(request, results, &style, &err);
	if (!is_taken)
		written = request->format->results(results, &style, stdout);
	const int finished = rs_cmd_finish(written);
	if (ret)
		return rs_cmd_fail(RS_EXIT_INCOMPLETE, &err);
	if (finished)
		return finished;
	return judge(run);
}

static int run(struct request *request)
{
	struct rs_err err;
	struct rs_run *done = NULL;
	int ret = open_outputs(request, &err);
	if (!ret)
		ret = rs_run_do(&request->run, &done, &err);
	if (request->run.show)
		fputs("\r\033[K", stderr); /* what follows takes the line's place */
	const int code =
	    ret ? rs_cmd_fail(rs_cmd_code_of(ret), &err) : print(request, done);
	discard_outputs(request);
	rs_run_free(done);
	return code;
}

int rs_cmd_run(int argc, char **argv)
{
	char data_dir[4096];
	struct request request = {
	    .run =
		{
		    .cpu = RS_CPU_ANY,
		    .repetitions = DEFAULT_REPETITIONS,
		    .selection =
			{
			    .depths = 1U << DEFAULT_DEPTH,
			    .n_placements = DEFAULT_PLACEMENTS,
			},
		},
	    .format = rs_format_find("text"),
	};
	char *const command_line = join("retstack run", argv + 1, argc - 1);
	request.patterns = calloc((size_t)argc + 1, sizeof(*request.patterns));
	char *selection = NULL;
	int code = RS_EXIT_USAGE;
	if (!command_line || !request.patterns)
		goto out;
	if (argp_parse(&parser, argc, argv, 0, NULL, &request))
		goto out;
	struct rs_run_request *const asked = &request.run;
	/* argp has moved the selectors to the end of argv. */
	selection = join("", argv + argc - asked->selection.n_patterns,
			 (int)asked->selection.n_patterns);
	asked->selection.patterns = request.patterns;
	asked->selection_text = selection;
	asked->command_line = command_line;
	if (!asked->data_dir)
		asked->data_dir = rs_cmd_data_dir(data_dir, sizeof(data_dir));
	if (isatty(STDERR_FILENO))
		asked->show = show_progress;
	if (!request.has_seed)
		asked->seed = rs_cmd_random_seed();
	code = run(&request);
out:
	free(selection);
	free(request.patterns);
	free(command_line);
	return code;
}
