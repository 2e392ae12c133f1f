#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#include "board/board.h"
#include "report/number.h"
#include "report/writers.h"
#include "src/affinity.h"
#include "src/base/text.h"
#include "src/placement.h"
#include "src/run.h"

#define MAX_CALLS       1000000000
#define MAX_REPETITIONS 100000
#define CLOCKS          "ns,ticks"

/* What is asked for, with the defaults of `retstack run'. */
struct request {
	struct rs_run_request run;
	const char **patterns;
	bool is_csv;
	bool has_seed;
};

static const struct argp_option options[] = {
    {"calls", 'n', "N", 0, "calls in one repetition (default: about 1 ms of them)", 0},
    {"repetitions", 'r', "N", 0,
     "blocks, in each of which every variant is measured once at every placement "
     "(default 30)",
     0},
    {"depth", 'd', "N", 0,
     "read the program counter below this many enclosing calls, 1 to 8 (default 3)", 0},
    {"placements", 'p', "N", 0,
     "copies of the code at different offsets within a page, 1 to 64 (default 4)", 0},
    {"cpu", 'c', "N", 0, "measure on CPU N (default: the last allowed one)", 0},
    {"seed", 's', "N", 0,
     "of the order of measurement and of the intervals (default: random, and shown)",
     0},
    {"csv", 'C', NULL, 0, "print lines of CSV, as `retstack run --format summary-csv'",
     0},
    {0},
};

static error_t take_option(int key, char *arg, struct argp_state *state)
{
	struct request *const request = state->input;
	struct rs_run_request *const run = &request->run;
	switch (key) {
	case 'n':
		run->calls = rs_board_number(arg, "calls", 1, MAX_CALLS, state);
		return 0;
	case 'r':
		run->repetitions = (unsigned int)rs_board_number(
		    arg, "repetitions", 1, MAX_REPETITIONS, state);
		return 0;
	case 'd':
		run->selection.depths =
		    1U << rs_board_number(arg, "depth", 1, RS_MAX_FRAMES, state);
		return 0;
	case 'p':
		run->selection.n_placements = (unsigned int)rs_board_number(
		    arg, "placements", 1, RS_MAX_PLACEMENTS, state);
		return 0;
	case 'c':
		run->cpu =
		    (unsigned int)rs_board_number(arg, "cpu", 0, UINT16_MAX, state);
		return 0;
	case 's':
		run->seed = rs_board_number(arg, "seed", 0, UINT64_MAX, state);
		request->has_seed = true;
		return 0;
	case 'C':
		request->is_csv = true;
		return 0;
	case ARGP_KEY_ARG:
		request->patterns[run->selection.n_patterns++] = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp parser = {
    .options = options,
    .parser = take_option,
    .args_doc = "[WORKLOAD[:CLOCK][/VARIANT]...]",
    .doc =
	"Loop the variants of each workload, print what a call costs, the empty "
	"loop subtracted.\vA selector's parts are names or globs: getpc, datapage, "
	"'vdso.*', 'getpc/b*'. Without one, every workload is measured. Exit status: "
	"0 done, 2 bad input, 3 incomplete, 77 nothing can be measured here.",
};

static const struct rs_sheet_column spread_columns[] = {
    {.name = "workload", .title = "workload"},
    {.name = "variant", .title = "variant"},
    {.name = "metric", .title = "metric"},
    {.name = "median", .title = "median", .is_right = true},
    {.name = "min", .title = "min", .is_right = true},
    {.name = "mad", .title = "MAD", .is_right = true},
    {.name = "kept", .title = "kept", .is_right = true},
};

#define N_SPREAD (sizeof(spread_columns) / sizeof(spread_columns[0]))

struct spread_row {
	char numbers[4][RS_NUMBER_BYTES];
};

static const char *maybe_text(char out[RS_NUMBER_BYTES], const struct rs_maybe *maybe)
{
	return maybe->known ? rs_number_brief(out, maybe->value) : NULL;
}

/* Net values only: the empty loop has none, and gross ones are in the CSV. */
static bool is_net(const struct rs_results *results, const struct rs_summary *summary)
{
	return results->rows[summary->row].role == RS_ROLE_VARIANT &&
	       (rs_text_glob("ns", summary->metric) ||
		rs_text_glob("ticks", summary->metric));
}

static void put_spread(const struct rs_results *results,
		       const struct rs_summary *summary, const char **cells,
		       struct spread_row *row)
{
	const struct rs_row *const of = &results->rows[summary->row];
	snprintf(row->numbers[3], sizeof(row->numbers[3]), "%u", summary->kept);
	cells[0] = of->workload;
	cells[1] = of->variant;
	cells[2] = summary->unit;
	cells[3] = maybe_text(row->numbers[0], &summary->median);
	cells[4] = maybe_text(row->numbers[1], &summary->min);
	cells[5] = maybe_text(row->numbers[2], &summary->mad);
	cells[6] = row->numbers[3];
}

/* What the tables of `retstack run' leave out. */
static int print_spreads(const struct rs_results *results, const struct rs_style *style)
{
	const size_t n = results->n_summaries;
	const char **const cells = calloc(n * N_SPREAD + 1, sizeof(*cells));
	struct spread_row *const rows = calloc(n + 1, sizeof(*rows));
	int ret = -ENOMEM;
	if (cells && rows) {
		struct rs_sheet sheet = {
		    .title = "spread of the repetitions that were kept",
		    .columns = spread_columns,
		    .n_columns = N_SPREAD,
		    .cells = cells,
		};
		for (size_t i = 0; i < n; i++) {
			if (!is_net(results, &results->summaries[i]))
				continue;
			put_spread(results, &results->summaries[i],
				   &cells[sheet.n_rows * N_SPREAD],
				   &rows[sheet.n_rows]);
			sheet.n_rows++;
		}
		ret = sheet.n_rows ? rs_text_sheet(&sheet, style, stdout) : 0;
	}
	free(rows);
	free(cells);
	return ret;
}

static int print(const struct rs_results *results, bool is_csv)
{
	const struct rs_style style = {.width = 100};
	if (is_csv)
		return rs_summary_csv_results(results, &style, stdout);
	int ret = rs_text_results(results, &style, stdout);
	if (!ret && puts("") == EOF)
		ret = -EIO;
	return ret ? ret : print_spreads(results, &style);
}

static int judge(const struct rs_run *run)
{
	if (rs_run_results(run)->is_partial || rs_run_has_failed_rows(run))
		return RS_BOARD_INCOMPLETE;
	return rs_run_is_all_absent(run) ? RS_BOARD_UNMEASURABLE : RS_BOARD_DONE;
}

static int measure(const struct request *request)
{
	struct rs_run *run = NULL;
	struct rs_err err;
	if (rs_run_do(&request->run, &run, &err))
		return rs_board_fail(RS_BOARD_USAGE, err.text);
	int code = RS_BOARD_INCOMPLETE;
	if (print(rs_run_results(run), request->is_csv) == 0)
		code = judge(run);
	rs_run_free(run);
	return code;
}

int rs_board_time(int argc, char **argv)
{
	struct request request = {
	    .run =
		{
		    .selection = {.depths = 1U << 3, .n_placements = 4},
		    .selection_text = "",
		    .events = CLOCKS,
		    .command_line = "rs-kernels time",
		    .cpu = RS_CPU_ANY,
		    .repetitions = 30,
		},
	    .patterns = calloc((size_t)argc + 1, sizeof(*request.patterns)),
	};
	if (!request.patterns)
		return rs_board_fail(RS_BOARD_INCOMPLETE, "not enough memory");
	int code = RS_BOARD_USAGE;
	if (argp_parse(&parser, argc, argv, 0, NULL, &request) == 0) {
		uint32_t seed = (uint32_t)getpid();
		if (!request.has_seed) {
			(void)!getrandom(&seed, sizeof(seed), 0);
			request.run.seed = seed;
		}
		request.run.selection.patterns = request.patterns;
		code = measure(&request);
	}
	free(request.patterns);
	return code;
}
