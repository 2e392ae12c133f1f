#include "src/image.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gelf.h>
#include <libelf.h>

/* Moves a number of the header into *out and leaves 0 behind. */
static void take_number(struct rs_image *image, size_t offset, unsigned int n_bytes,
			uint64_t *out)
{
	if (rs_image_number(image, offset, n_bytes, out))
		memset(image->bytes + offset, 0, n_bytes);
}

/*
 * Where the section header table lies and how long it is are taken out of the copy:
 * in a loaded image they point outside it or at anything, and libelf sizes its own
 * tables by them.
 */
static void take_sections(struct rs_image *image)
{
	const bool is_64 = image->bytes[EI_CLASS] == ELFCLASS64;
	uint64_t n = 0;
	uint64_t names = 0;
	image->is_big_endian = image->bytes[EI_DATA] == ELFDATA2MSB;
	take_number(image,
		    is_64 ? offsetof(Elf64_Ehdr, e_shoff)
			  : offsetof(Elf32_Ehdr, e_shoff),
		    is_64 ? 8 : 4, &image->sections_at);
	take_number(image,
		    is_64 ? offsetof(Elf64_Ehdr, e_shnum)
			  : offsetof(Elf32_Ehdr, e_shnum),
		    2, &n);
	take_number(image,
		    is_64 ? offsetof(Elf64_Ehdr, e_shstrndx)
			  : offsetof(Elf32_Ehdr, e_shstrndx),
		    2, &names);
	image->n_sections = (unsigned int)n;
	image->section_names = (unsigned int)names;
}

static int read_header(struct rs_image *image, const char *name, GElf_Ehdr *header,
		       struct rs_err *err)
{
	if (image->n_bytes < sizeof(Elf32_Ehdr) ||
	    memcmp(image->bytes, ELFMAG, SELFMAG) != 0)
		return rs_err_set(err, -ENOEXEC,
				  "%s is not an ELF image: its %zu bytes "
				  "do not start with an ELF header",
				  name, image->n_bytes);
	take_sections(image);
	(void)elf_version(EV_CURRENT);
	image->elf = elf_memory((char *)image->bytes, image->n_bytes);
	if (!image->elf || !gelf_getehdr(image->elf, header))
		return rs_err_set(err, -ENOEXEC, "the ELF header of %s is wrong: %s",
				  name, elf_errmsg(-1));
	image->machine = header->e_machine;
	image->type = header->e_type;
	image->flags = header->e_flags;
	image->entry = header->e_entry;
	image->bits = header->e_ident[EI_CLASS] == ELFCLASS64 ? 64 : 32;
	image->is_big_endian = header->e_ident[EI_DATA] == ELFDATA2MSB;
	return 0;
}

static int read_segments(struct rs_image *image, const char *name,
			 const GElf_Ehdr *header, struct rs_err *err)
{
	const size_t each = gelf_fsize(image->elf, ELF_T_PHDR, 1, EV_CURRENT);
	const size_t n = header->e_phnum;
	if (n == 0)
		return 0;
	/* PN_XNUM keeps the number in a section header, which is not read. */
	if (n == PN_XNUM || header->e_phentsize != each ||
	    !rs_image_holds(image, header->e_phoff, n * each))
		return rs_err_set(err, -ENOEXEC,
				  "the program headers of %s (%zu of %u bytes at "
				  "offset %#llx) do not fit in its %zu bytes",
				  name, n, (unsigned int)header->e_phentsize,
				  (unsigned long long)header->e_phoff, image->n_bytes);
	image->segments = calloc(n, sizeof(*image->segments));
	if (!image->segments)
		return rs_err_set(err, -ENOMEM, "no memory for the segments of %s",
				  name);
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr phdr;
		if (!gelf_getphdr(image->elf, (int)i, &phdr))
			return rs_err_set(err, -ENOEXEC,
					  "program header %zu of %s cannot be read: "
					  "%s",
					  i, name, elf_errmsg(-1));
		image->segments[i] = (struct rs_image_segment){
		    .type = phdr.p_type,
		    .flags = phdr.p_flags,
		    .offset = phdr.p_offset,
		    .address = phdr.p_vaddr,
		    .file_bytes = phdr.p_filesz,
		    .memory_bytes = phdr.p_memsz,
		    .align = phdr.p_align,
		};
	}
	image->n_segments = n;
	return 0;
}

/* False if the note is not a build-id, or one of no or of unheard-of length. */
static bool take_build_id(struct rs_image *image, const unsigned char *data,
			  const GElf_Nhdr *note, size_t name_at, size_t desc_at)
{
	if (note->n_type != NT_GNU_BUILD_ID || note->n_namesz != sizeof(ELF_NOTE_GNU) ||
	    memcmp(data + name_at, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) != 0 ||
	    note->n_descsz == 0 || note->n_descsz > (RS_BUILD_ID_TEXT - 1) / 2)
		return false;
	for (size_t i = 0; i < note->n_descsz; i++)
		snprintf(image->build_id + 2 * i, 3, "%02x", data[desc_at + i]);
	return true;
}

static bool read_notes(struct rs_image *image, const struct rs_image_segment *segment)
{
	if (!rs_image_holds(image, segment->offset, segment->file_bytes))
		return false;
	Elf_Data *const data = elf_getdata_rawchunk(
	    image->elf, (int64_t)segment->offset, (size_t)segment->file_bytes,
	    segment->align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
	if (!data)
		return false;
	GElf_Nhdr note;
	size_t name_at = 0;
	size_t desc_at = 0;
	for (size_t at = 0;
	     (at = gelf_getnote(data, at, &note, &name_at, &desc_at)) > 0;) {
		if (take_build_id(image, data->d_buf, &note, name_at, desc_at))
			return true;
	}
	return false;
}

static void read_build_id(struct rs_image *image)
{
	for (size_t i = 0; i < image->n_segments; i++) {
		const struct rs_image_segment *const segment = &image->segments[i];
		if (segment->type == PT_NOTE && read_notes(image, segment))
			return;
	}
}

int rs_image_adopt(struct rs_image *out, const char *name, void *bytes, size_t n_bytes,
		   struct rs_err *err)
{
	*out = (struct rs_image){.bytes = bytes, .n_bytes = n_bytes};
	GElf_Ehdr header;
	int ret = read_header(out, name, &header, err);
	if (!ret)
		ret = read_segments(out, name, &header, err);
	if (ret)
		rs_image_close(out);
	else
		read_build_id(out);
	return ret;
}

int rs_image_open(struct rs_image *out, const char *name, const void *bytes,
		  size_t n_bytes, struct rs_err *err)
{
	*out = (struct rs_image){.bytes = NULL};
	void *const copy = malloc(n_bytes ? n_bytes : 1);
	if (!copy)
		return rs_err_set(err, -ENOMEM, "no memory for %zu bytes of %s",
				  n_bytes, name);
	memcpy(copy, bytes, n_bytes);
	return rs_image_adopt(out, name, copy, n_bytes, err);
}

void rs_image_close(struct rs_image *image)
{
	elf_end(image->elf);
	free(image->segments);
	free(image->bytes);
	*image = (struct rs_image){.bytes = NULL};
}
