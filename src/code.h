#ifndef SRC_CODE_H
#define SRC_CODE_H

/* Where an image has bytes that may be executed. */

#include <stddef.h>
#include <stdint.h>

#include "src/sections.h"

struct rs_code_range {
	uint64_t address; /* as struct rs_section has it */
	uint64_t n_bytes; /* all in the image; address + n_bytes does not wrap */
	uint64_t offset;  /* in the image */
	uint64_t base;    /* what an assembler's listing counts from: address, but 0
			   * for the start of a section of a relocatable object */
};

struct rs_code {
	const struct rs_image *image; /* borrowed; must outlive this */
	struct rs_code_range *ranges; /* by address; they do not overlap */
	size_t n_ranges;
};

/*
 * From executable sections; where there are none, from executable segments. Returns 0
 * or -ENOMEM.
 */
int rs_code_open(struct rs_code *out, const struct rs_sections *sections);

/* Accepts an empty object and leaves it empty. */
void rs_code_close(struct rs_code *code);

/* The range with this address; NULL: none. */
const struct rs_code_range *rs_code_find(const struct rs_code *code, uint64_t address);

/* The bytes from address to the end of its range; NULL: none. */
const unsigned char *rs_code_at(const struct rs_code *code, uint64_t address,
				uint64_t *n_left);

#endif
