#ifndef SRC_RELOCS_H
#define SRC_RELOCS_H

/*
 * What a relocatable object leaves to the linker in its code: until it has run, the
 * target that an instruction encodes is not where it goes.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/sections.h"

struct rs_reloc {
	uint64_t place;  /* of the field, as struct rs_section has addresses */
	uint64_t symbol; /* its address; 0 where it is not defined here */
	bool is_defined;
	bool has_addend; /* else the field holds it */
	int64_t addend;
};

struct rs_relocs {
	struct rs_reloc *rows; /* by place */
	size_t n_rows;
	size_t max_rows;
};

/*
 * Those with a symbol, of executable sections and of .opd; none where the image is no
 * relocatable object. Tables that do not fit count as missing. Returns 0 or -ENOMEM.
 */
int rs_relocs_open(struct rs_relocs *out, const struct rs_sections *sections);

/* Accepts an empty object and leaves it empty. */
void rs_relocs_close(struct rs_relocs *relocs);

/* The first at a place in n_bytes from address; NULL: none. */
const struct rs_reloc *rs_relocs_find(const struct rs_relocs *relocs, uint64_t address,
				      uint64_t n_bytes);

#endif
