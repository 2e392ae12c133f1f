#include "src/entries.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/eh_frame.h"

static int add_trampoline(struct rs_entries *entries, uint64_t address)
{
	if (entries->n_trampolines == entries->max_trampolines) {
		const size_t max =
		    entries->max_trampolines ? 2 * entries->max_trampolines : 8;
		uint64_t *const grown =
		    reallocarray(entries->trampolines, max, sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		entries->trampolines = grown;
		entries->max_trampolines = max;
	}
	entries->trampolines[entries->n_trampolines++] = address;
	return 0;
}

/*
 * The range of a signal frame begins a byte before its code, or more where instructions
 * are aligned, for the sake of unwinders; but some begin with it.
 */
static uint64_t frame_begin(const struct rs_entries *entries, uint64_t address)
{
	const bool has_bytes = entries->symbols.image->machine == EM_X86_64 ||
			       entries->symbols.image->machine == EM_386;
	return has_bytes ? address + 1 : (address + 3) & ~UINT64_C(3);
}

static int take_frame(void *user, uint64_t address, uint64_t n_bytes, bool is_signal)
{
	struct rs_entries *const entries = user;
	if (!is_signal)
		return rs_symbols_add(&entries->symbols, NULL, address, n_bytes);
	return add_trampoline(entries, frame_begin(entries, address));
}

/* The first word of a descriptor, three words each, is the address of the code. */
static int add_descriptors(struct rs_entries *entries)
{
	const struct rs_symbols *const symbols = &entries->symbols;
	const struct rs_section *const opd =
	    rs_sections_find(&symbols->sections, SHT_PROGBITS, ".opd");
	int ret = 0;
	if (!opd)
		return 0;
	for (size_t i = 0; i < entries->relocs.n_rows && !ret; i++) {
		const struct rs_reloc *const reloc = &entries->relocs.rows[i];
		if (reloc->is_defined && reloc->place - opd->address < opd->n_bytes)
			ret =
			    rs_symbols_add(&entries->symbols, NULL,
					   reloc->symbol + (uint64_t)reloc->addend, 0);
	}
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
	return 0;
}

void rs_entries_close(struct rs_entries *entries)
{
	free(entries->trampolines);
	rs_relocs_close(&entries->relocs);
	rs_symbols_close(&entries->symbols);
	*entries = (struct rs_entries){.trampolines = NULL};
}
