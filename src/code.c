#include "src/code.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void add(struct rs_code *code, uint64_t address, uint64_t offset,
		uint64_t n_bytes)
{
	if (n_bytes == 0 || address + n_bytes < address)
		return;
	const bool has_address = code->image->type != ET_REL;
	code->ranges[code->n_ranges++] = (struct rs_code_range){
	    .address = address,
	    .n_bytes = n_bytes,
	    .offset = offset,
	    .base = has_address ? address : 0,
	};
}

static void add_sections(struct rs_code *code, const struct rs_sections *sections)
{
	for (size_t i = 0; i < sections->n_rows; i++) {
		const struct rs_section *const section = &sections->rows[i];
		if (section->type == SHT_PROGBITS && (section->flags & SHF_EXECINSTR))
			add(code, section->address, section->offset, section->n_bytes);
	}
}

static void add_segments(struct rs_code *code)
{
	const struct rs_image *const image = code->image;
	for (size_t i = 0; i < image->n_segments; i++) {
		const struct rs_image_segment *const segment = &image->segments[i];
		if (segment->type != PT_LOAD || !(segment->flags & PF_X) ||
		    segment->offset >= image->n_bytes)
			continue;
		const uint64_t most = image->n_bytes - segment->offset;
		add(code, segment->address, segment->offset,
		    segment->file_bytes < most ? segment->file_bytes : most);
	}
}

static int compare(const void *a, const void *b)
{
	const struct rs_code_range *const left = a;
	const struct rs_code_range *const right = b;
	return (left->address > right->address) - (left->address < right->address);
}

/* Of two that overlap, the one that starts first keeps what both have. */
static void separate(struct rs_code *code)
{
	size_t n_kept = 0;
	uint64_t end = 0;
	for (size_t i = 0; i < code->n_ranges; i++) {
		struct rs_code_range range = code->ranges[i];
		const uint64_t cut = range.address < end ? end - range.address : 0;
		if (cut >= range.n_bytes)
			continue;
		range.address += cut;
		range.offset += cut;
		range.n_bytes -= cut;
		code->ranges[n_kept++] = range;
		end = range.address + range.n_bytes;
	}
	code->n_ranges = n_kept;
}

int rs_code_open(struct rs_code *out, const struct rs_sections *sections)
{
	const struct rs_image *const image = sections->image;
	*out = (struct rs_code){.image = image};
	out->ranges =
	    calloc(sections->n_rows + image->n_segments + 1, sizeof(*out->ranges));
	if (!out->ranges)
		return -ENOMEM;
	add_sections(out, sections);
	if (out->n_ranges == 0)
		add_segments(out);
	qsort(out->ranges, out->n_ranges, sizeof(*out->ranges), compare);
	separate(out);
	return 0;
}

void rs_code_close(struct rs_code *code)
{
	free(code->ranges);
	*code = (struct rs_code){.image = NULL};
}

const struct rs_code_range *rs_code_find(const struct rs_code *code, uint64_t address)
{
	size_t low = 0;
	size_t high = code->n_ranges;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const struct rs_code_range *const range = &code->ranges[middle];
		if (address < range->address)
			high = middle;
		else if (address - range->address >= range->n_bytes)
			low = middle + 1;
		else
			return range;
	}
	return NULL;
}

const unsigned char *rs_code_at(const struct rs_code *code, uint64_t address,
				uint64_t *n_left)
{
	const struct rs_code_range *const range = rs_code_find(code, address);
	*n_left = 0;
	if (!range)
		return NULL;
	const uint64_t inside = address - range->address;
	*n_left = range->n_bytes - inside;
	return code->image->bytes + range->offset + inside;
}
