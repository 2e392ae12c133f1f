#include "src/image.h"

#include <stdlib.h>
#include <string.h>

#include "src/dynsym.h"
#include "tests/fuzz/fuzz.h"

/* An assert that no build type leaves out. */
static void check(int is_true)
{
	if (!is_true)
		abort();
}

/* Every string must end inside the image, every defined address be asked for. */
static void read_symbols(const struct rs_dynsym *dynsym)
{
	const struct rs_image *const image = dynsym->image;
	const char *const end = (const char *)image->bytes + image->n_bytes;
	for (size_t i = 0; i < dynsym->n_symbols; i++) {
		struct rs_symbol symbol;
		uint64_t offset = 0;
		if (rs_dynsym_get(dynsym, i, &symbol))
			continue;
		check(symbol.name + strnlen(symbol.name, image->n_bytes) < end);
		if (rs_image_offset(image, symbol.address, &offset) == 0)
			check(offset < image->n_bytes);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
	struct rs_err err = {.text = ""};
	struct rs_image image;
	struct rs_dynsym dynsym;
	if (rs_image_open(&image, "input", data, n_bytes, &err)) {
		check(strstr(err.text, "input") != NULL);
		return 0;
	}
	if (rs_dynsym_open(&dynsym, &image, "input", &err) == 0)
		read_symbols(&dynsym);
	rs_dynsym_close(&dynsym);
	rs_image_close(&image);
	return 0;
}
