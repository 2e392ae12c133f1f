#include "src/image.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include <cmocka.h>

#include "src/base/file.h"
#include "src/dynsym.h"
#include "src/rng.h"
#include "tests/unit/elfbuild.h"

#define CORPUS RS_SOURCE_DIR "/tests/fuzz/corpus/vdso_image/"

#define N_ROWS(rows) (sizeof(rows) / sizeof((rows)[0]))

static const struct elfbuild_symbol symbols[] = {
    {"__vdso_clock_gettime", STT_FUNC, STB_GLOBAL, 2, ELFBUILD_DEFINED, 0, 8},
    {"clock_gettime", STT_FUNC, STB_WEAK, 2, ELFBUILD_DEFINED, 0, 8},
    {"__kernel_getcpu", STT_NOTYPE, STB_GLOBAL, 2, ELFBUILD_DEFINED, 8, 0},
    {ELFBUILD_VERSION, STT_OBJECT, STB_GLOBAL, 2, ELFBUILD_ABSOLUTE, 0, 0},
    {"elsewhere", STT_FUNC, STB_GLOBAL, 0, ELFBUILD_UNDEFINED, 0, 0},
    {"own", STT_FUNC, STB_GLOBAL, 1, ELFBUILD_DEFINED, 16, 4},
    {NULL, 0, 0, 0, ELFBUILD_UNDEFINED, 0, 0},
};

/* In the order of name, bits, big endian, machine, SysV, GNU, versions, wild sections,
 * link address. */
static const struct elfbuild_spec specs[] = {
    {"le64_both", 64, 0, EM_X86_64, 1, 1, 1, 0, 0, symbols},
    {"le64_sysv", 64, 0, EM_X86_64, 1, 0, 1, 0, 0, symbols},
    {"le64_gnu", 64, 0, EM_AARCH64, 0, 1, 1, 0, 0, symbols},
    {"le64_plain", 64, 0, EM_RISCV, 1, 0, 0, 0, 0, symbols},
    {"le64_wild", 64, 0, EM_X86_64, 0, 1, 1, 1, 0, symbols},
    {"le64_high", 64, 0, EM_X86_64, 1, 1, 1, 0, 0xffffffffff700000, symbols},
    {"be64_based", 64, 1, EM_PPC64, 1, 0, 1, 0, 0x100000, symbols},
    {"be64_s390", 64, 1, EM_S390, 1, 0, 1, 0, 0, symbols},
    {"be64_gnu", 64, 1, EM_S390, 0, 1, 0, 0, 0, symbols},
    {"le32_both", 32, 0, EM_386, 1, 1, 1, 0, 0, symbols},
    {"le32_gnu", 32, 0, EM_ARM, 0, 1, 1, 1, 0, symbols},
    {"be32_sysv", 32, 1, EM_PPC, 1, 0, 1, 0, 0x100000, symbols},
    {"be32_s390", 32, 1, EM_S390, 1, 0, 1, 0, 0, symbols},
};

/* A heap copy of the exact size is made by the reader: sanitizers see its edges. */
static int read_all(const unsigned char *bytes, size_t n_bytes, size_t *n_named)
{
	struct rs_err err = {.text = ""};
	struct rs_image image;
	struct rs_dynsym dynsym;
	int ret = rs_image_open(&image, "the image", bytes, n_bytes, &err);
	*n_named = 0;
	if (ret) {
		assert_non_null(strstr(err.text, "the image"));
		assert_null(image.bytes);
		return ret;
	}
	ret = rs_dynsym_open(&dynsym, &image, "the image", &err);
	if (ret)
		assert_non_null(strstr(err.text, "the image"));
	for (size_t i = 0; i < dynsym.n_symbols; i++) {
		struct rs_symbol symbol;
		if (rs_dynsym_get(&dynsym, i, &symbol) == 0) {
			const char *const end = (const char *)image.bytes + n_bytes;
			assert_true(symbol.name + strlen(symbol.name) < end);
			if (symbol.version)
				assert_true(symbol.version + strlen(symbol.version) <
					    end);
			(*n_named)++;
		}
	}
	rs_dynsym_close(&dynsym);
	rs_image_close(&image);
	return ret;
}

static void check_symbol(const struct elfbuild *built, const struct rs_image *image,
			 const struct elfbuild_symbol *want,
			 const struct rs_symbol *symbol)
{
	uint64_t offset = 0;
	assert_string_equal(symbol->name, want->name);
	assert_int_equal(symbol->type, want->type);
	assert_int_equal(symbol->bind, want->bind);
	assert_int_equal(symbol->n_bytes, want->n_bytes);
	assert_int_equal(symbol->is_defined, want->section == ELFBUILD_DEFINED);
	if (want->version == 2 && built->spec->has_versions)
		assert_string_equal(symbol->version, ELFBUILD_VERSION);
	else
		assert_null(symbol->version);
	if (!symbol->is_defined)
		return;
	assert_int_equal(rs_image_offset(image, symbol->address, &offset), 0);
	assert_int_equal(offset, built->code + want->code_offset);
}

static void every_layout_is_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_ROWS(specs); i++) {
		struct elfbuild built;
		struct rs_err err = {.text = ""};
		struct rs_image image;
		struct rs_dynsym dynsym;
		struct rs_symbol symbol;
		print_message("%s\n", specs[i].name);
		elfbuild_make(&built, &specs[i]);
		assert_int_equal(rs_image_open(&image, specs[i].name, built.bytes,
					       built.n_bytes, &err),
				 0);
		assert_int_equal(image.bits, specs[i].bits);
		assert_int_equal(image.is_big_endian, specs[i].is_big_endian);
		assert_int_equal(image.machine, specs[i].machine);
		assert_int_equal(image.type, ET_DYN);
		assert_int_equal(image.n_segments, ELFBUILD_N_PHDRS);
		assert_true(image.segments[0].address == specs[i].address);
		assert_string_equal(image.build_id, ELFBUILD_BUILD_ID);
		assert_int_equal(rs_dynsym_open(&dynsym, &image, specs[i].name, &err),
				 0);
		assert_int_equal(dynsym.n_symbols, built.n_symbols);
		assert_int_equal(rs_dynsym_get(&dynsym, 0, &symbol), 0);
		assert_string_equal(symbol.name, "");
		for (size_t j = 1; j < dynsym.n_symbols; j++) {
			assert_int_equal(rs_dynsym_get(&dynsym, j, &symbol), 0);
			check_symbol(&built, &image, &symbols[j - 1], &symbol);
		}
		assert_int_equal(rs_dynsym_get(&dynsym, dynsym.n_symbols, &symbol),
				 -ERANGE);
		rs_dynsym_close(&dynsym);
		rs_dynsym_close(&dynsym);
		rs_image_close(&image);
		rs_image_close(&image);
	}
}

static void cut_images_are_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_ROWS(specs); i++) {
		struct elfbuild built;
		elfbuild_make(&built, &specs[i]);
		for (size_t n = 0; n < built.n_bytes; n++) {
			size_t n_named = 0;
			const int ret = read_all(built.bytes, n, &n_named);
			/* The dynamic table comes last; its fifth entry is a hash
			 * table, without which there is no count. */
			const size_t enough =
			    built.dynamic + 10 * elfbuild_word(&built);
			if (n < enough ? ret == 0 : n_named != built.n_symbols)
				fail_msg("%s cut to %zu bytes: %d, %zu symbols",
					 specs[i].name, n, ret, n_named);
		}
	}
}

static void flipped_bytes_do_no_harm(void **state)
{
	(void)state;
	const uint64_t seed = 20261201;
	struct rs_rng rng;
	rs_rng_seed(&rng, seed);
	print_message("seed %llu\n", (unsigned long long)seed);
	for (size_t i = 0; i < N_ROWS(specs); i++) {
		struct elfbuild built;
		elfbuild_make(&built, &specs[i]);
		for (int round = 0; round < 2000; round++) {
			unsigned char bytes[ELFBUILD_MAX_BYTES];
			size_t n_named = 0;
			memcpy(bytes, built.bytes, built.n_bytes);
			const uint64_t n_flips = 1 + rs_rng_below(&rng, 4);
			for (uint64_t flip = 0; flip < n_flips; flip++)
				bytes[rs_rng_below(&rng, built.n_bytes)] =
				    (unsigned char)rs_rng_next(&rng);
			(void)read_all(bytes, built.n_bytes, &n_named);
		}
	}
}

/* Where a hostile number is written: in a table, or the value of a dynamic entry. */
enum place {
	PLACE_HEADER,
	PLACE_LOAD,
	PLACE_DYNAMIC_SEGMENT,
	PLACE_NOTE_SEGMENT,
	PLACE_SYSV,
	PLACE_GNU,
	PLACE_VERDEF,
	PLACE_NOTE,
	PLACE_TAG,
};

struct hostile {
	const char *what;
	size_t spec; /* index into specs; all of those used are of 64 bits */
	enum place place;
	int64_t at; /* offset in the table, or the tag */
	size_t n_bytes;
	uint64_t value;
	int code;
	size_t n_named; /* symbols read */
};

#define BOTH 0
#define SYSV 1
#define GNU  2
#define S390 7

static const struct hostile hostiles[] = {
    {"nothing", BOTH, PLACE_HEADER, 8, 1, 0, 0, 7},
    {"class", BOTH, PLACE_HEADER, EI_CLASS, 1, 9, -ENOEXEC, 0},
    {"magic", BOTH, PLACE_HEADER, 0, 1, 0, -ENOEXEC, 0},
    {"e_phnum", BOTH, PLACE_HEADER, 56, 2, 0xffff, -ENOEXEC, 0},
    {"e_phnum fits not", BOTH, PLACE_HEADER, 56, 2, 0x7fff, -ENOEXEC, 0},
    {"e_phnum 0", BOTH, PLACE_HEADER, 56, 2, 0, -ENOENT, 0},
    {"e_phoff", BOTH, PLACE_HEADER, 32, 8, UINT64_MAX, -ENOEXEC, 0},
    {"e_phoff wraps", BOTH, PLACE_HEADER, 32, 8, UINT64_MAX - 100, -ENOEXEC, 0},
    {"e_phentsize", BOTH, PLACE_HEADER, 54, 2, 1, -ENOEXEC, 0},
    {"e_shoff", BOTH, PLACE_HEADER, 40, 8, UINT64_MAX, 0, 7},
    {"load offset", BOTH, PLACE_LOAD, 8, 8, UINT64_MAX, -EBADMSG, 0},
    {"load offset wraps", BOTH, PLACE_LOAD, 8, 8, UINT64_MAX - 0x80, -EBADMSG, 0},
    {"load address", BOTH, PLACE_LOAD, 16, 8, UINT64_MAX - 8, -EBADMSG, 0},
    {"load size", BOTH, PLACE_LOAD, 32, 8, UINT64_MAX, 0, 7},
    {"dynamic offset", BOTH, PLACE_DYNAMIC_SEGMENT, 8, 8, UINT64_MAX, -ENOENT, 0},
    {"dynamic wraps", BOTH, PLACE_DYNAMIC_SEGMENT, 8, 8, UINT64_MAX - 15, -ENOENT, 0},
    {"dynamic size", BOTH, PLACE_DYNAMIC_SEGMENT, 32, 8, UINT64_MAX, 0, 7},
    {"dynamic empty", BOTH, PLACE_DYNAMIC_SEGMENT, 32, 8, 0, -ENOENT, 0},
    {"notes offset", BOTH, PLACE_NOTE_SEGMENT, 8, 8, UINT64_MAX - 4, 0, 7},
    {"notes size", BOTH, PLACE_NOTE_SEGMENT, 32, 8, UINT64_MAX, 0, 7},
    {"note name size", BOTH, PLACE_NOTE, 0, 4, UINT32_MAX, 0, 7},
    {"note size", BOTH, PLACE_NOTE, 4, 4, UINT32_MAX, 0, 7},
    {"build-id size", BOTH, PLACE_NOTE, 28, 4, UINT32_MAX, 0, 7},
    {"build-id too long", BOTH, PLACE_NOTE, 28, 4, 65, 0, 7},
    {"nchain, GNU helps", BOTH, PLACE_SYSV, 4, 4, UINT32_MAX, 0, 7},
    {"nchain", SYSV, PLACE_SYSV, 4, 4, UINT32_MAX, -EBADMSG, 0},
    {"nchain of 64 bits", S390, PLACE_SYSV, 8, 8, UINT64_MAX, -EBADMSG, 0},
    {"nchain wraps", S390, PLACE_SYSV, 8, 8, UINT64_MAX / 24 + 2, -EBADMSG, 0},
    {"nchain 0", SYSV, PLACE_SYSV, 4, 4, 0, 0, 0},
    {"nbuckets", GNU, PLACE_GNU, 0, 4, UINT32_MAX, -EBADMSG, 0},
    {"nbuckets 0", GNU, PLACE_GNU, 0, 4, 0, 0, 1},
    {"symoffset", GNU, PLACE_GNU, 4, 4, UINT32_MAX, -EBADMSG, 0},
    {"bloom words", GNU, PLACE_GNU, 8, 4, UINT32_MAX, -EBADMSG, 0},
    {"bucket", GNU, PLACE_GNU, 24, 4, UINT32_MAX, -EBADMSG, 0},
    {"empty bucket", GNU, PLACE_GNU, 24, 4, 0, 0, 1},
    {"DT_STRSZ", BOTH, PLACE_TAG, DT_STRSZ, 8, UINT32_MAX, -EBADMSG, 0},
    {"DT_STRSZ 0", BOTH, PLACE_TAG, DT_STRSZ, 8, 0, -EBADMSG, 0},
    {"DT_STRSZ cuts", BOTH, PLACE_TAG, DT_STRSZ, 8, 25, 0, 2},
    {"DT_STRTAB", BOTH, PLACE_TAG, DT_STRTAB, 8, UINT64_MAX, -EBADMSG, 0},
    {"DT_SYMTAB", BOTH, PLACE_TAG, DT_SYMTAB, 8, UINT64_MAX, -EBADMSG, 0},
    {"DT_SYMENT", BOTH, PLACE_TAG, DT_SYMENT, 8, 1, -EBADMSG, 0},
    {"DT_HASH", SYSV, PLACE_TAG, DT_HASH, 8, UINT64_MAX, -EBADMSG, 0},
    {"DT_GNU_HASH", GNU, PLACE_TAG, DT_GNU_HASH, 8, UINT64_MAX, -EBADMSG, 0},
    {"DT_VERSYM", BOTH, PLACE_TAG, DT_VERSYM, 8, UINT64_MAX, 0, 7},
    {"DT_VERDEF", BOTH, PLACE_TAG, DT_VERDEF, 8, UINT64_MAX, 0, 7},
    {"vd_aux", BOTH, PLACE_VERDEF, 12, 4, UINT32_MAX, 0, 7},
    {"vd_next", BOTH, PLACE_VERDEF, 16, 4, UINT32_MAX, 0, 7},
    {"vd_next meets itself", BOTH, PLACE_VERDEF, 16, 4, 1, 0, 7},
    {"vd_next back to the first", BOTH, PLACE_VERDEF, 44, 4, (uint32_t)-28, 0, 7},
    {"vda_name", BOTH, PLACE_VERDEF, 48, 4, UINT32_MAX, 0, 7},
};

/* The value of the dynamic entry with this tag. */
static size_t find_tag(const struct elfbuild *built, int64_t tag)
{
	for (size_t at = built->dynamic; at < built->n_bytes; at += 16) {
		if (built->bytes[at] == (tag & 0xff) &&
		    built->bytes[at + 1] == (tag >> 8 & 0xff))
			return at + 8;
	}
	fail_msg("no tag %lld", (long long)tag);
	return 0;
}

static size_t find_place(const struct elfbuild *built, const struct hostile *hostile)
{
	const size_t at = (size_t)hostile->at;
	switch (hostile->place) {
	case PLACE_HEADER:
		return at;
	case PLACE_LOAD:
		return built->phdr + at;
	case PLACE_DYNAMIC_SEGMENT:
		return built->phdr + sizeof(Elf64_Phdr) + at;
	case PLACE_NOTE_SEGMENT:
		return built->phdr + 2 * sizeof(Elf64_Phdr) + at;
	case PLACE_SYSV:
		return built->sysv + at;
	case PLACE_GNU:
		return built->gnu + at;
	case PLACE_VERDEF:
		return built->verdef + at;
	case PLACE_NOTE:
		return built->note + at;
	case PLACE_TAG:
		return find_tag(built, hostile->at);
	}
	return 0;
}

static void hostile_numbers_are_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_ROWS(hostiles); i++) {
		const struct hostile *const hostile = &hostiles[i];
		struct elfbuild built;
		size_t n_named = 0;
		print_message("%s in %s\n", hostile->what, specs[hostile->spec].name);
		elfbuild_make(&built, &specs[hostile->spec]);
		elfbuild_set(&built, find_place(&built, hostile), hostile->value,
			     hostile->n_bytes);
		assert_int_equal(read_all(built.bytes, built.n_bytes, &n_named),
				 hostile->code);
		assert_int_equal(n_named, hostile->n_named);
	}
}

/* What lies behind the end of a mapping is not known here: a vDSO is at least a page.
 */
static void the_live_vdso_is_read_whatever_follows_it(void **state)
{
	(void)state;
	const void *const base = (const void *)getauxval(AT_SYSINFO_EHDR);
	struct rs_err err = {.text = ""};
	struct rs_image image;
	if (!base) {
		print_message("no vDSO here: AT_SYSINFO_EHDR is 0\n");
		skip();
	}
	assert_int_equal(rs_image_open(&image, "the vDSO", base, 4096, &err), 0);
	assert_int_equal(image.bits, 8 * sizeof(void *));
	assert_int_equal(image.is_big_endian, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	assert_true(image.n_segments > 0);
	rs_image_close(&image);
}

static void the_corpus_is_what_the_builder_makes(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_ROWS(specs); i++) {
		struct elfbuild built;
		char path[512];
		char *bytes = NULL;
		size_t n_bytes = 0;
		snprintf(path, sizeof(path), CORPUS "%s", specs[i].name);
		print_message("%s\n", path);
		elfbuild_make(&built, &specs[i]);
		assert_int_equal(rs_file_read_all(path, 1 << 20, &bytes, &n_bytes), 0);
		assert_int_equal(n_bytes, built.n_bytes);
		assert_memory_equal(bytes, built.bytes, n_bytes);
		free(bytes);
	}
}

/* How the corpus is made anew when a row of specs changes. */
static int write_corpus(void)
{
	for (size_t i = 0; i < N_ROWS(specs); i++) {
		struct elfbuild built;
		char path[512];
		snprintf(path, sizeof(path), CORPUS "%s", specs[i].name);
		elfbuild_make(&built, &specs[i]);
		FILE *const file = fopen(path, "wb");
		if (!file || fwrite(built.bytes, built.n_bytes, 1, file) != 1 ||
		    fclose(file)) {
			perror(path);
			return 1;
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_layout_is_read),
	    cmocka_unit_test(cut_images_are_refused),
	    cmocka_unit_test(flipped_bytes_do_no_harm),
	    cmocka_unit_test(hostile_numbers_are_refused),
	    cmocka_unit_test(the_live_vdso_is_read_whatever_follows_it),
	    cmocka_unit_test(the_corpus_is_what_the_builder_makes),
	};
	if (argc == 2 && strcmp(argv[1], "--write-corpus") == 0)
		return write_corpus();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
