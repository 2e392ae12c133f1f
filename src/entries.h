#ifndef SRC_ENTRIES_H
#define SRC_ENTRIES_H

/* Where an image's functions are, from all that says so. */

#include "src/relocs.h"
#include "src/symbols.h"

struct rs_entries {
	struct rs_symbols symbols; /* with those of the unwind tables and the entry */
	struct rs_relocs relocs;
	uint64_t *trampolines; /* functions that the unwind tables call signal frames */
	size_t n_trampolines;
	size_t max_trampolines;
};

/* name is what error sentences call the image, borrowed. Returns 0 or -ENOMEM. */
int rs_entries_open(struct rs_entries *out, const struct rs_image *image,
		    const char *name, struct rs_err *err);

/* Accepts an empty object and leaves it empty. */
void rs_entries_close(struct rs_entries *entries);

#endif
