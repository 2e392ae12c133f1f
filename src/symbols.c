#include "src/symbols.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define EF_PPC64_ABI_MASK 3U
#define PPC64_ELFV1       1U /* 0: does not say, which old images do not */
#define MAX_STEPS_BACK    64 /* over functions inside a larger one */

/* What a symbol says about a function; see rank_of. */
struct claim {
	const char *name;
	uint64_t address;
	uint64_t n_bytes;
	uint8_t rank;
};

/* Where names share an address: functions first, then those of wider binding. */
static uint8_t rank_of(unsigned int type, unsigned int bind, uint64_t n_bytes)
{
	const unsigned int is_typed = type != STT_NOTYPE;
	const unsigned int is_sized = n_bytes > 0;
	const unsigned int width = bind == STB_LOCAL ? 0 : bind == STB_WEAK ? 1 : 2;
	return (uint8_t)(1 + is_typed * 8 + is_sized * 4 + width);
}

/*
 * In hand-written assembly a function may lack its type. Local labels without a type
 * are within functions, and some only tell code from data.
 */
static bool may_be_function(unsigned int type, unsigned int bind)
{
	return type == STT_FUNC || type == STT_GNU_IFUNC ||
	       (type == STT_NOTYPE && bind != STB_LOCAL);
}

static bool has_descriptors(const struct rs_image *image)
{
	return image->machine == EM_PPC64 && image->is_big_endian &&
	       (image->flags & EF_PPC64_ABI_MASK) <= PPC64_ELFV1;
}

/*
 * The symbol of a function is that of its descriptor, three words in data of which
 * the first is the address of the code. The vDSO's are the code's own.
 */
static bool resolve_descriptor(const struct rs_symbols *symbols, uint64_t *address)
{
	const struct rs_image *const image = symbols->image;
	uint64_t offset = *address;
	if (!has_descriptors(image) || rs_code_find(&symbols->code, *address))
		return true;
	if (image->type != ET_REL && rs_image_offset(image, *address, &offset))
		return false;
	return rs_image_number(image, offset, 8, address);
}

static int make_room(struct rs_symbols *symbols)
{
	if (symbols->n_functions < symbols->max_functions)
		return 0;
	const size_t max = symbols->max_functions ? 2 * symbols->max_functions : 64;
	struct rs_function *const grown =
	    reallocarray(symbols->functions, max, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	symbols->functions = grown;
	symbols->max_functions = max;
	return 0;
}

/* Keeps what lies in code, cut to the code's end. */
static int add(struct rs_symbols *symbols, const struct claim *claim)
{
	uint64_t n_left = 0;
	if (!rs_code_at(&symbols->code, claim->address, &n_left))
		return 0;
	const int ret = make_room(symbols);
	if (ret)
		return ret;
	symbols->functions[symbols->n_functions++] = (struct rs_function){
	    .name = claim->name,
	    .address = claim->address,
	    .n_bytes = claim->n_bytes < n_left ? claim->n_bytes : n_left,
	    .is_sized = claim->n_bytes > 0,
	    .rank = claim->rank,
	};
	return 0;
}

static int add_symbol(struct rs_symbols *symbols, const struct rs_symtab_entry *symbol)
{
	struct claim claim = {
	    .name = symbol->name,
	    .address = symbol->address,
	    .n_bytes = symbol->n_bytes,
	    .rank = rank_of(symbol->type, symbol->bind, symbol->n_bytes),
	};
	if (!symbol->is_defined || !symbol->name[0] ||
	    !may_be_function(symbol->type, symbol->bind) ||
	    !resolve_descriptor(symbols, &claim.address))
		return 0;
	return add(symbols, &claim);
}

/* The layouts of the two classes: where a symbol has what. */
struct layout {
	unsigned int n_bytes;
	unsigned int word;
	unsigned int value;
	unsigned int size;
	unsigned int info;
	unsigned int section;
};

static const struct layout layouts[] = {
    {sizeof(Elf32_Sym), 4, offsetof(Elf32_Sym, st_value), offsetof(Elf32_Sym, st_size),
     offsetof(Elf32_Sym, st_info), offsetof(Elf32_Sym, st_shndx)},
    {sizeof(Elf64_Sym), 8, offsetof(Elf64_Sym, st_value), offsetof(Elf64_Sym, st_size),
     offsetof(Elf64_Sym, st_info), offsetof(Elf64_Sym, st_shndx)},
};

/* The index of a symbol's section, which may be kept in a table of its own. */
static uint64_t section_of(const struct rs_sections *sections, size_t table,
			   uint64_t index, uint64_t said)
{
	if (said != SHN_XINDEX)
		return said >= SHN_LORESERVE ? SHN_UNDEF : said;
	for (size_t i = 0; i < sections->n_rows; i++) {
		const struct rs_section *const section = &sections->rows[i];
		uint64_t wide = 0;
		if (section->type == SHT_SYMTAB_SHNDX && section->link == table &&
		    index < section->n_bytes / 4 &&
		    rs_image_number(sections->image, section->offset + 4 * index, 4,
				    &wide))
			return wide;
	}
	return SHN_UNDEF;
}

int rs_symbols_entry(const struct rs_sections *sections, size_t section, uint64_t index,
		     struct rs_symtab_entry *out)
{
	const struct rs_image *const image = sections->image;
	const struct layout *const layout = &layouts[image->bits == 64];
	*out = (struct rs_symtab_entry){.name = ""};
	if (section >= sections->n_rows)
		return -ERANGE;
	const struct rs_section *const table = &sections->rows[section];
	if (table->type == SHT_NOBITS || index >= table->n_bytes / layout->n_bytes)
		return -ERANGE;
	const uint64_t at = table->offset + index * layout->n_bytes;
	uint64_t name_at = 0;
	uint64_t info = 0;
	uint64_t where = 0;
	rs_image_number(image, at, 4, &name_at);
	rs_image_number(image, at + layout->value, layout->word, &out->address);
	rs_image_number(image, at + layout->size, layout->word, &out->n_bytes);
	info = image->bytes[at + layout->info];
	rs_image_number(image, at + layout->section, 2, &where);
	const char *const name = rs_sections_string(sections, table->link, name_at);
	where = section_of(sections, section, index, where);
	out->name = name ? name : "";
	out->type = ELF64_ST_TYPE(info);
	out->bind = ELF64_ST_BIND(info);
	out->is_defined = where != SHN_UNDEF && where < sections->n_rows;
	if (out->is_defined && image->type == ET_REL)
		out->address += sections->rows[where].address;
	return 0;
}

static int add_symtab(struct rs_symbols *symbols)
{
	const struct rs_section *const table =
	    rs_sections_find(&symbols->sections, SHT_SYMTAB, NULL);
	if (!table)
		return 0;
	const size_t section = (size_t)(table - symbols->sections.rows);
	struct rs_symtab_entry symbol;
	int ret = 0;
	for (uint64_t i = 0;
	     !ret && !rs_symbols_entry(&symbols->sections, section, i, &symbol); i++)
		ret = add_symbol(symbols, &symbol);
	return ret;
}

static int add_dynamic(struct rs_symbols *symbols)
{
	int ret = 0;
	for (size_t i = 0; i < symbols->dynsym.n_symbols && !ret; i++) {
		struct rs_symbol symbol;
		if (rs_dynsym_get(&symbols->dynsym, i, &symbol))
			continue;
		const struct rs_symtab_entry entry = {
		    .name = symbol.name,
		    .address = symbol.address,
		    .n_bytes = symbol.n_bytes,
		    .type = symbol.type,
		    .bind = symbol.bind,
		    .is_defined = symbol.is_defined,
		};
		ret = add_symbol(symbols, &entry);
	}
	return ret;
}

/* By address; of one address the best first. */
static int compare(const void *a, const void *b)
{
	const struct rs_function *const left = a;
	const struct rs_function *const right = b;
	if (left->address != right->address)
		return left->address < right->address ? -1 : 1;
	if (left->rank != right->rank)
		return left->rank > right->rank ? -1 : 1;
	if (left->n_bytes != right->n_bytes)
		return left->n_bytes > right->n_bytes ? -1 : 1;
	if (!left->name || !right->name)
		return !left->name - !right->name;
	return strcmp(left->name, right->name);
}

/* The best of each address stays, and takes a size from the others if it has none. */
static size_t unite(struct rs_function *functions, size_t n)
{
	size_t n_kept = 0;
	for (size_t i = 0; i < n; i++) {
		struct rs_function *const last = &functions[n_kept ? n_kept - 1 : 0];
		if (n_kept == 0 || last->address != functions[i].address) {
			functions[n_kept++] = functions[i];
		} else if (!last->is_sized && functions[i].is_sized) {
			last->is_sized = true;
			last->n_bytes = functions[i].n_bytes;
		}
	}
	return n_kept;
}

/* What has no size ends where the next begins, or the code does. */
static void fill_gaps(struct rs_symbols *symbols)
{
	for (size_t i = 0; i < symbols->n_functions; i++) {
		struct rs_function *const function = &symbols->functions[i];
		uint64_t n_left = 0;
		if (function->is_sized)
			continue;
		rs_code_at(&symbols->code, function->address, &n_left);
		function->n_bytes = n_left;
		if (i + 1 == symbols->n_functions)
			continue;
		const uint64_t gap = function[1].address - function->address;
		if (gap < n_left)
			function->n_bytes = gap;
	}
}

int rs_symbols_add(struct rs_symbols *symbols, const char *name, uint64_t address,
		   uint64_t n_bytes)
{
	const struct claim claim = {
	    .name = name, .address = address, .n_bytes = n_bytes};
	return add(symbols, &claim);
}

void rs_symbols_settle(struct rs_symbols *symbols)
{
	if (symbols->n_functions == 0)
		return;
	qsort(symbols->functions, symbols->n_functions, sizeof(*symbols->functions),
	      compare);
	symbols->n_functions = unite(symbols->functions, symbols->n_functions);
	fill_gaps(symbols);
}

int rs_symbols_open(struct rs_symbols *out, const struct rs_image *image,
		    const char *name, struct rs_err *err)
{
	*out = (struct rs_symbols){.image = image};
	struct rs_err ignored;
	int ret = rs_sections_open(&out->sections, image);
	if (!ret)
		ret = rs_code_open(&out->code, &out->sections);
	if (!ret)
		ret = rs_dynsym_open(&out->dynsym, image, name, &ignored);
	if (ret != -ENOMEM)
		ret = add_symtab(out);
	if (!ret)
		ret = add_dynamic(out);
	if (!ret)
		ret = make_room(out);
	if (ret) {
		rs_symbols_close(out);
		return rs_err_set(err, ret, "no memory for the symbols of %s", name);
	}
	rs_symbols_settle(out);
	return 0;
}

void rs_symbols_close(struct rs_symbols *symbols)
{
	free(symbols->functions);
	rs_dynsym_close(&symbols->dynsym);
	rs_code_close(&symbols->code);
	rs_sections_close(&symbols->sections);
	*symbols = (struct rs_symbols){.image = NULL};
}

const struct rs_function *rs_symbols_find(const struct rs_symbols *symbols,
					  uint64_t address, uint64_t *offset)
{
	size_t low = 0;
	size_t high = symbols->n_functions;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (symbols->functions[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	*offset = 0;
	for (size_t i = 0; i < low && i < MAX_STEPS_BACK; i++) {
		const struct rs_function *const function =
		    &symbols->functions[low - 1 - i];
		if (address - function->address >= function->n_bytes)
			continue;
		*offset = address - function->address;
		return function;
	}
	return NULL;
}
