/*
 * rs_image_open for images of this program's own class and byte order, such as its
 * vDSO: what src/image.c does with libelf, without it.
 */

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "src/image.h"

#define IS_BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
#define NATIVE_DATA   (IS_BIG_ENDIAN ? ELFDATA2MSB : ELFDATA2LSB)
#define NATIVE_CLASS  (sizeof(long) == 8 ? ELFCLASS64 : ELFCLASS32)

static bool is_native(const struct rs_image *image, ElfW(Ehdr) * header)
{
	if (image->n_bytes < sizeof(*header))
		return false;
	memcpy(header, image->bytes, sizeof(*header));
	return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
	       header->e_ident[EI_CLASS] == NATIVE_CLASS &&
	       header->e_ident[EI_DATA] == NATIVE_DATA &&
	       header->e_phentsize == sizeof(ElfW(Phdr)) &&
	       rs_image_holds(image, header->e_phoff,
			      (uint64_t)header->e_phnum * sizeof(ElfW(Phdr)));
}

static int read_segments(struct rs_image *image, const ElfW(Ehdr) * header)
{
	image->segments = calloc(header->e_phnum + 1U, sizeof(*image->segments));
	if (!image->segments)
		return -ENOMEM;
	for (size_t i = 0; i < header->e_phnum; i++) {
		ElfW(Phdr) phdr;
		memcpy(&phdr, image->bytes + header->e_phoff + i * sizeof(phdr),
		       sizeof(phdr));
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
	image->n_segments = header->e_phnum;
	return 0;
}

int rs_image_open(struct rs_image *out, const char *name, const void *bytes,
		  size_t n_bytes, struct rs_err *err)
{
	ElfW(Ehdr) header;
	*out = (struct rs_image){
	    .bits = 8 * sizeof(long),
	    .is_big_endian = IS_BIG_ENDIAN,
	    .bytes = malloc(n_bytes + 1),
	    .n_bytes = n_bytes,
	};
	int ret = -ENOMEM;
	if (!out->bytes)
		goto out;
	memcpy(out->bytes, bytes, n_bytes);
	ret = -ENOEXEC;
	if (!is_native(out, &header))
		goto out;
	out->machine = header.e_machine;
	out->type = header.e_type;
	ret = read_segments(out, &header);
out:
	if (!ret)
		return 0;
	rs_image_close(out);
	return rs_err_set(err, ret,
			  ret == -ENOMEM ? "no memory for a copy of %s"
					 : "%s is no ELF image of this program's kind",
			  name);
}

void rs_image_close(struct rs_image *image)
{
	free(image->segments);
	free(image->bytes);
	*image = (struct rs_image){.bytes = NULL};
}
