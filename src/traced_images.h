#ifndef SRC_TRACED_IMAGES_H
#define SRC_TRACED_IMAGES_H

/* The images whose code a trace has seen, and what they call the places in it. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/err.h"

struct rs_traced_image {
	char *path;  /* or what stands in its place, "[vdso]" */
	void *bytes; /* of one that is in no file; else NULL */
	size_t n_bytes;
};

/* Row 0 is code that is in no image; its offsets are addresses. */
#define RS_TRACED_ANONYMOUS 0U
#define RS_TRACED_MAX       4096U /* what comes later counts as anonymous */

struct rs_traced_images {
	struct rs_traced_image *rows;
	uint32_t n_rows;
};

/* Returns 0 or -ENOMEM. */
int rs_traced_images_open(struct rs_traced_images *out);

/* Accepts an empty object and leaves it empty. */
void rs_traced_images_close(struct rs_traced_images *images);

/*
 * The row of an image, which is added if it is new. bytes are copied; NULL for a file.
 * Two of one name are one image if their bytes are the same. Without memory, row 0.
 */
uint32_t rs_traced_images_find(struct rs_traced_images *images, const char *path,
			       const void *bytes, size_t n_bytes);

/* A place in an image, and its names. */
struct rs_traced_place {
	uint32_t image;
	uint64_t offset; /* in the file */
	char *function;  /* NULL: none is known */
	uint64_t function_offset;
	uint64_t address; /* of the link; of the process, where anonymous */
	bool has_address;
};

/*
 * Finds the names of n places by what the files hold now; image and offset are given.
 * What cannot be read leaves them without names. Returns 0 or -ENOMEM. Free each
 * function.
 */
int rs_traced_images_name(const struct rs_traced_images *images,
			  struct rs_traced_place *places, size_t n);

#endif
