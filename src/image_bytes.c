#include "src/image.h"

#include <elf.h>
#include <errno.h>

bool rs_image_holds(const struct rs_image *image, uint64_t offset, uint64_t n_bytes)
{
	return offset <= image->n_bytes && n_bytes <= image->n_bytes - offset;
}

bool rs_image_number(const struct rs_image *image, uint64_t offset,
		     unsigned int n_bytes, uint64_t *out)
{
	*out = 0;
	if (!rs_image_holds(image, offset, n_bytes))
		return false;
	for (unsigned int i = 0; i < n_bytes; i++) {
		const unsigned int at = image->is_big_endian ? i : n_bytes - 1 - i;
		*out = *out << 8 | image->bytes[offset + at];
	}
	return true;
}

int rs_image_offset(const struct rs_image *image, uint64_t address, uint64_t *out)
{
	for (size_t i = 0; i < image->n_segments; i++) {
		const struct rs_image_segment *const segment = &image->segments[i];
		if (segment->type != PT_LOAD || address < segment->address ||
		    address - segment->address >= segment->file_bytes)
			continue;
		const uint64_t inside = address - segment->address;
		if (segment->offset >= image->n_bytes ||
		    inside >= image->n_bytes - segment->offset)
			continue;
		*out = segment->offset + inside;
		return 0;
	}
	return -ENXIO;
}

int rs_image_address(const struct rs_image *image, uint64_t offset, uint64_t *out)
{
	for (size_t i = 0; i < image->n_segments; i++) {
		const struct rs_image_segment *const segment = &image->segments[i];
		if (segment->type != PT_LOAD || offset < segment->offset ||
		    offset - segment->offset >= segment->file_bytes)
			continue;
		*out = segment->address + (offset - segment->offset);
		return 0;
	}
	return -ENXIO;
}

static const struct rs_image_segment *find_segment(const struct rs_image *image,
						   uint32_t type)
{
	for (size_t i = 0; i < image->n_segments; i++) {
		if (image->segments[i].type == type)
			return &image->segments[i];
	}
	return NULL;
}

int rs_image_dynamic(const struct rs_image *image, int64_t tag, uint64_t *out)
{
	const struct rs_image_segment *const segment = find_segment(image, PT_DYNAMIC);
	if (!segment)
		return -ENOENT;
	const unsigned int word = image->bits / 8;
	const uint64_t n_entries = segment->file_bytes / (2 * word);
	/* Of a 32-bit table the tags are signed: those of one processor may be. */
	const uint64_t wanted = word == 4 ? (uint32_t)tag : (uint64_t)tag;
	for (uint64_t i = 0; i < n_entries; i++) {
		const uint64_t at = segment->offset + 2 * word * i;
		uint64_t found = DT_NULL;
		if (at < segment->offset || !rs_image_number(image, at, word, &found))
			return -ENOENT;
		if (found == DT_NULL)
			return -ENOENT;
		if (found == wanted)
			return rs_image_number(image, at + word, word, out) ? 0
									    : -ENOENT;
	}
	return -ENOENT;
}
