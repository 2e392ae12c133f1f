#ifndef SRC_PLACEMENT_H
#define SRC_PLACEMENT_H

#include <stddef.h>

#include "arch/arch.h"
#include "src/base/err.h"

#define RS_MAX_PLACEMENTS 64 /* one per 64-byte line of a 4096-byte page */

/*
 * An executable copy of a kernel in pages of its own. Made before a child is forked,
 * it lies at the same address in every child.
 */
struct rs_placement {
	const struct rs_kernel *kernel; /* borrowed */
	unsigned char *code;            /* the copy of kernel->start */
	/* What the copy reads, writable; NULL for kernels without a data word. */
	struct rs_datapage *datapage;
	void *pages;
	size_t n_bytes; /* of pages */
};

/*
 * Copies kernel to offset index * 4096 / n_placements, rounded down to 64 bytes, of
 * fresh pages; a data page, filled, follows them where the kernel reads one. index is
 * below n_placements, n_placements 1 to RS_MAX_PLACEMENTS. Returns 0, or a negative
 * errno with out empty. Free with rs_placement_free.
 */
int rs_placement_make(struct rs_placement *out, const struct rs_kernel *kernel,
		      unsigned int index, unsigned int n_placements,
		      struct rs_err *err);

/* Where the copy is entered to run below k frames; NULL: the kernel has no such entry.
 */
const void *rs_placement_entry(const struct rs_placement *placement, unsigned int k);

/* Accepts an empty object and leaves it empty. */
void rs_placement_free(struct rs_placement *placement);

/*
 * Writes the page so that ticks become the time of day: the rate is measured against
 * CLOCK_MONOTONIC_RAW for a millisecond, good to about 1 part in 1000. Holds for an
 * hour; later the product of ticks and mult may wrap. On an ISA without a tick counter
 * the page says the time at which it was filled.
 */
void rs_datapage_fill(struct rs_datapage *page);

#endif
