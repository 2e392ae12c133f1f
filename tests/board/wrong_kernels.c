/*
 * Must the check of rs-kernels fail, does it? Gives it kernels that are wrong, one by
 * one, and exits 0 only when it complained about each.
 */

#include <stdio.h>
#include <string.h>

#include "board/board.h"
#include "tests/kernels/wrong.h"

#define FAR 0x1000000 /* from code to where there is none */

static unsigned int check_one(const char *name, const struct rs_kernel *kernel)
{
	const struct rs_variant variants[] = {
	    {.name = name, .kernel = kernel},
	    {.name = NULL},
	};
	const struct rs_family families[] = {
	    {.name = "wrong", .variants = variants},
	    {.name = NULL},
	};
	const struct rs_isa isa = {
	    .name = "test",
	    .empty = rs_isa_host()->empty,
	    .families = families,
	};
	return rs_board_check_isa(&isa);
}

/* Returns how often the check was wrong about it: 0 or 1. */
static int expect(const char *name, const struct rs_kernel *kernel,
		  unsigned int n_expected)
{
	const unsigned int n_wrong = check_one(name, kernel);
	if (n_wrong == n_expected)
		return 0;
	printf("%s: %u found, not %u\n", name, n_wrong, n_expected);
	return 1;
}

int main(void)
{
	int n_failed = 0;
	for (const struct rs_wrong *row = rs_wrong; row->name; row++) {
		const struct rs_kernel kernel = {
		    .start = row->kernel,
		    .end = row->kernel + 64,
		    .entry = {row->kernel},
		};
		if (!row->can_run || row->can_run())
			n_failed += expect(row->name, &kernel, row->broken[0] != 0);
	}
	const struct rs_kernel *const empty = rs_isa_host()->empty;
	struct rs_kernel lies = *empty;
	lies.pc = lies.start;
	struct rs_kernel crashes = *empty;
	crashes.entry[0] = crashes.start + FAR;
	n_failed += expect("empty", empty, 0);
	n_failed += expect("says another pc", &lies, 1);
	n_failed += expect("crashes", &crashes, 1);
	printf("%d kernels misjudged\n", n_failed);
	return n_failed ? 1 : 0;
}
