#include "src/dynsym.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define VERSION_INDEX 0x7fff /* the rest of a version half-word is the hidden bit */

static size_t symbol_bytes(const struct rs_image *image)
{
	return image->bits == 64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
}

/* The offset of the table whose address the dynamic entry tag holds. */
static int find_table(const struct rs_image *image, int64_t tag, uint64_t *out)
{
	uint64_t address = 0;
	const int ret = rs_image_dynamic(image, tag, &address);
	return ret ? ret : rs_image_offset(image, address, out);
}

/*
 * Words of DT_HASH are 32 bits wide, but for two ABIs that made them 64: the s390x
 * and the Alpha supplements of the System V ABI.
 */
static unsigned int hash_word(const struct rs_image *image)
{
	const bool is_wide = image->bits == 64 &&
			     (image->machine == EM_S390 || image->machine == EM_ALPHA);
	return is_wide ? 8 : 4;
}

/* DT_HASH says it: its chain has one entry per symbol. */
static int count_by_sysv(const struct rs_image *image, uint64_t *out)
{
	uint64_t hash = 0;
	const int ret = find_table(image, DT_HASH, &hash);
	if (ret)
		return ret;
	const unsigned int word = hash_word(image);
	return rs_image_number(image, hash + word, word, out) ? 0 : -EBADMSG;
}

/* The highest symbol index that any bucket starts at; 0 when all are empty. */
static int gnu_last_bucket(const struct rs_image *image, uint64_t buckets,
			   uint64_t n_buckets, uint64_t *out)
{
	*out = 0;
	if (!rs_image_holds(image, buckets, 4 * n_buckets))
		return -EBADMSG;
	for (uint64_t i = 0; i < n_buckets; i++) {
		uint64_t first = 0;
		rs_image_number(image, buckets + 4 * i, 4, &first);
		if (first > *out)
			*out = first;
	}
	return 0;
}

/*
 * DT_GNU_HASH does not say it: the table ends with the chain of the highest bucket,
 * whose last hash is odd. Its words are 32 bits wide, those of the bloom filter as
 * wide as an address.
 */
static int count_by_gnu(const struct rs_image *image, uint64_t *out)
{
	uint64_t hash = 0;
	const int ret = find_table(image, DT_GNU_HASH, &hash);
	if (ret)
		return ret;
	uint64_t n_buckets = 0;
	uint64_t first_hashed = 0;
	uint64_t n_bloom = 0;
	if (!rs_image_number(image, hash, 4, &n_buckets) ||
	    !rs_image_number(image, hash + 4, 4, &first_hashed) ||
	    !rs_image_number(image, hash + 8, 4, &n_bloom))
		return -EBADMSG;
	const uint64_t buckets = hash + 16 + n_bloom * (image->bits / 8);
	uint64_t last = 0;
	if (gnu_last_bucket(image, buckets, n_buckets, &last))
		return -EBADMSG;
	if (last < first_hashed) {
		*out = first_hashed;
		return last == 0 ? 0 : -EBADMSG;
	}
	const uint64_t chains = buckets + 4 * n_buckets;
	for (uint64_t hash_value = 0; !(hash_value & 1); last++) {
		if (!rs_image_number(image, chains + 4 * (last - first_hashed), 4,
				     &hash_value))
			return -EBADMSG;
	}
	*out = last;
	return 0;
}

/* The first count that fits in the image wins: either hash table may be stripped. */
static int count_symbols(struct rs_dynsym *dynsym)
{
	static int (*const counters[])(const struct rs_image *,
				       uint64_t *) = {count_by_sysv, count_by_gnu};
	const struct rs_image *const image = dynsym->image;
	int ret = -ENOENT;
	for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++) {
		uint64_t n = 0;
		const int counted = counters[i](image, &n);
		/* Also keeps the product below from overflowing. */
		if (counted == 0 && n <= image->n_bytes &&
		    rs_image_holds(image, dynsym->table, n * symbol_bytes(image))) {
			dynsym->n_symbols = (size_t)n;
			return 0;
		}
		if (counted != -ENOENT)
			ret = -EBADMSG;
	}
	return ret;
}

/* Cuts the string table behind its last NUL, so that every string in it ends. */
static int find_strings(struct rs_dynsym *dynsym)
{
	const struct rs_image *const image = dynsym->image;
	uint64_t n_bytes = 0;
	if (find_table(image, DT_STRTAB, &dynsym->strings) ||
	    rs_image_dynamic(image, DT_STRSZ, &n_bytes) ||
	    !rs_image_holds(image, dynsym->strings, n_bytes))
		return -EBADMSG;
	const unsigned char *const first = image->bytes + dynsym->strings;
	const unsigned char *const last = memrchr(first, '\0', (size_t)n_bytes);
	if (!last)
		return -EBADMSG;
	dynsym->n_string_bytes = (uint64_t)(last - first) + 1;
	return 0;
}

static const char *string_at(const struct rs_dynsym *dynsym, uint64_t index)
{
	if (index >= dynsym->n_string_bytes)
		return NULL;
	return (const char *)dynsym->image->bytes + dynsym->strings + index;
}

/* One entry of the chain of version definitions. */
struct verdef {
	uint64_t index;
	const char *name;
	uint64_t next; /* bytes to the next entry; 0: the last */
};

static bool read_verdef(const struct rs_dynsym *dynsym, uint64_t at, struct verdef *out)
{
	const struct rs_image *const image = dynsym->image;
	uint64_t aux = 0;
	uint64_t name = 0;
	/* Both classes have the same layout. */
	if (!rs_image_number(image, at + offsetof(Elf64_Verdef, vd_ndx), 2,
			     &out->index) ||
	    !rs_image_number(image, at + offsetof(Elf64_Verdef, vd_aux), 4, &aux) ||
	    !rs_image_number(image, at + offsetof(Elf64_Verdef, vd_next), 4,
			     &out->next) ||
	    !rs_image_number(image, at + aux + offsetof(Elf64_Verdaux, vda_name), 4,
			     &name))
		return false;
	out->index &= VERSION_INDEX;
	out->name = string_at(dynsym, name);
	return true;
}

/*
 * The name of each version index. The chain can only run forward, so that it ends at
 * the end of the image at the latest, and so does a chain that overlaps itself.
 */
static int read_versions(struct rs_dynsym *dynsym)
{
	uint64_t at = 0;
	if (find_table(dynsym->image, DT_VERSYM, &dynsym->versym) ||
	    !rs_image_holds(dynsym->image, dynsym->versym, 2 * dynsym->n_symbols) ||
	    find_table(dynsym->image, DT_VERDEF, &at)) {
		dynsym->versym = 0;
		return 0;
	}
	dynsym->n_versions = VERSION_INDEX + 1;
	dynsym->versions = calloc(dynsym->n_versions, sizeof(*dynsym->versions));
	if (!dynsym->versions)
		return -ENOMEM;
	struct verdef verdef = {.next = 1};
	for (; verdef.next && read_verdef(dynsym, at, &verdef); at += verdef.next) {
		if (verdef.index > VER_NDX_GLOBAL)
			dynsym->versions[verdef.index] = verdef.name;
	}
	return 0;
}

static int open_tables(struct rs_dynsym *dynsym, const char *name, struct rs_err *err)
{
	const struct rs_image *const image = dynsym->image;
	uint64_t address = 0;
	if (rs_image_dynamic(image, DT_SYMTAB, &address))
		return rs_err_set(err, -ENOENT, "%s has no dynamic symbol table", name);
	uint64_t each = symbol_bytes(image);
	(void)rs_image_dynamic(image, DT_SYMENT, &each);
	if (each != symbol_bytes(image) ||
	    rs_image_offset(image, address, &dynsym->table) || find_strings(dynsym))
		return rs_err_set(err, -EBADMSG,
				  "the dynamic symbol table or its strings do not fit "
				  "in the %zu bytes of %s",
				  image->n_bytes, name);
	const int ret = count_symbols(dynsym);
	if (ret == -ENOENT)
		return rs_err_set(err, -EBADMSG,
				  "%s has neither a SysV nor a GNU hash table, which "
				  "would say how many dynamic symbols there are",
				  name);
	if (ret)
		return rs_err_set(err, ret,
				  "the hash tables of %s do not fit in its %zu bytes, "
				  "or count more symbols than do",
				  name, image->n_bytes);
	if (read_versions(dynsym))
		return rs_err_set(err, -ENOMEM, "no memory for the versions of %s",
				  name);
	return 0;
}

int rs_dynsym_open(struct rs_dynsym *out, const struct rs_image *image,
		   const char *name, struct rs_err *err)
{
	*out = (struct rs_dynsym){.image = image};
	const int ret = open_tables(out, name, err);
	if (ret)
		rs_dynsym_close(out);
	return ret;
}

void rs_dynsym_close(struct rs_dynsym *dynsym)
{
	free(dynsym->versions);
	*dynsym = (struct rs_dynsym){.image = NULL};
}

static const char *version_of(const struct rs_dynsym *dynsym, size_t index)
{
	uint64_t word = 0;
	if (!dynsym->versym ||
	    !rs_image_number(dynsym->image, dynsym->versym + 2 * index, 2, &word))
		return NULL;
	return dynsym->versions[word & VERSION_INDEX];
}

/* Where the fields of a symbol are in one class. */
struct symbol_layout {
	size_t name;
	size_t info;
	size_t section;
	size_t value;
	size_t size;
	unsigned int word;
};

static const struct symbol_layout layout32 = {
    .name = offsetof(Elf32_Sym, st_name),
    .info = offsetof(Elf32_Sym, st_info),
    .section = offsetof(Elf32_Sym, st_shndx),
    .value = offsetof(Elf32_Sym, st_value),
    .size = offsetof(Elf32_Sym, st_size),
    .word = 4,
};

static const struct symbol_layout layout64 = {
    .name = offsetof(Elf64_Sym, st_name),
    .info = offsetof(Elf64_Sym, st_info),
    .section = offsetof(Elf64_Sym, st_shndx),
    .value = offsetof(Elf64_Sym, st_value),
    .size = offsetof(Elf64_Sym, st_size),
    .word = 8,
};

int rs_dynsym_get(const struct rs_dynsym *dynsym, size_t index, struct rs_symbol *out)
{
	*out = (struct rs_symbol){.name = NULL};
	if (index >= dynsym->n_symbols)
		return -ERANGE;
	const struct rs_image *const image = dynsym->image;
	const struct symbol_layout *const layout =
	    image->bits == 64 ? &layout64 : &layout32;
	const uint64_t at = dynsym->table + symbol_bytes(image) * index;
	uint64_t name = 0;
	uint64_t section = SHN_UNDEF;
	rs_image_number(image, at + layout->name, 4, &name);
	rs_image_number(image, at + layout->section, 2, &section);
	rs_image_number(image, at + layout->value, layout->word, &out->address);
	rs_image_number(image, at + layout->size, layout->word, &out->n_bytes);
	out->type = ELF64_ST_TYPE(image->bytes[at + layout->info]);
	out->bind = ELF64_ST_BIND(image->bytes[at + layout->info]);
	out->is_defined =
	    section != SHN_UNDEF && section != SHN_ABS && section != SHN_COMMON;
	out->name = string_at(dynsym, name);
	out->version = version_of(dynsym, index);
	return out->name ? 0 : -EBADMSG;
}
