#ifndef SRC_SYMBOLS_H
#define SRC_SYMBOLS_H

/*
 * The functions of an image by address: from .symtab, from the dynamic symbols, and
 * through the function descriptors of 64-bit PowerPC's first ABI. Tables that do not
 * fit in the image are as good as missing.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/err.h"
#include "src/code.h"
#include "src/dynsym.h"
#include "src/sections.h"

struct rs_function {
	const char *name; /* lives as long as the image; NULL: none is known */
	uint64_t address; /* of its code, as struct rs_section has it */
	/* None reaches beyond its range of code, or over the start of the next unless
	 * the image says so. At least 1. */
	uint64_t n_bytes;
	bool is_sized; /* the image says n_bytes; else it is up to what comes next */
	uint8_t rank;  /* of the symbol among those of its address */
};

struct rs_symbols {
	const struct rs_image *image; /* borrowed; must outlive this */
	struct rs_sections sections;
	struct rs_code code;
	struct rs_dynsym dynsym;
	struct rs_function *functions; /* by address, one for each */
	size_t n_functions;
	size_t max_functions; /* that there is room for */
};

/* name is what error sentences call the image. Returns 0 or -ENOMEM. */
int rs_symbols_open(struct rs_symbols *out, const struct rs_image *image,
		    const char *name, struct rs_err *err);

/* Accepts an empty object and leaves it empty. */
void rs_symbols_close(struct rs_symbols *symbols);

/*
 * The function that holds an address, which is then function->address + *offset; NULL:
 * none does, and *offset is 0.
 */
const struct rs_function *rs_symbols_find(const struct rs_symbols *symbols,
					  uint64_t address, uint64_t *offset);

/*
 * More functions, from elsewhere than symbols: adds one, unless its address is not that
 * of code. n_bytes 0: not known. After the last, settle brings all in order: until then
 * nothing is to be looked up. Returns 0 or -ENOMEM.
 */
int rs_symbols_add(struct rs_symbols *symbols, const char *name, uint64_t address,
		   uint64_t n_bytes);
void rs_symbols_settle(struct rs_symbols *symbols);

/* One entry of .symtab. */
struct rs_symtab_entry {
	const char *name; /* "": none */
	uint64_t address; /* as struct rs_section has it; its value where undefined */
	uint64_t n_bytes;
	unsigned int type; /* STT_* */
	unsigned int bind; /* STB_* */
	bool is_defined;   /* in a section of this image */
};

/*
 * Reads entry index of a section of symbols. Returns 0, or -ERANGE where there is no
 * such entry, or no such section.
 */
int rs_symbols_entry(const struct rs_sections *sections, size_t section, uint64_t index,
		     struct rs_symtab_entry *out);

#endif
