#ifndef TESTS_UNIT_ELFBUILD_H
#define TESTS_UNIT_ELFBUILD_H

/*
 * Builds small ELF images in the manner of a vDSO, of either class and byte order,
 * byte by byte: so that tests do not depend on a linker or on the code under test.
 */

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ELFBUILD_MAX_BYTES 4096
#define ELFBUILD_BUILD_ID  "0123456789abcdef0123456789abcdef01234567"
#define ELFBUILD_VERSION   "LINUX_2.6"
#define ELFBUILD_CODE      32 /* bytes of (zero) code at the end of the image */

enum elfbuild_section {
	ELFBUILD_UNDEFINED,
	ELFBUILD_DEFINED,
	ELFBUILD_ABSOLUTE
};

struct elfbuild_symbol {
	const char *name; /* NULL ends a list */
	unsigned int type;
	unsigned int bind;
	unsigned int version; /* 0 local, 1 the image's own, 2 ELFBUILD_VERSION */
	enum elfbuild_section section;
	unsigned int code_offset; /* from the start of the code */
	unsigned int n_bytes;
};

struct elfbuild_spec {
	const char *name;
	unsigned int bits;
	bool is_big_endian;
	uint16_t machine;
	bool has_sysv;
	bool has_gnu;
	bool has_versions;
	bool has_wild_sections; /* section headers far outside the image */
	uint64_t address;       /* of the link */
	const struct elfbuild_symbol *symbols; /* behind the null symbol */
};

/* An assert that no build type leaves out. */
static inline void elfbuild_check(bool is_true)
{
	if (!is_true)
		abort();
}

/* An image and where its tables are. */
struct elfbuild {
	const struct elfbuild_spec *spec;
	unsigned char bytes[ELFBUILD_MAX_BYTES];
	size_t n_bytes;
	size_t n_symbols; /* with the null symbol */
	size_t phdr;
	size_t symtab;
	size_t strtab;
	size_t n_strtab;
	size_t sysv;
	size_t gnu;
	size_t versym;
	size_t verdef;
	size_t note;
	size_t n_note;
	size_t dynamic;
	size_t n_dynamic;
	size_t code;
};

static inline void elfbuild_set(struct elfbuild *image, size_t at, uint64_t value,
				size_t n_bytes)
{
	elfbuild_check(at + n_bytes <= sizeof(image->bytes));
	for (size_t i = 0; i < n_bytes; i++) {
		const size_t shift = image->spec->is_big_endian ? n_bytes - 1 - i : i;
		image->bytes[at + i] = (unsigned char)(value >> (8 * shift));
	}
}

static inline void elfbuild_put(struct elfbuild *image, uint64_t value, size_t n_bytes)
{
	elfbuild_set(image, image->n_bytes, value, n_bytes);
	image->n_bytes += n_bytes;
}

static inline size_t elfbuild_word(const struct elfbuild *image)
{
	return image->spec->bits / 8;
}

static inline size_t elfbuild_align(struct elfbuild *image)
{
	image->n_bytes = (image->n_bytes + 7) / 8 * 8;
	elfbuild_check(image->n_bytes <= sizeof(image->bytes));
	return image->n_bytes;
}

/* Appends text with its NUL; returns its index in the string table. */
static inline size_t elfbuild_string(struct elfbuild *image, const char *text)
{
	const size_t at = image->n_bytes - image->strtab;
	elfbuild_check(image->n_bytes + strlen(text) < sizeof(image->bytes));
	memcpy(image->bytes + image->n_bytes, text, strlen(text) + 1);
	image->n_bytes += strlen(text) + 1;
	return at;
}

static inline void elfbuild_symbol_put(struct elfbuild *image, size_t name,
				       const struct elfbuild_symbol *symbol)
{
	static const uint16_t sections[] = {
	    [ELFBUILD_UNDEFINED] = SHN_UNDEF,
	    [ELFBUILD_DEFINED] = 1,
	    [ELFBUILD_ABSOLUTE] = SHN_ABS,
	};
	const size_t word = elfbuild_word(image);
	const unsigned int info = ELF64_ST_INFO(symbol->bind, symbol->type);
	const uint64_t value =
	    symbol->section == ELFBUILD_DEFINED
		? image->spec->address + image->code + symbol->code_offset
		: 0;
	elfbuild_put(image, name, 4);
	if (word == 4) {
		elfbuild_put(image, value, 4);
		elfbuild_put(image, symbol->n_bytes, 4);
	}
	elfbuild_put(image, info, 1);
	elfbuild_put(image, 0, 1);
	elfbuild_put(image, sections[symbol->section], 2);
	if (word == 8) {
		elfbuild_put(image, value, 8);
		elfbuild_put(image, symbol->n_bytes, 8);
	}
}

/* The code comes first, so that symbols know where it is. */
static inline void elfbuild_symbols(struct elfbuild *image)
{
	const struct elfbuild_symbol *const symbols = image->spec->symbols;
	static const struct elfbuild_symbol null = {.name = NULL};
	size_t names[32] = {0};
	size_t n = 0;
	image->code = elfbuild_align(image);
	image->n_bytes += ELFBUILD_CODE;
	image->strtab = image->n_bytes;
	elfbuild_string(image, "");
	for (; symbols[n].name; n++)
		names[n] = elfbuild_string(image, symbols[n].name);
	image->n_strtab = image->n_bytes - image->strtab;
	image->symtab = elfbuild_align(image);
	elfbuild_symbol_put(image, 0, &null);
	for (size_t i = 0; i < n; i++)
		elfbuild_symbol_put(image, names[i], &symbols[i]);
	image->n_symbols = n + 1;
}

static inline void elfbuild_sysv(struct elfbuild *image)
{
	const bool is_wide = image->spec->machine == EM_S390 && image->spec->bits == 64;
	const size_t word = is_wide ? 8 : 4;
	image->sysv = elfbuild_align(image);
	elfbuild_put(image, 1, word);
	elfbuild_put(image, image->n_symbols, word);
	elfbuild_put(image, image->n_symbols - 1, word);
	for (size_t i = 0; i < image->n_symbols; i++)
		elfbuild_put(image, i ? i - 1 : 0, word);
}

/* Hash values are made up: all that a reader may need of them is their lowest bit. */
static inline void elfbuild_gnu(struct elfbuild *image)
{
	image->gnu = elfbuild_align(image);
	elfbuild_put(image, 1, 4);
	elfbuild_put(image, 1, 4);
	elfbuild_put(image, 1, 4);
	elfbuild_put(image, 0, 4);
	elfbuild_put(image, UINT64_MAX, elfbuild_word(image));
	elfbuild_put(image, 1, 4);
	for (size_t i = 1; i < image->n_symbols; i++)
		elfbuild_put(image, i + 1 == image->n_symbols ? 0x11 : 0x10, 4);
}

static inline void elfbuild_verdef_put(struct elfbuild *image, unsigned int index,
				       size_t name, size_t next)
{
	elfbuild_put(image, VER_DEF_CURRENT, 2);
	elfbuild_put(image, index == 1 ? VER_FLG_BASE : 0, 2);
	elfbuild_put(image, index, 2);
	elfbuild_put(image, 1, 2);
	elfbuild_put(image, 0, 4);
	elfbuild_put(image, sizeof(Elf64_Verdef), 4);
	elfbuild_put(image, next, 4);
	elfbuild_put(image, name, 4);
	elfbuild_put(image, 0, 4);
}

/* The name of a version is that of its absolute symbol. */
static inline void elfbuild_versions(struct elfbuild *image)
{
	const struct elfbuild_symbol *const symbols = image->spec->symbols;
	const unsigned char *const found =
	    memmem(image->bytes + image->strtab, image->n_strtab, ELFBUILD_VERSION,
		   sizeof(ELFBUILD_VERSION));
	elfbuild_check(found);
	image->versym = elfbuild_align(image);
	elfbuild_put(image, 0, 2);
	for (size_t i = 0; symbols[i].name; i++)
		elfbuild_put(image, symbols[i].version, 2);
	const size_t each = sizeof(Elf64_Verdef) + sizeof(Elf64_Verdaux);
	image->verdef = elfbuild_align(image);
	elfbuild_verdef_put(image, 1, 0, each);
	elfbuild_verdef_put(image, 2, (size_t)(found - image->bytes) - image->strtab,
			    0);
}

static inline void elfbuild_notes(struct elfbuild *image)
{
	image->note = elfbuild_align(image);
	elfbuild_put(image, sizeof("Linux"), 4);
	elfbuild_put(image, 4, 4);
	elfbuild_put(image, 0, 4);
	memcpy(image->bytes + image->n_bytes, "Linux\0\0\0\1\2\3\4", 12);
	image->n_bytes += 12;
	const char *const hex = ELFBUILD_BUILD_ID;
	elfbuild_put(image, sizeof(ELF_NOTE_GNU), 4);
	elfbuild_put(image, strlen(hex) / 2, 4);
	elfbuild_put(image, NT_GNU_BUILD_ID, 4);
	memcpy(image->bytes + image->n_bytes, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU));
	image->n_bytes += sizeof(ELF_NOTE_GNU);
	for (size_t i = 0; i < strlen(hex); i += 2) {
		const char digits[] = "0123456789abcdef";
		const long high = strchr(digits, hex[i]) - digits;
		const long low = strchr(digits, hex[i + 1]) - digits;
		elfbuild_put(image, (uint64_t)(high << 4 | low), 1);
	}
	image->n_note = image->n_bytes - image->note;
}

static inline void elfbuild_dynamic_put(struct elfbuild *image, int64_t tag,
					uint64_t value)
{
	elfbuild_put(image, (uint64_t)tag, elfbuild_word(image));
	elfbuild_put(image, value, elfbuild_word(image));
}

static inline void elfbuild_dynamic(struct elfbuild *image)
{
	const uint64_t base = image->spec->address;
	const size_t symbol =
	    image->spec->bits == 64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	image->dynamic = elfbuild_align(image);
	elfbuild_dynamic_put(image, DT_STRTAB, base + image->strtab);
	elfbuild_dynamic_put(image, DT_STRSZ, image->n_strtab);
	elfbuild_dynamic_put(image, DT_SYMTAB, base + image->symtab);
	elfbuild_dynamic_put(image, DT_SYMENT, symbol);
	if (image->sysv)
		elfbuild_dynamic_put(image, DT_HASH, base + image->sysv);
	if (image->gnu)
		elfbuild_dynamic_put(image, DT_GNU_HASH, base + image->gnu);
	if (image->versym) {
		elfbuild_dynamic_put(image, DT_VERSYM, base + image->versym);
		elfbuild_dynamic_put(image, DT_VERDEF, base + image->verdef);
		elfbuild_dynamic_put(image, DT_VERDEFNUM, 2);
	}
	elfbuild_dynamic_put(image, DT_NULL, 0);
	image->n_dynamic = image->n_bytes - image->dynamic;
}

static inline void elfbuild_phdr(struct elfbuild *image, size_t *at, uint32_t type,
				 size_t offset, size_t n_bytes, size_t align)
{
	const size_t word = elfbuild_word(image);
	const uint64_t address = image->spec->address + offset;
	const uint64_t fields64[] = {type,    PF_R | PF_X, offset,  address,
				     address, n_bytes,     n_bytes, align};
	const uint64_t fields32[] = {type,    offset,  address,     address,
				     n_bytes, n_bytes, PF_R | PF_X, align};
	for (size_t i = 0; i < 8; i++) {
		const size_t each = word == 8 && i < 2 ? 4 : word;
		elfbuild_set(image, *at, word == 8 ? fields64[i] : fields32[i], each);
		*at += each;
	}
}

#define ELFBUILD_N_PHDRS 3

static inline void elfbuild_header(struct elfbuild *image)
{
	const struct elfbuild_spec *const spec = image->spec;
	const size_t word = elfbuild_word(image);
	const bool is_64 = word == 8;
	const unsigned char ident[EI_NIDENT] = {
	    ELFMAG0,
	    ELFMAG1,
	    ELFMAG2,
	    ELFMAG3,
	    is_64 ? ELFCLASS64 : ELFCLASS32,
	    spec->is_big_endian ? ELFDATA2MSB : ELFDATA2LSB,
	    EV_CURRENT,
	};
	const uint64_t wild = spec->has_wild_sections ? 0x7ffffff0 : 0;
	memcpy(image->bytes, ident, sizeof(ident));
	image->n_bytes = sizeof(ident);
	elfbuild_put(image, ET_DYN, 2);
	elfbuild_put(image, spec->machine, 2);
	elfbuild_put(image, EV_CURRENT, 4);
	elfbuild_put(image, 0, word);
	elfbuild_put(image, is_64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr), word);
	elfbuild_put(image, wild, word);
	elfbuild_put(image, 0, 4);
	elfbuild_put(image, is_64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr), 2);
	elfbuild_put(image, is_64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr), 2);
	elfbuild_put(image, ELFBUILD_N_PHDRS, 2);
	elfbuild_put(image, is_64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr), 2);
	elfbuild_put(image, wild ? 0xfff0 : 0, 2);
	elfbuild_put(image, wild ? 0xffef : 0, 2);
}

static inline void elfbuild_make(struct elfbuild *image,
				 const struct elfbuild_spec *spec)
{
	*image = (struct elfbuild){.spec = spec};
	elfbuild_header(image);
	image->phdr = image->n_bytes;
	image->n_bytes += ELFBUILD_N_PHDRS *
			  (spec->bits == 64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr));
	elfbuild_symbols(image);
	if (spec->has_sysv)
		elfbuild_sysv(image);
	if (spec->has_gnu)
		elfbuild_gnu(image);
	if (spec->has_versions)
		elfbuild_versions(image);
	elfbuild_notes(image);
	elfbuild_dynamic(image);
	size_t at = image->phdr;
	elfbuild_phdr(image, &at, PT_LOAD, 0, image->n_bytes, 4096);
	elfbuild_phdr(image, &at, PT_DYNAMIC, image->dynamic, image->n_dynamic, 8);
	elfbuild_phdr(image, &at, PT_NOTE, image->note, image->n_note, 4);
}

#endif
