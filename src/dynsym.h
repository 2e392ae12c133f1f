#ifndef SRC_DYNSYM_H
#define SRC_DYNSYM_H

/*
 * The dynamic symbols of an image and their versions, found through PT_DYNAMIC and
 * counted by either kind of hash table.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/err.h"
#include "src/image.h"

/* The strings live as long as the image. */
struct rs_symbol {
	const char *name;
	const char *version; /* NULL: it has none */
	uint64_t address;    /* of the link, before any load bias */
	uint64_t n_bytes;    /* 0: the image does not say */
	unsigned int type;   /* STT_* */
	unsigned int bind;   /* STB_* */
	bool is_defined;     /* in this image, at an address */
};

/* An open symbol table. image is borrowed and must outlive it. */
struct rs_dynsym {
	const struct rs_image *image;
	uint64_t table; /* offset of the symbols */
	size_t n_symbols;
	uint64_t strings; /* offset; n_string_bytes of them end with a NUL */
	uint64_t n_string_bytes;
	uint64_t versym;       /* offset of n_symbols half-words; 0: no versions */
	const char **versions; /* by index; NULL where none is defined */
	size_t n_versions;
};

/*
 * name is what error sentences call the image. Returns 0; -ENOENT when the image has
 * no dynamic symbol table; -EBADMSG when what it has does not fit in the image;
 * -ENOMEM. Wrong version tables only make versions absent.
 */
int rs_dynsym_open(struct rs_dynsym *out, const struct rs_image *image,
		   const char *name, struct rs_err *err);

/* Accepts an empty object and leaves it empty. */
void rs_dynsym_close(struct rs_dynsym *dynsym);

/*
 * Reads symbol index, from 0. Returns 0, -ERANGE (no such index) or -EBADMSG (its
 * name lies outside the string table).
 */
int rs_dynsym_get(const struct rs_dynsym *dynsym, size_t index, struct rs_symbol *out);

#endif
