#ifndef SRC_REGIONS_H
#define SRC_REGIONS_H

/* Where the images of a process are: its executable mappings. */

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "src/traced_images.h"

struct rs_region {
	uint64_t start;
	uint64_t end;
	uint64_t offset; /* of start in the image's file */
	uint32_t image;  /* its row */
};

/* Zero-initialise. By address; they do not overlap. */
struct rs_regions {
	struct rs_region *rows;
	size_t n_rows;
};

/*
 * Reads them anew from /proc/PID/maps, and the bytes of those that are in no file but
 * have a name, such as the vDSO, from the memory of the process. Returns 0, or a
 * negative errno with out empty.
 */
int rs_regions_read(struct rs_regions *out, pid_t pid, struct rs_traced_images *images);

/* Adds one; for what is not a process. Returns 0 or -ENOMEM. */
int rs_regions_add(struct rs_regions *regions, const struct rs_region *region);

/* Accepts an empty object and leaves it empty. */
void rs_regions_free(struct rs_regions *regions);

/* The region with this address; NULL: none. */
const struct rs_region *rs_regions_find(const struct rs_regions *regions,
					uint64_t address);

#endif
