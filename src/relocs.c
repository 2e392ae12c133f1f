#include "src/relocs.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/symbols.h"

/* One table: its section, the section that it changes, and the size of an entry. */
struct table {
	const struct rs_sections *sections;
	const struct rs_section *section;
	const struct rs_section *changed;
	unsigned int word;
	unsigned int n_bytes;
};

static bool is_wanted(const struct rs_section *section)
{
	return (section->flags & SHF_EXECINSTR) || strcmp(section->name, ".opd") == 0;
}

static int make_room(struct rs_relocs *relocs)
{
	if (relocs->n_rows < relocs->max_rows)
		return 0;
	const size_t max = relocs->max_rows ? 2 * relocs->max_rows : 64;
	struct rs_reloc *const grown = reallocarray(relocs->rows, max, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	relocs->rows = grown;
	relocs->max_rows = max;
	return 0;
}

static int64_t sign_of(uint64_t addend, unsigned int word)
{
	return word == 4 ? (int32_t)(uint32_t)addend : (int64_t)addend;
}

static int add_entry(struct rs_relocs *relocs, const struct table *table, uint64_t at)
{
	const struct rs_image *const image = table->sections->image;
	const unsigned int word = table->word;
	uint64_t offset = 0;
	uint64_t info = 0;
	uint64_t addend = 0;
	struct rs_symtab_entry symbol;
	rs_image_number(image, at, word, &offset);
	rs_image_number(image, at + word, word, &info);
	if (table->n_bytes == 3 * word)
		rs_image_number(image, at + 2 * word, word, &addend);
	const uint64_t index = word == 8 ? ELF64_R_SYM(info) : ELF32_R_SYM(info);
	if (index == 0 || offset >= table->changed->n_bytes ||
	    rs_symbols_entry(table->sections, table->section->link, index, &symbol))
		return 0;
	const int ret = make_room(relocs);
	if (ret)
		return ret;
	relocs->rows[relocs->n_rows++] = (struct rs_reloc){
	    .place = table->changed->address + offset,
	    .symbol = symbol.is_defined ? symbol.address : 0,
	    .is_defined = symbol.is_defined,
	    .has_addend = table->n_bytes == 3 * word,
	    .addend = sign_of(addend, word),
	};
	return 0;
}

static int add_table(struct rs_relocs *relocs, const struct table *table)
{
	const uint64_t n = table->section->n_bytes / table->n_bytes;
	int ret = 0;
	for (uint64_t i = 0; i < n && !ret; i++)
		ret = add_entry(relocs, table,
				table->section->offset + i * table->n_bytes);
	return ret;
}

static int compare(const void *a, const void *b)
{
	const struct rs_reloc *const left = a;
	const struct rs_reloc *const right = b;
	return (left->place > right->place) - (left->place < right->place);
}

int rs_relocs_open(struct rs_relocs *out, const struct rs_sections *sections)
{
	const unsigned int word = sections->image->bits / 8;
	int ret = 0;
	*out = (struct rs_relocs){.rows = NULL};
	if (sections->image->type != ET_REL)
		return 0;
	for (size_t i = 0; i < sections->n_rows && !ret; i++) {
		const struct rs_section *const section = &sections->rows[i];
		const bool has_addends = section->type == SHT_RELA;
		if ((!has_addends && section->type != SHT_REL) ||
		    section->info >= sections->n_rows ||
		    !is_wanted(&sections->rows[section->info]))
			continue;
		const struct table table = {
		    .sections = sections,
		    .section = section,
		    .changed = &sections->rows[section->info],
		    .word = word,
		    .n_bytes = (has_addends ? 3 : 2) * word,
		};
		ret = add_table(out, &table);
	}
	if (ret)
		rs_relocs_close(out);
	else if (out->n_rows)
		qsort(out->rows, out->n_rows, sizeof(*out->rows), compare);
	return ret;
}

void rs_relocs_close(struct rs_relocs *relocs)
{
	free(relocs->rows);
	*relocs = (struct rs_relocs){.rows = NULL};
}

const struct rs_reloc *rs_relocs_find(const struct rs_relocs *relocs, uint64_t address,
				      uint64_t n_bytes)
{
	size_t low = 0;
	size_t high = relocs->n_rows;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (relocs->rows[middle].place < address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == relocs->n_rows || relocs->rows[low].place - address >= n_bytes)
		return NULL;
	return &relocs->rows[low];
}
