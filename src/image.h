#ifndef SRC_IMAGE_H
#define SRC_IMAGE_H

/*
 * An ELF image of any ISA, class and byte order, read from memory. The bytes are
 * untrusted: whatever they say is checked against their number before it is used.
 * Only program headers are read; section headers may be missing or nonsense, and
 * src/sections.h reads them with that in mind.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/err.h"

#define RS_BUILD_ID_TEXT 129 /* 64 bytes in hexadecimal and a terminator */

/* One program header; addresses are those of the link, before any load bias. */
struct rs_image_segment {
	uint32_t type;  /* PT_* */
	uint32_t flags; /* PF_* */
	uint64_t offset;
	uint64_t address;
	uint64_t file_bytes;
	uint64_t memory_bytes;
	uint64_t align;
};

struct rs_image {
	uint16_t machine;  /* EM_* */
	uint16_t type;     /* ET_* */
	unsigned int bits; /* 32 or 64 */
	bool is_big_endian;
	uint32_t flags; /* of the machine */
	uint64_t entry; /* the address of the entry point; 0: none */
	/* What the header says of section headers, unchecked. */
	uint64_t sections_at;
	unsigned int n_sections;
	unsigned int section_names; /* the index of the section with their names */
	struct rs_image_segment *segments;
	size_t n_segments;
	char build_id[RS_BUILD_ID_TEXT]; /* hexadecimal; "": the image has none */
	unsigned char *bytes;            /* its own */
	size_t n_bytes;
	void *elf; /* the reader's state */
};

/*
 * Copies and reads n_bytes. name is what error sentences call the image. Returns 0,
 * -ENOEXEC (not an ELF image, or one whose headers are wrong) or -ENOMEM.
 */
int rs_image_open(struct rs_image *out, const char *name, const void *bytes,
		  size_t n_bytes, struct rs_err *err);

/* The same without a copy: takes over bytes, from malloc, also where it fails. */
int rs_image_adopt(struct rs_image *out, const char *name, void *bytes, size_t n_bytes,
		   struct rs_err *err);

/* Accepts an empty object and leaves it empty. */
void rs_image_close(struct rs_image *image);

/* True if n_bytes lie inside the image at offset. */
bool rs_image_holds(const struct rs_image *image, uint64_t offset, uint64_t n_bytes);

/*
 * Reads an unsigned number of 2, 4 or 8 bytes in the image's byte order; false, with
 * *out set to 0, when it does not lie inside the image.
 */
bool rs_image_number(const struct rs_image *image, uint64_t offset,
		     unsigned int n_bytes, uint64_t *out);

/*
 * The offset, below n_bytes, of an address that a PT_LOAD segment holds in its file
 * bytes. Returns 0 or -ENXIO.
 */
int rs_image_offset(const struct rs_image *image, uint64_t address, uint64_t *out);

/*
 * The address at which a PT_LOAD segment maps this offset of the file. Returns 0 or
 * -ENXIO.
 */
int rs_image_address(const struct rs_image *image, uint64_t offset, uint64_t *out);

/*
 * The value of the first entry of the dynamic table with this DT_* tag. Returns 0 or
 * -ENOENT: no such entry, or no dynamic table inside the image.
 */
int rs_image_dynamic(const struct rs_image *image, int64_t tag, uint64_t *out);

#endif
