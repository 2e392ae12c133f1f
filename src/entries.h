#ifndef SRC_ENTRIES_H
#define SRC_ENTRIES_H

/* Where an image's functions are, from all that says so. */

#include "src/relocs.h"
#include "src/symbols.h"

/* A range of code that the unwind tables call a signal frame. */
struct rs_trampoline {
	uint64_t address; /* where it is entered */
	uint64_t n_bytes;
};

struct rs_entries {
	struct rs_symbols symbols; /* with those of the unwind tables and the entry */
	struct rs_relocs relocs;
	struct rs_trampoline *trampolines;
	size_t n_trampolines;
	size_t max_trampolines;
};

/* name is what error sentences call the image, borrowed. Returns 0 or -ENOMEM. */
int rs_entries_open(struct rs_entries *out, const struct rs_image *image,
		    const char *name, struct rs_err *err);

/* Accepts an empty object and leaves it empty. */
void rs_entries_close(struct rs_entries *entries);

#endif
