#ifndef SRC_SECTIONS_H
#define SRC_SECTIONS_H

/*
 * The section headers of an image. They are a bonus: a table that does not fit in the
 * image counts as none, and a section that does not fit has no bytes.
 */

#include <stddef.h>
#include <stdint.h>

#include "src/image.h"

/* Where addresses are of the link. In a relocatable object, whose sections have none
 * yet, the address of a section is its offset in the file. */
struct rs_section {
	const char *name; /* "": none; lives as long as the image */
	uint32_t type;    /* SHT_* */
	uint64_t flags;   /* SHF_* */
	uint64_t address;
	uint64_t offset;
	uint64_t n_bytes; /* all inside the image, but for SHT_NOBITS */
	uint32_t link;
	uint32_t info;
	uint64_t entry_bytes;
};

struct rs_sections {
	const struct rs_image *image; /* borrowed; must outlive this */
	struct rs_section *rows;      /* by index, from 0 */
	size_t n_rows;
};

/* Returns 0 (also where there are none) or -ENOMEM. */
int rs_sections_open(struct rs_sections *out, const struct rs_image *image);

/* Accepts an empty object and leaves it empty. */
void rs_sections_close(struct rs_sections *sections);

/* The first section of this type (and name, unless NULL); NULL: there is none. */
const struct rs_section *rs_sections_find(const struct rs_sections *sections,
					  uint32_t type, const char *name);

/*
 * The string at index of a section of strings; NULL where the section has none that
 * ends inside it.
 */
const char *rs_sections_string(const struct rs_sections *sections, size_t section,
			       uint64_t index);

#endif
