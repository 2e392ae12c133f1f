#include "src/entries.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/eh_frame.h"

static int add_trampoline(struct rs_entries *entries, uint64_t address,
			  uint64_t n_bytes)
{
	if (entries->n_trampolines == entries->max_trampolines) {
		const size_t max =
		    entries->max_trampolines ? 2 * entries->max_trampolines : 8;
		struct rs_trampoline *const grown =
		    reallocarray(entries->trampolines, max, sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		entries->trampolines = grown;
		entries->max_trampolines = max;
	}
	entries->trampolines[entries->n_trampolines++] =
	    (struct rs_trampoline){address, n_bytes};
	return 0;
}

#define MAX_LEAD_BYTES 8 /* of the range of a signal frame before its code */

/*
 * The range of a signal frame begins a byte before its code, or an instruction, for the
 * sake of unwinders; but some begin with it. A symbol tells.
 */
static uint64_t frame_begin(const struct rs_entries *entries,
			    const struct rs_trampoline *frame)
{
	const uint64_t address = frame->address;
	const uint64_t n =
	    frame->n_bytes < MAX_LEAD_BYTES ? frame->n_bytes : MAX_LEAD_BYTES;
	for (uint64_t at = address; at < address + n; at++) {
		uint64_t offset = 0;
		if (rs_symbols_find(&entries->symbols, at, &offset) && offset == 0)
			return at;
	}
	switch (entries->symbols.image->machine) {
	case EM_X86_64:
	case EM_386:
		return address + 1;
	case EM_RISCV:
	case EM_S390:
		return (address + 1) & ~UINT64_C(1);
	default:
		return (address + 3) & ~UINT64_C(3);
	}
}

static int take_frame(void *user, uint64_t address, uint64_t n_bytes, bool is_signal)
{
	struct rs_entries *const entries = user;
	if (!is_signal)
		return rs_symbols_add(&entries->symbols, NULL, address, n_bytes);
	return add_trampoline(entries, address, n_bytes);
}

/* The code that a descriptor in a relocatable object will point to. */
static int add_descriptor(struct rs_entries *entries, const struct rs_section *opd,
			  const struct rs_reloc *reloc, const char *name,
			  uint64_t n_bytes)
{
	if (!reloc || !reloc->is_defined || reloc->place - opd->address >= opd->n_bytes)
		return 0;
	return rs_symbols_add(&entries->symbols, name,
			      reloc->symbol + (uint64_t)reloc->addend, n_bytes);
}

/* The first word of a descriptor, three words each, is the address of the code. */
static int add_descriptors(struct rs_entries *entries)
{
	const struct rs_sections *const sections = &entries->symbols.sections;
	const struct rs_section *const opd =
	    rs_sections_find(sections, SHT_PROGBITS, ".opd");
	const struct rs_section *const table =
	    rs_sections_find(sections, SHT_SYMTAB, NULL);
	struct rs_symtab_entry symbol;
	int ret = 0;
	if (!opd || entries->relocs.n_rows == 0)
		return 0;
	for (uint64_t i = 0;
	     table && !ret &&
	     !rs_symbols_entry(sections, (size_t)(table - sections->rows), i, &symbol);
	     i++) {
		if (symbol.is_defined && symbol.name[0])
			ret = add_descriptor(
			    entries, opd,
			    rs_relocs_find(&entries->relocs, symbol.address, 1),
			    symbol.name, symbol.n_bytes);
	}
	for (size_t i = 0; i < entries->relocs.n_rows && !ret; i++)
		ret = add_descriptor(entries, opd, &entries->relocs.rows[i], NULL, 0);
	return ret;
}

/* The entry point may be that of a descriptor too. */
static int add_entry_point(struct rs_entries *entries, const struct rs_image *image)
{
	uint64_t address = image->entry;
	uint64_t offset = 0;
	if (address == 0 || image->type == ET_REL)
		return 0;
	if (!rs_code_find(&entries->symbols.code, address) &&
	    (rs_image_offset(image, address, &offset) ||
	     !rs_image_number(image, offset, image->bits / 8, &address)))
		return 0;
	return rs_symbols_add(&entries->symbols, "entry point", address, 0);
}

int rs_entries_open(struct rs_entries *out, const struct rs_image *image,
		    const char *name, struct rs_err *err)
{
	*out = (struct rs_entries){.trampolines = NULL};
	int ret = rs_symbols_open(&out->symbols, image, name, err);
	if (ret)
		return ret;
	ret = rs_relocs_open(&out->relocs, &out->symbols.sections);
	if (!ret)
		ret = rs_eh_frame_each(&out->symbols.sections, take_frame, out);
	if (!ret)
		ret = add_descriptors(out);
	if (!ret)
		ret = add_entry_point(out, image);
	if (ret) {
		rs_entries_close(out);
		return rs_err_set(err, ret, "no memory for the functions of %s", name);
	}
	rs_symbols_settle(&out->symbols);
	for (size_t i = 0; i < out->n_trampolines; i++)
		out->trampolines[i].address = frame_begin(out, &out->trampolines[i]);
	return 0;
}

void rs_entries_close(struct rs_entries *entries)
{
	free(entries->trampolines);
	rs_relocs_close(&entries->relocs);
	rs_symbols_close(&entries->symbols);
	*entries = (struct rs_entries){.trampolines = NULL};
}
