#include <stdio.h>
#include <stdlib.h>

#include "board/board.h"
#include "report/writers.h"
#include "src/base/text.h"

static const struct rs_sheet_column columns[] = {
    {.name = "workload", .title = "workload"},
    {.name = "variant", .title = "variant"},
    {.name = "effect", .title = "expected"},
    {.name = "frames", .title = "frames"},
    {.name = "instructions", .title = "instructions", .is_right = true},
    {.name = "branches", .title = "branches", .is_right = true},
    {.name = "pushes", .title = "pushes", .is_right = true},
    {.name = "pops", .title = "pops", .is_right = true},
    {.name = "exempt", .title = "exempt", .is_right = true},
    {.name = "absent", .title = "cannot run because", .wraps = true},
};

#define N_COLUMNS    (sizeof(columns) / sizeof(columns[0]))
#define FIRST_LINEAR 4
#define N_LINEAR     5

/* The cells of the whole list; those that are formatted lie in numbers. */
struct listing {
	const char **cells;
	char (*numbers)[N_LINEAR][RS_LINEAR_TEXT];
	size_t n_rows;
};

static void put_counts(struct listing *listing, const char **cells,
		       const struct rs_counts *counts)
{
	const struct rs_linear *const linears[N_LINEAR] = {
	    &counts->instructions, &counts->branches, &counts->pushes,
	    &counts->pops,         &counts->exempt,
	};
	for (size_t i = 0; i < N_LINEAR; i++)
		cells[FIRST_LINEAR + i] =
		    rs_linear_text(listing->numbers[listing->n_rows][i], linears[i]);
}

static void put_variant(struct listing *listing, const char *workload,
			const struct rs_variant *row)
{
	const char **const cells = &listing->cells[listing->n_rows * N_COLUMNS];
	cells[0] = workload;
	cells[1] = row->name;
	cells[2] = rs_effect_name(row->effect);
	if (row->kernel) {
		cells[3] = row->kernel->entry[1] ? "1-8" : "0";
		put_counts(listing, cells, &row->kernel->counts);
	}
	cells[9] = rs_variant_obstacle(row);
	listing->n_rows++;
}

static size_t count_rows(const struct rs_isa *isa)
{
	size_t n = 0;
	for (const struct rs_workload *w = rs_workloads(); w->name; w++) {
		const struct rs_family *const family = rs_isa_family(isa, w->family);
		for (size_t i = 0; family && family->variants[i].name; i++)
			n++;
	}
	return n;
}

static int print(const struct listing *listing, const struct rs_isa *isa, bool is_csv)
{
	const char *notes[] = {
	    "counts of one iteration below k frames; of a call outside the kernel, "
	    "only the call and its return; of a block, one line, and of its clock "
	    "reads, "
	    "one",
	};
	const struct rs_sheet sheet = {
	    .title = isa->name,
	    .columns = columns,
	    .n_columns = N_COLUMNS,
	    .cells = listing->cells,
	    .n_rows = listing->n_rows,
	    .notes = isa->absent ? (const char *[]){isa->absent} : notes,
	    .n_notes = 1,
	};
	const struct rs_style style = {.width = 132};
	const int ret = is_csv ? rs_csv_sheet(&sheet, &style, stdout)
			       : rs_text_sheet(&sheet, &style, stdout);
	return ret ? RS_BOARD_INCOMPLETE : RS_BOARD_DONE;
}

static error_t take_option(int key, char *arg, struct argp_state *state)
{
	(void)arg;
	bool *const is_csv = state->input;
	if (key != 'c')
		return ARGP_ERR_UNKNOWN;
	*is_csv = true;
	return 0;
}

int rs_board_list(int argc, char **argv)
{
	static const struct argp_option options[] = {
	    {"csv", 'c', NULL, 0, "print lines of CSV", 0},
	    {0},
	};
	static const struct argp parser = {
	    .options = options,
	    .parser = take_option,
	    .doc = "Show the variants of each workload, what one iteration executes, "
		   "and what cannot run here and why.",
	};
	bool is_csv = false;
	if (argp_parse(&parser, argc, argv, 0, NULL, &is_csv))
		return RS_BOARD_USAGE;
	const struct rs_isa *const isa = rs_isa_host();
	const size_t n = count_rows(isa);
	struct listing listing = {
	    .cells = calloc(n * N_COLUMNS + 1, sizeof(*listing.cells)),
	    .numbers = calloc(n + 1, sizeof(*listing.numbers)),
	};
	int code = RS_BOARD_INCOMPLETE;
	if (listing.cells && listing.numbers) {
		for (const struct rs_workload *w = rs_workloads(); w->name; w++) {
			const struct rs_family *const family =
			    rs_isa_family(isa, w->family);
			for (size_t i = 0; family && family->variants[i].name; i++)
				put_variant(&listing, w->name, &family->variants[i]);
		}
		code = print(&listing, isa, is_csv);
	} else {
		rs_board_fail(RS_BOARD_INCOMPLETE, "not enough memory for the list");
	}
	free(listing.numbers);
	free(listing.cells);
	return code;
}
