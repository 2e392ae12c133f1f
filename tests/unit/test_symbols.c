#include "src/symbols.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/base/file.h"
#include "src/rng.h"
#include "tests/unit/elfbuild.h"

#define N_ROWS(rows) (sizeof(rows) / sizeof((rows)[0]))
#define BASE         UINT64_C(0x100000)

static const struct elfbuild_symbol symbols_of_image[] = {
    {"unsized", STT_NOTYPE, STB_GLOBAL, 1, ELFBUILD_DEFINED, 16, 0},
    {"weak_first", STT_FUNC, STB_WEAK, 1, ELFBUILD_DEFINED, 0, 8},
    {"first", STT_FUNC, STB_GLOBAL, 1, ELFBUILD_DEFINED, 0, 8},
    {"inner", STT_FUNC, STB_GLOBAL, 1, ELFBUILD_DEFINED, 4, 2},
    {"last", STT_FUNC, STB_GLOBAL, 1, ELFBUILD_DEFINED, 24, 9999},
    {"label", STT_NOTYPE, STB_LOCAL, 1, ELFBUILD_DEFINED, 12, 0},
    {"data", STT_OBJECT, STB_GLOBAL, 1, ELFBUILD_DEFINED, 28, 4},
    {"elsewhere", STT_FUNC, STB_GLOBAL, 0, ELFBUILD_UNDEFINED, 0, 0},
    {NULL, 0, 0, 0, ELFBUILD_UNDEFINED, 0, 0},
};

static const struct elfbuild_spec specs[] = {
    {"le64", 64, 0, EM_X86_64, 1, 0, 0, 0, BASE, symbols_of_image},
    {"be64", 64, 1, EM_PPC64, 0, 1, 0, 0, BASE, symbols_of_image},
    {"le32", 32, 0, EM_386, 1, 0, 0, 1, BASE, symbols_of_image},
    {"be32", 32, 1, EM_PPC, 1, 0, 0, 0, BASE, symbols_of_image},
};

struct opened {
	struct rs_image image;
	struct rs_symbols symbols;
};

static void open_bytes(struct opened *out, const void *bytes, size_t n_bytes)
{
	struct rs_err err = {.text = ""};
	assert_int_equal(rs_image_open(&out->image, "image", bytes, n_bytes, &err), 0);
	assert_int_equal(rs_symbols_open(&out->symbols, &out->image, "image", &err), 0);
}

static void close_all(struct opened *opened)
{
	rs_symbols_close(&opened->symbols);
	rs_image_close(&opened->image);
}

/* What is found at an offset of the code. */
static const struct {
	unsigned int at;
	const char *name; /* NULL: nothing */
	unsigned int offset;
} lookups[] = {
    {0, "first", 0},    {3, "first", 3},    {4, "inner", 0}, {5, "inner", 1},
    {6, "first", 6},    {8, NULL, 0},       {12, NULL, 0},   {16, "unsized", 0},
    {20, "unsized", 4}, {23, "unsized", 7}, {24, "last", 0}, {31, "last", 7},
};

static void test_finds_functions_by_address(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_ROWS(specs); i++) {
		struct elfbuild built;
		struct opened opened;
		elfbuild_make(&built, &specs[i]);
		open_bytes(&opened, built.bytes, built.n_bytes);
		assert_int_equal(opened.symbols.n_functions, 4);
		for (size_t k = 0; k < N_ROWS(lookups); k++) {
			uint64_t offset = 99;
			const struct rs_function *const found =
			    rs_symbols_find(&opened.symbols,
					    BASE + built.code + lookups[k].at, &offset);
			print_message("%s +%u\n", specs[i].name, lookups[k].at);
			assert_int_equal(offset, lookups[k].offset);
			if (lookups[k].name)
				assert_string_equal(found->name, lookups[k].name);
			else
				assert_null(found);
		}
		close_all(&opened);
	}
}

/* A size beyond the code is cut; an address outside it is nobody's. */
static void test_stays_inside_the_code(void **state)
{
	(void)state;
	struct elfbuild built;
	struct opened opened;
	elfbuild_make(&built, &specs[0]);
	open_bytes(&opened, built.bytes, built.n_bytes);
	const struct rs_function *const last = &opened.symbols.functions[3];
	uint64_t offset = 0;
	assert_string_equal(last->name, "last");
	assert_int_equal(last->address + last->n_bytes, BASE + built.n_bytes);
	assert_null(rs_symbols_find(&opened.symbols, 0, &offset));
	assert_null(rs_symbols_find(&opened.symbols, UINT64_MAX, &offset));
	assert_null(rs_symbols_find(&opened.symbols, BASE + built.n_bytes, &offset));
	close_all(&opened);
}

/* The descriptor is the first words of "descriptor"'s data; its code is at code + 8. */
static void test_follows_descriptors(void **state)
{
	(void)state;
	static const struct elfbuild_symbol descriptors[] = {
	    {"function", STT_FUNC, STB_GLOBAL, 1, ELFBUILD_DEFINED, 0, 4},
	    {NULL, 0, 0, 0, ELFBUILD_UNDEFINED, 0, 0},
	};
	static const struct elfbuild_spec spec = {"elfv1", 64, 1,    EM_PPC64,   1, 0,
						  0,       0,  BASE, descriptors};
	struct elfbuild built;
	struct opened opened;
	elfbuild_make(&built, &spec);
	elfbuild_set(&built, built.code, BASE + built.code + 8, 8);
	/* Only what follows the descriptor is executable: a segment of its own. */
	const size_t text = built.phdr + 2 * sizeof(Elf64_Phdr);
	elfbuild_set(&built, built.phdr + offsetof(Elf64_Phdr, p_flags), PF_R, 4);
	elfbuild_set(&built, text + offsetof(Elf64_Phdr, p_type), PT_LOAD, 4);
	elfbuild_set(&built, text + offsetof(Elf64_Phdr, p_flags), PF_R | PF_X, 4);
	elfbuild_set(&built, text + offsetof(Elf64_Phdr, p_offset), built.code + 8, 8);
	elfbuild_set(&built, text + offsetof(Elf64_Phdr, p_vaddr),
		     BASE + built.code + 8, 8);
	elfbuild_set(&built, text + offsetof(Elf64_Phdr, p_filesz), 8, 8);
	open_bytes(&opened, built.bytes, built.n_bytes);
	assert_int_equal(opened.symbols.n_functions, 1);
	assert_int_equal(opened.symbols.functions[0].address, BASE + built.code + 8);
	assert_string_equal(opened.symbols.functions[0].name, "function");
	close_all(&opened);
}

static void test_settles_nothing(void **state)
{
	(void)state;
	struct rs_symbols symbols = {0};
	uint64_t offset = 0;
	rs_symbols_settle(&symbols);
	assert_null(rs_symbols_find(&symbols, 0, &offset));
}

static void test_adds_functions(void **state)
{
	(void)state;
	struct elfbuild built;
	struct opened opened;
	uint64_t offset = 0;
	elfbuild_make(&built, &specs[0]);
	open_bytes(&opened, built.bytes, built.n_bytes);
	const uint64_t code = BASE + built.code;
	assert_int_equal(rs_symbols_add(&opened.symbols, NULL, code + 9, 3), 0);
	assert_int_equal(rs_symbols_add(&opened.symbols, NULL, code, 1), 0);
	assert_int_equal(rs_symbols_add(&opened.symbols, NULL, UINT64_MAX, 1), 0);
	rs_symbols_settle(&opened.symbols);
	assert_int_equal(opened.symbols.n_functions, 5);
	assert_string_equal(rs_symbols_find(&opened.symbols, code, &offset)->name,
			    "first");
	assert_null(rs_symbols_find(&opened.symbols, code + 11, &offset)->name);
	assert_int_equal(offset, 2);
	close_all(&opened);
}

/* This program itself has sections and a .symtab, and was linked for this machine. */
static void test_reads_sections(void **state)
{
	(void)state;
	char *bytes = NULL;
	size_t n_bytes = 0;
	struct opened opened;
	uint64_t offset = 0;
	assert_int_equal(rs_file_read_all("/proc/self/exe", 1U << 28, &bytes, &n_bytes),
			 0);
	open_bytes(&opened, bytes, n_bytes);
	free(bytes);
	const struct rs_section *const text =
	    rs_sections_find(&opened.symbols.sections, SHT_PROGBITS, ".text");
	assert_non_null(text);
	assert_non_null(rs_code_find(&opened.symbols.code, text->address));
	bool found = false;
	for (size_t i = 0; i < opened.symbols.n_functions; i++) {
		const struct rs_function *const function = &opened.symbols.functions[i];
		found |= strcmp(function->name, "test_reads_sections") == 0 &&
			 rs_symbols_find(&opened.symbols, function->address, &offset) ==
			     function &&
			 function->is_sized;
	}
	assert_true(found);
	close_all(&opened);
}

/* Any bytes changed, the image cut anywhere: nothing is read outside it. */
static void test_survives_changed_bytes(void **state)
{
	(void)state;
	const uint64_t seed = 20261204;
	struct rs_rng rng;
	struct elfbuild built;
	rs_rng_seed(&rng, seed);
	for (int i = 0; i < 4000; i++) {
		struct rs_err err;
		struct rs_image image;
		struct rs_symbols symbols;
		elfbuild_make(&built, &specs[rs_rng_below(&rng, N_ROWS(specs))]);
		for (int k = 0; k < 4; k++)
			built.bytes[rs_rng_below(&rng, built.n_bytes)] =
			    (unsigned char)rs_rng_next(&rng);
		if (rs_image_open(&image, "image", built.bytes,
				  rs_rng_below(&rng, built.n_bytes + 1), &err))
			continue;
		assert_int_equal(rs_symbols_open(&symbols, &image, "image", &err), 0);
		for (size_t k = 0; k < symbols.n_functions; k++) {
			uint64_t n_left = 0;
			assert_true(symbols.functions[k].n_bytes > 0);
			assert_non_null(rs_code_at(
			    &symbols.code, symbols.functions[k].address, &n_left));
			assert_true(symbols.functions[k].n_bytes <= n_left);
		}
		rs_symbols_close(&symbols);
		rs_image_close(&image);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_finds_functions_by_address),
	    cmocka_unit_test(test_stays_inside_the_code),
	    cmocka_unit_test(test_follows_descriptors),
	    cmocka_unit_test(test_settles_nothing),
	    cmocka_unit_test(test_adds_functions),
	    cmocka_unit_test(test_reads_sections),
	    cmocka_unit_test(test_survives_changed_bytes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
