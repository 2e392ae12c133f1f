#include "tests/kernels/site.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/kernels/checked_call.h"

const unsigned long rs_loop_counts[RS_N_LOOP_COUNTS] = {1, 2, 1000};

/* Placements, as index of how many: offsets 0, 64, 1024, 2688, 4032 in a page. */
static const struct {
	unsigned int index;
	unsigned int n;
} places[] = {
    {0, 1}, {1, 64}, {1, 4}, {2, 3}, {63, 64},
};

#define N_PLACES (sizeof(places) / sizeof(places[0]))

const char *rs_site_text(const struct rs_site *site)
{
	static char text[128];
	snprintf(text, sizeof(text), "%s below %u frames, %s at offset %lu",
		 site->variant, site->frames, site->placement ? "copy" : "original",
		 (unsigned long)((uintptr_t)site->entry % 4096));
	return text;
}

void rs_site_enter(const struct rs_site *site, unsigned long *kargs,
		   size_t max_stack_bytes)
{
	const unsigned int broken =
	    rs_checked_call(site->entry, kargs, max_stack_bytes);
	char text[256];
	if (broken)
		fail_msg("%s: broken rules: %s", rs_site_text(site),
			 rs_rules_text(broken, text, sizeof(text)));
}

/* Calls test for the original, where it can run, and for a copy at every place. */
static void each_place(struct rs_site site, const struct rs_kernel *kernel,
		       rs_site_test *test)
{
	if (!kernel->data_word)
		test(&site, kernel);
	for (size_t i = 0; i < N_PLACES; i++) {
		struct rs_placement placement;
		struct rs_err err = {""};
		if (rs_placement_make(&placement, kernel, places[i].index, places[i].n,
				      &err) < 0)
			fail_msg("%s", err.text);
		site.placement = &placement;
		site.entry = rs_placement_entry(&placement, site.frames);
		site.moved = placement.code - kernel->start;
		test(&site, kernel);
		rs_placement_free(&placement);
	}
}

static unsigned int each_depth(const struct rs_variant *variant, rs_site_test *test)
{
	const struct rs_kernel *const kernel = variant->kernel;
	unsigned int n_entries = 0;
	assert_int_equal((uintptr_t)kernel->start % 64, 0);
	for (unsigned int frames = 0; frames <= RS_MAX_FRAMES; frames++) {
		if (!kernel->entry[frames])
			continue;
		n_entries++;
		const struct rs_site site = {
		    .variant = variant->name,
		    .entry = kernel->entry[frames],
		    .frames = frames,
		    .target = variant->target,
		};
		each_place(site, kernel, test);
	}
	return n_entries;
}

const struct rs_variant *rs_site_rows(const char *family)
{
	static const struct rs_variant none = {.name = NULL};
	const struct rs_family *const rows = rs_isa_family(rs_isa_host(), family);
	if (rows)
		return rows->variants;
	print_message("%s skipped: no rows on this instruction set\n", family);
	return &none;
}

void rs_site_each(const char *family, rs_site_test *test)
{
	for (const struct rs_variant *row = rs_site_rows(family); row->name; row++) {
		const char *const obstacle = rs_variant_obstacle(row);
		if (obstacle) {
			print_message("%s skipped: %s\n", row->name, obstacle);
			continue;
		}
		const unsigned int n_entries = each_depth(row, test);
		if (n_entries != 1 && n_entries != RS_MAX_FRAMES)
			fail_msg("%s has %u entries", row->name, n_entries);
	}
}
