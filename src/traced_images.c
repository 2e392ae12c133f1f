#include "src/traced_images.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/file.h"
#include "src/image.h"
#include "src/symbols.h"

#define MAX_FILE_BYTES 0x7fffffffU

static int add(struct rs_traced_images *images, const char *path, const void *bytes,
	       size_t n_bytes)
{
	struct rs_traced_image *const grown =
	    reallocarray(images->rows, images->n_rows + 1, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	images->rows = grown;
	struct rs_traced_image row = {.path = strdup(path), .n_bytes = n_bytes};
	if (bytes)
		row.bytes = malloc(n_bytes + 1);
	if (!row.path || (bytes && !row.bytes)) {
		free(row.path);
		free(row.bytes);
		return -ENOMEM;
	}
	if (bytes)
		memcpy(row.bytes, bytes, n_bytes);
	images->rows[images->n_rows++] = row;
	return 0;
}

int rs_traced_images_open(struct rs_traced_images *out)
{
	*out = (struct rs_traced_images){.rows = NULL};
	return add(out, "[anonymous]", NULL, 0);
}

void rs_traced_images_close(struct rs_traced_images *images)
{
	for (uint32_t i = 0; i < images->n_rows; i++) {
		free(images->rows[i].path);
		free(images->rows[i].bytes);
	}
	free(images->rows);
	*images = (struct rs_traced_images){.rows = NULL};
}

static bool is_it(const struct rs_traced_image *row, const char *path,
		  const void *bytes, size_t n_bytes)
{
	return strcmp(row->path, path) == 0 && !row->bytes == !bytes &&
	       (!bytes ||
		(row->n_bytes == n_bytes && memcmp(row->bytes, bytes, n_bytes) == 0));
}

uint32_t rs_traced_images_find(struct rs_traced_images *images, const char *path,
			       const void *bytes, size_t n_bytes)
{
	for (uint32_t i = 1; i < images->n_rows; i++) {
		if (is_it(&images->rows[i], path, bytes, n_bytes))
			return i;
	}
	if (images->n_rows == RS_TRACED_MAX || add(images, path, bytes, n_bytes))
		return RS_TRACED_ANONYMOUS;
	return images->n_rows - 1;
}

static int read_image(struct rs_image *out, const struct rs_traced_image *row)
{
	struct rs_err ignored;
	char *bytes = NULL;
	size_t n_bytes = 0;
	if (row->bytes)
		return rs_image_open(out, row->path, row->bytes, row->n_bytes,
				     &ignored);
	const int ret = rs_file_read_all(row->path, MAX_FILE_BYTES, &bytes, &n_bytes);
	return ret ? ret : rs_image_adopt(out, row->path, bytes, n_bytes, &ignored);
}

static int name_one(struct rs_traced_place *place, const struct rs_image *image,
		    const struct rs_symbols *symbols)
{
	if (rs_image_address(image, place->offset, &place->address))
		return 0;
	place->has_address = true;
	const struct rs_function *const function =
	    rs_symbols_find(symbols, place->address, &place->function_offset);
	if (!function || !function->name)
		return 0;
	place->function = strdup(function->name);
	return place->function ? 0 : -ENOMEM;
}

static int name_all(const struct rs_traced_images *images, uint32_t index,
		    struct rs_traced_place *places, size_t n)
{
	struct rs_image image;
	struct rs_symbols symbols;
	struct rs_err ignored;
	const struct rs_traced_image *const row = &images->rows[index];
	int ret = read_image(&image, row);
	if (ret)
		return ret == -ENOMEM ? ret : 0;
	ret = rs_symbols_open(&symbols, &image, row->path, &ignored);
	if (!ret) {
		for (size_t i = 0; i < n && !ret; i++) {
			if (places[i].image == index)
				ret = name_one(&places[i], &image, &symbols);
		}
		rs_symbols_close(&symbols);
	}
	rs_image_close(&image);
	return ret;
}

int rs_traced_images_name(const struct rs_traced_images *images,
			  struct rs_traced_place *places, size_t n)
{
	int ret = 0;
	for (size_t i = 0; i < n; i++) {
		places[i].function = NULL;
		places[i].has_address = places[i].image == RS_TRACED_ANONYMOUS;
		places[i].address = places[i].offset;
	}
	for (size_t i = 0; i < n && !ret; i++) {
		bool is_first = places[i].image != RS_TRACED_ANONYMOUS;
		for (size_t k = 0; k < i && is_first; k++)
			is_first = places[k].image != places[i].image;
		if (is_first)
			ret = name_all(images, places[i].image, &places[i], n - i);
	}
	return ret;
}
