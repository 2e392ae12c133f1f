#ifndef TESTS_KERNELS_SITE_H
#define TESTS_KERNELS_SITE_H

/*
 * Walks the host's kernels: every variant and depth, in place and as copies at several
 * offsets within a page.
 */

#include <stddef.h>

#include "arch/arch.h"
#include "src/placement.h"

/* One kernel at one place and depth, as a test sees it. */
struct rs_site {
	const char *variant;
	const struct rs_placement *placement; /* NULL: the original */
	const void *entry;
	unsigned int frames;
	ptrdiff_t moved; /* from the original to where it runs */
	enum rs_target target;
};

typedef void rs_site_test(const struct rs_site *site, const struct rs_kernel *kernel);

/* The rows of a family; none, and a message, where the ISA does not have it yet. */
const struct rs_variant *rs_site_rows(const char *family);

/*
 * Calls test for every variant, depth and place of a family that can run here, and
 * prints why the others cannot. Fails the cmocka test where a row lacks entries or
 * cannot be placed.
 */
void rs_site_each(const char *family, rs_site_test *test);

/*
 * Runs the kernel at site through the checked call; fails the cmocka test, naming the
 * site, when it breaks a rule. max_stack_bytes as for rs_checked_call.
 */
void rs_site_enter(const struct rs_site *site, unsigned long *kargs,
		   size_t max_stack_bytes);

/* "call+4 below 3 frames, copy at offset 64"; overwritten by the next call. */
const char *rs_site_text(const struct rs_site *site);

/* The numbers of calls to try: one, two, many. */
#define RS_N_LOOP_COUNTS 3
extern const unsigned long rs_loop_counts[RS_N_LOOP_COUNTS];

#endif
