#include "src/sections.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Where a class has the fields of a section header, and how wide most of them are. */
struct layout {
	unsigned int n_bytes;
	unsigned int word;
	unsigned int flags;
	unsigned int address;
	unsigned int offset;
	unsigned int size;
	unsigned int link;
	unsigned int info;
	unsigned int entry_bytes;
};

static const struct layout layouts[] = {
    {sizeof(Elf32_Shdr), 4, offsetof(Elf32_Shdr, sh_flags),
     offsetof(Elf32_Shdr, sh_addr), offsetof(Elf32_Shdr, sh_offset),
     offsetof(Elf32_Shdr, sh_size), offsetof(Elf32_Shdr, sh_link),
     offsetof(Elf32_Shdr, sh_info), offsetof(Elf32_Shdr, sh_entsize)},
    {sizeof(Elf64_Shdr), 8, offsetof(Elf64_Shdr, sh_flags),
     offsetof(Elf64_Shdr, sh_addr), offsetof(Elf64_Shdr, sh_offset),
     offsetof(Elf64_Shdr, sh_size), offsetof(Elf64_Shdr, sh_link),
     offsetof(Elf64_Shdr, sh_info), offsetof(Elf64_Shdr, sh_entsize)},
};

static const struct layout *layout_of(const struct rs_image *image)
{
	return &layouts[image->bits == 64];
}

/* 0 outside the image, which every table of section headers survives. */
static uint64_t number(const struct rs_image *image, uint64_t at, unsigned int n_bytes)
{
	uint64_t value = 0;
	rs_image_number(image, at, n_bytes, &value);
	return value;
}

static void read_section(struct rs_section *out, const struct rs_image *image,
			 uint64_t at)
{
	const struct layout *const layout = layout_of(image);
	const unsigned int word = layout->word;
	out->name = "";
	out->type = (uint32_t)number(image, at + offsetof(Elf64_Shdr, sh_type), 4);
	out->flags = number(image, at + layout->flags, word);
	out->address = number(image, at + layout->address, word);
	out->offset = number(image, at + layout->offset, word);
	out->n_bytes = number(image, at + layout->size, word);
	out->link = (uint32_t)number(image, at + layout->link, 4);
	out->info = (uint32_t)number(image, at + layout->info, 4);
	out->entry_bytes = number(image, at + layout->entry_bytes, word);
	if (image->type == ET_REL)
		out->address = out->offset;
	if (out->type != SHT_NOBITS &&
	    !rs_image_holds(image, out->offset, out->n_bytes))
		out->n_bytes = 0;
}

/* A number too large for the file header is in the section header of index 0. */
static uint64_t count(const struct rs_image *image)
{
	if (image->sections_at == 0)
		return 0;
	if (image->n_sections)
		return image->n_sections;
	const struct layout *const layout = layout_of(image);
	return number(image, image->sections_at + layout->size, layout->word);
}

static size_t index_of_names(const struct rs_sections *sections)
{
	const unsigned int index = sections->image->section_names;
	if (index == SHN_XINDEX && sections->n_rows)
		return sections->rows[0].link;
	return index;
}

int rs_sections_open(struct rs_sections *out, const struct rs_image *image)
{
	const struct layout *const layout = layout_of(image);
	const uint64_t n = count(image);
	*out = (struct rs_sections){.image = image};
	/* The first test keeps the product from overflowing. */
	if (n == 0 || n > image->n_bytes ||
	    !rs_image_holds(image, image->sections_at, n * layout->n_bytes))
		return 0;
	out->rows = calloc((size_t)n, sizeof(*out->rows));
	if (!out->rows)
		return -ENOMEM;
	out->n_rows = (size_t)n;
	for (size_t i = 0; i < out->n_rows; i++)
		read_section(&out->rows[i], image,
			     image->sections_at + i * layout->n_bytes);
	for (size_t i = 0; i < out->n_rows; i++) {
		const uint64_t at = image->sections_at + i * layout->n_bytes;
		const char *const name = rs_sections_string(
		    out, index_of_names(out),
		    number(image, at + offsetof(Elf64_Shdr, sh_name), 4));
		out->rows[i].name = name ? name : "";
	}
	return 0;
}

void rs_sections_close(struct rs_sections *sections)
{
	free(sections->rows);
	*sections = (struct rs_sections){.image = NULL};
}

const struct rs_section *rs_sections_find(const struct rs_sections *sections,
					  uint32_t type, const char *name)
{
	for (size_t i = 0; i < sections->n_rows; i++) {
		const struct rs_section *const section = &sections->rows[i];
		if (section->type == type &&
		    (!name || strcmp(section->name, name) == 0))
			return section;
	}
	return NULL;
}

const char *rs_sections_string(const struct rs_sections *sections, size_t section,
			       uint64_t index)
{
	if (section >= sections->n_rows)
		return NULL;
	const struct rs_section *const strings = &sections->rows[section];
	if (strings->type == SHT_NOBITS || index >= strings->n_bytes)
		return NULL;
	const unsigned char *const first = sections->image->bytes + strings->offset;
	const char *const text = (const char *)first + index;
	return memchr(text, '\0', (size_t)(strings->n_bytes - index)) ? text : NULL;
}
