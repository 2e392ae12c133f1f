#include "src/audit.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/judge.h"

/* What pieces of one image share. */
struct work {
	struct rs_audit *audit;
	struct rs_graph graph;
	struct rs_walk walk;
	uint32_t *entries;
	size_t max_entries;
};

/* A run of code that functions cover, which may lie within each other. */
struct region {
	uint64_t begin;
	uint64_t end;
	size_t first; /* of its functions */
	size_t n;
};

static int audit_piece(struct work *work, const struct rs_piece *piece,
		       size_t n_entries)
{
	struct rs_audit *const audit = work->audit;
	int ret = rs_graph_follow(&work->graph, piece, work->entries, n_entries);
	if (!ret)
		ret = rs_walk_settle(&work->walk, &work->graph);
	if (!ret)
		ret = rs_judge(&audit->findings, &work->walk);
	audit->function_bytes += piece->n_bytes;
	audit->decoded_bytes += work->graph.n_decoded;
	return ret;
}

static int take_entries(struct work *work, const struct region *region, uint64_t begin,
			uint64_t end, size_t *n_entries)
{
	const struct rs_symbols *const symbols = &work->audit->entries.symbols;
	*n_entries = 0;
	if (region->n > work->max_entries) {
		free(work->entries);
		work->max_entries = region->n;
		work->entries = calloc(region->n, sizeof(*work->entries));
		if (!work->entries)
			return -ENOMEM;
	}
	for (size_t i = 0; i < region->n; i++) {
		const struct rs_function *const function =
		    &symbols->functions[region->first + i];
		if (function->address >= begin && function->address < end)
			work->entries[(*n_entries)++] =
			    (uint32_t)(function->address - begin);
	}
	return 0;
}

/* In pieces of bounded size, so that the memory for one is. */
static int audit_region(struct work *work, const struct region *region)
{
	const struct rs_entries *const entries = &work->audit->entries;
	uint64_t n_left = 0;
	int ret = 0;
	for (uint64_t at = region->begin; at < region->end && !ret;) {
		const unsigned char *const bytes =
		    rs_code_at(&entries->symbols.code, at, &n_left);
		const uint64_t want = region->end - at;
		const uint64_t n =
		    want < RS_PIECE_MAX_BYTES ? want : RS_PIECE_MAX_BYTES;
		const struct rs_piece piece = {
		    .decoder = work->audit->decoder,
		    .bytes = bytes,
		    .address = at,
		    .n_bytes = (uint32_t)(n < n_left ? n : n_left),
		    .symbols = &entries->symbols,
		    .relocs = &entries->relocs,
		};
		size_t n_entries = 0;
		ret = take_entries(work, region, at, at + piece.n_bytes, &n_entries);
		if (!ret)
			ret = audit_piece(work, &piece, n_entries);
		at += piece.n_bytes;
	}
	return ret;
}

static int audit_functions(struct work *work)
{
	const struct rs_symbols *const symbols = &work->audit->entries.symbols;
	int ret = 0;
	for (size_t i = 0; i < symbols->n_functions && !ret;) {
		const struct rs_function *const first = &symbols->functions[i];
		struct region region = {first->address, first->address + first->n_bytes,
					i, 0};
		for (; i < symbols->n_functions &&
		       symbols->functions[i].address < region.end;
		     i++) {
			const uint64_t end = symbols->functions[i].address +
					     symbols->functions[i].n_bytes;
			if (end > region.end)
				region.end = end;
			region.n++;
		}
		ret = audit_region(work, &region);
	}
	work->audit->n_functions = symbols->n_functions;
	return ret;
}

/* Of an image that names no function all code is read, as raw code is. */
static int audit_ranges(struct work *work)
{
	const struct rs_code *const code = &work->audit->entries.symbols.code;
	int ret = 0;
	for (size_t i = 0; i < code->n_ranges && !ret; i++) {
		const struct region region = {
		    .begin = code->ranges[i].address,
		    .end = code->ranges[i].address + code->ranges[i].n_bytes,
		};
		ret = audit_region(work, &region);
	}
	return ret;
}

static uint64_t code_bytes(const struct rs_code *code)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < code->n_ranges; i++)
		sum += code->ranges[i].n_bytes;
	return sum;
}

static void end_work(struct work *work)
{
	rs_graph_close(&work->graph);
	rs_walk_close(&work->walk);
	free(work->entries);
}

static bool is_named_trampoline(const struct rs_function *function)
{
	static const char *const parts[] = {
	    "__kernel_sigtramp",     "__kernel_start_sigtramp", "__kernel_sigreturn",
	    "__kernel_rt_sigreturn", "__vdso_rt_sigreturn",     "__restore_rt"};
	for (size_t i = 0; function->name && i < sizeof(parts) / sizeof(parts[0]);
	     i++) {
		if (strncmp(function->name, parts[i], strlen(parts[i])) == 0)
			return true;
	}
	return false;
}

static int add_note(struct rs_audit *audit, uint64_t address)
{
	uint64_t n_left = 0;
	const unsigned char *const bytes =
	    rs_code_at(&audit->entries.symbols.code, address, &n_left);
	struct rs_insn insn;
	if (!bytes || rs_decode(audit->decoder, bytes, n_left, address, &insn))
		return 0;
	struct rs_finding note = {
	    .kind = RS_NOTE_TRAMPOLINE, .address = address, .n_bytes = insn.n_bytes};
	memcpy(note.bytes, bytes, insn.n_bytes);
	return rs_findings_add(&audit->findings, &note);
}

static int note_trampolines(struct rs_audit *audit)
{
	const struct rs_entries *const entries = &audit->entries;
	int ret = 0;
	for (size_t i = 0; i < entries->n_trampolines && !ret; i++) {
		uint64_t offset = 0;
		const struct rs_function *const function = rs_symbols_find(
		    &entries->symbols, entries->trampolines[i].address, &offset);
		if (!function || offset || !is_named_trampoline(function))
			ret = add_note(audit, entries->trampolines[i].address);
	}
	for (size_t i = 0; i < entries->symbols.n_functions && !ret; i++) {
		if (is_named_trampoline(&entries->symbols.functions[i]))
			ret = add_note(audit, entries->symbols.functions[i].address);
	}
	return ret;
}

static int audit_code(struct rs_audit *audit)
{
	const struct rs_code *const code = &audit->entries.symbols.code;
	struct work work = {.audit = audit};
	int ret = audit->entries.symbols.n_functions ? audit_functions(&work)
						     : audit_ranges(&work);
	if (!ret)
		ret = note_trampolines(audit);
	audit->other_bytes = code_bytes(code) - audit->function_bytes;
	rs_findings_sort(&audit->findings);
	end_work(&work);
	return ret;
}

static int find_decoder(struct rs_audit *audit, const char *name, struct rs_err *err)
{
	const struct rs_image *const image = &audit->image;
	audit->decoder = rs_decoder_of_elf(
	    image->machine, image->bits == 64 ? ELFCLASS64 : ELFCLASS32,
	    image->is_big_endian ? ELFDATA2MSB : ELFDATA2LSB);
	if (audit->decoder)
		return 0;
	return rs_err_set(
	    err, -EOPNOTSUPP,
	    "%s is of ELF machine %u, %u bits, %s endian, for which there "
	    "is no decoder",
	    name, image->machine, image->bits, image->is_big_endian ? "big" : "little");
}

int rs_audit_image(struct rs_audit *out, const char *name, const void *bytes,
		   size_t n_bytes, struct rs_err *err)
{
	*out = (struct rs_audit){.decoder = NULL};
	int ret = rs_image_open(&out->image, name, bytes, n_bytes, err);
	if (!ret)
		ret = find_decoder(out, name, err);
	if (!ret)
		ret = rs_entries_open(&out->entries, &out->image, name, err);
	if (!ret) {
		ret = audit_code(out);
		if (ret)
			rs_err_set(err, ret, "no memory to audit %s", name);
	}
	if (ret)
		rs_audit_close(out);
	return ret;
}

int rs_audit_raw(struct rs_audit *out, const struct rs_decoder *decoder,
		 const void *bytes, size_t n_bytes, uint64_t base, struct rs_err *err)
{
	*out = (struct rs_audit){.decoder = decoder};
	struct work work = {.audit = out};
	uint32_t first = 0;
	int ret = 0;
	work.entries = &first;
	for (size_t at = 0; at < n_bytes && !ret;) {
		const size_t n = n_bytes - at;
		const struct rs_piece piece = {
		    .decoder = decoder,
		    .bytes = (const unsigned char *)bytes + at,
		    .address = base + at,
		    .n_bytes =
			(uint32_t)(n < RS_PIECE_MAX_BYTES ? n : RS_PIECE_MAX_BYTES),
		};
		ret = audit_piece(&work, &piece, at == 0);
		at += piece.n_bytes;
	}
	work.entries = NULL;
	rs_findings_sort(&out->findings);
	end_work(&work);
	if (!ret)
		return 0;
	rs_audit_close(out);
	return rs_err_set(err, ret, "no memory to audit raw code");
}

size_t rs_audit_count(const struct rs_audit *audit, enum rs_grade grade)
{
	size_t n = 0;
	for (size_t i = 0; i < audit->findings.n_rows; i++)
		n += rs_finding_grade(audit->findings.rows[i].kind) == grade;
	return n;
}

void rs_audit_close(struct rs_audit *audit)
{
	rs_findings_free(&audit->findings);
	rs_entries_close(&audit->entries);
	rs_image_close(&audit->image);
	*audit = (struct rs_audit){.decoder = NULL};
}
