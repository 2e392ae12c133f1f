#include "src/vdso.h"

#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include <linux/audit.h>

#include "src/base/file.h"
#include "src/dynsym.h"
#include "src/image.h"

#define NAME            "the vDSO"
#define MAX_MAPS_BYTES  (16U << 20)
#define MAX_IMAGE_BYTES (1U << 20) /* of 64 KiB pages a vDSO has one or two */

struct storage {
	struct rs_image image;
	struct rs_dynsym dynsym;
};

static const char time_namespace_note[] =
    "this process is in a time namespace with offsets: the vDSO adds them to the "
    "clocks, by a path that other processes do not take";

/* The prefixes of vdso(7), the longest first, so that "" matches last. */
static const char *const prefixes[] = {"__kernel_", "__vdso_", "", NULL};

bool rs_vdso_is_offset(const char *timens_offsets)
{
	const char *line = timens_offsets;
	while (line && *line) {
		int64_t sec = 0;
		int64_t nsec = 0;
		if (sscanf(line, "%*s %" SCNd64 " %" SCNd64, &sec, &nsec) == 2 &&
		    (sec != 0 || nsec != 0))
			return true;
		line = strchr(line, '\n');
		if (line)
			line++;
	}
	return false;
}

static const char *find_note(void)
{
	char offsets[256];
	const int n =
	    rs_file_read_text(offsets, sizeof(offsets), "/proc/self/timens_offsets");
	return n > 0 && rs_vdso_is_offset(offsets) ? time_namespace_note : NULL;
}

/* Whether one line of a maps file is a readable mapping that holds base. */
static bool is_mapping_of(const char *line, uintptr_t base, uint64_t *end)
{
	uint64_t start = 0;
	char may_read = '-';
	return sscanf(line, "%" SCNx64 "-%" SCNx64 " %c", &start, end, &may_read) ==
		   3 &&
	       start <= base && base < *end && may_read == 'r';
}

static int find_bound(struct rs_vdso *vdso, const char *maps_path, struct rs_err *err)
{
	const uintptr_t base = (uintptr_t)vdso->base;
	char *maps = NULL;
	size_t n_bytes = 0;
	const int ret = rs_file_read_all(maps_path, MAX_MAPS_BYTES, &maps, &n_bytes);
	if (ret)
		/* -ENOENT says that there is no vDSO, which is not the case here. */
		return rs_err_set(err, ret == -ENOENT ? -ENXIO : ret,
				  "there is a vDSO at %#" PRIxPTR ", but its size is "
				  "unknown: cannot read %s: %s; mount /proc",
				  base, maps_path, rs_err_name(-ret));
	uint64_t end = 0;
	const char *line = maps;
	while (line && !is_mapping_of(line, base, &end)) {
		line = strchr(line, '\n');
		if (line)
			line++;
	}
	free(maps);
	if (!line)
		return rs_err_set(err, -ENXIO,
				  "AT_SYSINFO_EHDR says that the vDSO is at "
				  "%#" PRIxPTR ", but %s shows nothing readable there",
				  base, maps_path);
	vdso->n_bytes = (size_t)(end - base);
	if (vdso->n_bytes > MAX_IMAGE_BYTES)
		return rs_err_set(err, -EFBIG,
				  "the mapping of the vDSO at %#" PRIxPTR " has %zu "
				  "bytes, more than any vDSO",
				  base, vdso->n_bytes);
	return 0;
}

/* Older vDSOs do not give a type to each of their functions. */
static bool is_function(const struct rs_symbol *symbol)
{
	return symbol->is_defined && symbol->name[0] != '\0' &&
	       (symbol->type == STT_FUNC || symbol->type == STT_NOTYPE) &&
	       (symbol->bind == STB_GLOBAL || symbol->bind == STB_WEAK);
}

/*
 * The image is mapped in one piece, so that the load bias (base minus the address of
 * the link) plus the symbol's value is base plus its offset in the file. On ELFv1
 * powerpc this is code too: its vDSO has no function descriptors.
 */
static int take_symbols(struct rs_vdso *vdso, const struct storage *storage)
{
	const struct rs_dynsym *const dynsym = &storage->dynsym;
	const size_t n = dynsym->n_symbols;
	vdso->symbols = calloc(n ? n : 1, sizeof(*vdso->symbols));
	if (!vdso->symbols)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		struct rs_symbol symbol;
		uint64_t offset = 0;
		if (rs_dynsym_get(dynsym, i, &symbol) || !is_function(&symbol) ||
		    rs_image_offset(&storage->image, symbol.address, &offset))
			continue;
		vdso->symbols[vdso->n_symbols++] = (struct rs_vdso_symbol){
		    .name = symbol.name,
		    .version = symbol.version,
		    .offset = offset,
		    .n_bytes = symbol.n_bytes,
		    .address = (const unsigned char *)vdso->base + offset,
		};
	}
	return 0;
}

/* AUDIT_ARCH_* is the ELF machine with two flags (but for the MIPS n32 ABI). */
static uint32_t audit_arch(const struct rs_image *image)
{
	const uint32_t wide = image->bits == 64 ? __AUDIT_ARCH_64BIT : 0;
	const uint32_t little = image->is_big_endian ? 0 : __AUDIT_ARCH_LE;
	return image->machine | wide | little;
}

static int read_image(struct rs_vdso *vdso, struct rs_err *err)
{
	struct storage *const storage = calloc(1, sizeof(*storage));
	if (!storage)
		return rs_err_set(err, -ENOMEM, "no memory for " NAME);
	vdso->storage = storage;
	int ret = rs_image_open(&storage->image, NAME, vdso->base, vdso->n_bytes, err);
	if (ret)
		return ret;
	ret = rs_dynsym_open(&storage->dynsym, &storage->image, NAME, err);
	if (ret)
		return ret == -ENOENT ? -EBADMSG : ret;
	if (take_symbols(vdso, storage))
		return rs_err_set(err, -ENOMEM, "no memory for the symbols of " NAME);
	vdso->audit_arch = audit_arch(&storage->image);
	if (storage->image.build_id[0])
		vdso->build_id = storage->image.build_id;
	return 0;
}

int rs_vdso_open_at(struct rs_vdso *out, uintptr_t base, const char *maps_path,
		    struct rs_err *err)
{
	*out = (struct rs_vdso){.base = (const void *)base};
	if (!base)
		return rs_err_set(err, -ENOENT,
				  "this process has no vDSO: AT_SYSINFO_EHDR is 0, as "
				  "with vdso=0 on the kernel's command line or in a "
				  "user-mode emulator");
	int ret = find_bound(out, maps_path, err);
	if (ret)
		goto out;
	ret = read_image(out, err);
	if (ret)
		goto out;
	out->note = find_note();
out:
	if (ret)
		rs_vdso_close(out);
	return ret;
}

int rs_vdso_open(struct rs_vdso *out, struct rs_err *err)
{
	return rs_vdso_open_at(out, getauxval(AT_SYSINFO_EHDR), "/proc/self/maps", err);
}

void rs_vdso_close(struct rs_vdso *vdso)
{
	struct storage *const storage = vdso->storage;
	free(vdso->symbols);
	if (storage) {
		rs_dynsym_close(&storage->dynsym);
		rs_image_close(&storage->image);
		free(storage);
	}
	*vdso = (struct rs_vdso){.base = NULL};
}

const char *rs_vdso_function_name(const char *symbol)
{
	for (const char *const *prefix = prefixes; *prefix; prefix++) {
		const size_t n = strlen(*prefix);
		if (strncmp(symbol, *prefix, n) == 0)
			return symbol + n;
	}
	return symbol;
}

/* version NULL: any. */
static const struct rs_vdso_symbol *find_as(const struct rs_vdso *vdso,
					    const char *prefix, const char *version,
					    const char *function)
{
	const size_t n = strlen(prefix);
	for (size_t i = 0; i < vdso->n_symbols; i++) {
		const struct rs_vdso_symbol *const symbol = &vdso->symbols[i];
		if (strncmp(symbol->name, prefix, n) != 0 ||
		    strcmp(symbol->name + n, function) != 0)
			continue;
		if (!version ||
		    (symbol->version && strcmp(symbol->version, version) == 0))
			return symbol;
	}
	return NULL;
}

const struct rs_vdso_symbol *
rs_vdso_find(const struct rs_vdso *vdso, const struct rs_isa *isa, const char *function)
{
	const struct rs_vdso_symbol *symbol =
	    find_as(vdso, isa->vdso_prefix, isa->vdso_version, function);
	if (!symbol)
		symbol = find_as(vdso, isa->vdso_prefix, NULL, function);
	for (const char *const *prefix = prefixes; *prefix && !symbol; prefix++)
		symbol = find_as(vdso, *prefix, NULL, function);
	return symbol;
}
