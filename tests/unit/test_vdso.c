#include "src/vdso.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/elfbuild.h"

#define N_ROWS(rows) (sizeof(rows) / sizeof((rows)[0]))

static bool is_live(void)
{
	if (getauxval(AT_SYSINFO_EHDR))
		return true;
	print_message("no vDSO here: AT_SYSINFO_EHDR is 0\n");
	return false;
}

/* The dynamic loader reads the same image by its own code. */
static void live_symbols_are_where_the_loader_finds_them(void **state)
{
	(void)state;
	static const char *const names[] = {"linux-vdso.so.1", "linux-vdso64.so.1",
					    "linux-vdso32.so.1", "linux-gate.so.1"};
	void *loaded = NULL;
	struct rs_err err = {.text = ""};
	struct rs_vdso vdso;
	if (!is_live())
		skip();
	for (size_t i = 0; i < N_ROWS(names) && !loaded; i++)
		loaded = dlopen(names[i], RTLD_NOW | RTLD_NOLOAD);
	if (!loaded) {
		print_message("the dynamic loader knows no vDSO\n");
		skip();
	}
	assert_int_equal(rs_vdso_open(&vdso, &err), 0);
	assert_true(vdso.n_symbols > 0);
	assert_ptr_equal(vdso.base, (void *)getauxval(AT_SYSINFO_EHDR));
	for (size_t i = 0; i < vdso.n_symbols; i++) {
		const struct rs_vdso_symbol *const symbol = &vdso.symbols[i];
		print_message("%s@%s\n", symbol->name, symbol->version);
		assert_true(symbol->offset + symbol->n_bytes <= vdso.n_bytes);
		assert_ptr_equal(symbol->address,
				 symbol->version
				     ? dlvsym(loaded, symbol->name, symbol->version)
				     : dlsym(loaded, symbol->name));
	}
	rs_vdso_close(&vdso);
	rs_vdso_close(&vdso);
	assert_null(vdso.symbols);
	dlclose(loaded);
}

/* A maps file of one line, where vDSO stands for the base's page. */
struct maps_case {
	const char *what;
	const char *mode;
	long start_page; /* relative to the base's */
	long end_page;
	int code;
	const char *sentence; /* a part of it */
};

static const struct maps_case maps_cases[] = {
    {"exact", "r-xp", 0, 1, 0, ""},
    {"from before", "r-xp", -1, 1, 0, ""},
    {"ends before", "r-xp", -1, 0, -ENXIO, "nothing readable"},
    {"starts after", "r-xp", 1, 2, -ENXIO, "nothing readable"},
    {"not readable", "--xp", 0, 1, -ENXIO, "nothing readable"},
    {"more than vDSO", "r-xp", 0, 0x900, -EFBIG, "more than any"},
};

static const struct elfbuild_symbol symbols[] = {
    {"__kernel_getcpu", STT_NOTYPE, STB_GLOBAL, 2, ELFBUILD_DEFINED, 8, 4},
    {"data", STT_OBJECT, STB_GLOBAL, 2, ELFBUILD_DEFINED, 0, 0},
    {"local", STT_FUNC, STB_LOCAL, 0, ELFBUILD_DEFINED, 0, 0},
    {"elsewhere", STT_FUNC, STB_GLOBAL, 0, ELFBUILD_UNDEFINED, 0, 0},
    {ELFBUILD_VERSION, STT_OBJECT, STB_GLOBAL, 2, ELFBUILD_ABSOLUTE, 0, 0},
    {NULL, 0, 0, 0, ELFBUILD_UNDEFINED, 0, 0},
};

static const struct elfbuild_spec spec = {
    .name = "fake",
    .bits = 64,
    .is_big_endian = true,
    .machine = EM_PPC64,
    .has_sysv = true,
    .has_versions = true,
    .address = 0x100000,
    .symbols = symbols,
};

static unsigned char *map_fake(struct elfbuild *built)
{
	elfbuild_make(built, &spec);
	unsigned char *const page = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
					 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(page != MAP_FAILED);
	memcpy(page, built->bytes, built->n_bytes);
	/* Else the kernel might make one mapping of it and a neighbour. */
	assert_int_equal(mprotect(page, 4096, PROT_READ), 0);
	return page;
}

static void write_maps(const char *path, uintptr_t base, const struct maps_case *row)
{
	FILE *const file = fopen(path, "w");
	assert_non_null(file);
	fprintf(file, "1000-2000 r--p 00000000 00:00 0    /some/file\n");
	fprintf(file, "%" PRIxPTR "-%" PRIxPTR " %s 00000000 00:00 0    [vdso]\n",
		base + (uintptr_t)(row->start_page * 4096),
		base + (uintptr_t)(row->end_page * 4096), row->mode);
	assert_int_equal(fclose(file), 0);
}

static void the_mapping_bounds_the_image(void **state)
{
	(void)state;
	struct elfbuild built;
	unsigned char *const page = map_fake(&built);
	char path[] = "maps-XXXXXX";
	const int fd = mkstemp(path);
	assert_true(fd >= 0);
	close(fd);
	for (size_t i = 0; i < N_ROWS(maps_cases); i++) {
		struct rs_err err = {.text = ""};
		struct rs_vdso vdso;
		print_message("%s\n", maps_cases[i].what);
		write_maps(path, (uintptr_t)page, &maps_cases[i]);
		assert_int_equal(rs_vdso_open_at(&vdso, (uintptr_t)page, path, &err),
				 maps_cases[i].code);
		assert_non_null(strstr(err.text, maps_cases[i].sentence));
		assert_int_equal(vdso.n_bytes, maps_cases[i].code ? 0 : 4096);
		rs_vdso_close(&vdso);
	}
	unlink(path);
	munmap(page, 4096);
}

static void a_foreign_image_is_read(void **state)
{
	(void)state;
	struct elfbuild built;
	unsigned char *const page = map_fake(&built);
	struct rs_err err = {.text = ""};
	struct rs_vdso vdso;
	assert_int_equal(
	    rs_vdso_open_at(&vdso, (uintptr_t)page, "/proc/self/maps", &err), 0);
	assert_int_equal(vdso.n_symbols, 1);
	assert_string_equal(vdso.symbols[0].name, "__kernel_getcpu");
	assert_string_equal(vdso.symbols[0].version, ELFBUILD_VERSION);
	assert_int_equal(vdso.symbols[0].offset, built.code + 8);
	assert_int_equal(vdso.symbols[0].n_bytes, 4);
	assert_ptr_equal(vdso.symbols[0].address, page + built.code + 8);
	assert_string_equal(vdso.build_id, ELFBUILD_BUILD_ID);
	assert_int_equal(vdso.audit_arch, 0x80000000u | EM_PPC64);
	rs_vdso_close(&vdso);
	munmap(page, 4096);
}

static void what_cannot_be_read_says_why(void **state)
{
	(void)state;
	struct rs_err err = {.text = ""};
	struct rs_vdso vdso;
	void *const nothing =
	    mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const uintptr_t base = (uintptr_t)nothing;
	assert_true(nothing != MAP_FAILED);

	assert_int_equal(rs_vdso_open_at(&vdso, 0, "/proc/self/maps", &err), -ENOENT);
	assert_non_null(strstr(err.text, "AT_SYSINFO_EHDR is 0"));

	assert_int_equal(rs_vdso_open_at(&vdso, base, "no/such/maps", &err), -ENXIO);
	assert_non_null(strstr(err.text, "no/such/maps: ENOENT"));
	assert_non_null(strstr(err.text, "mount /proc"));

	assert_int_equal(rs_vdso_open_at(&vdso, base, "/proc/self/maps", &err),
			 -ENOEXEC);
	assert_non_null(strstr(err.text, "not an ELF image"));
	assert_null(vdso.base);
	munmap(nothing, 4096);
}

/* Symbols stand for themselves: "name@version", without "@" where there is none. */
struct find_case {
	const char *const symbols[4];
	const char *found; /* NULL: absent */
};

static const struct find_case find_cases[] = {
    {{"__vdso_f@V"}, "__vdso_f@V"},
    {{"__vdso_f@OLD", "__vdso_f@V"}, "__vdso_f@V"},
    {{"f@V", "__vdso_f@OLD"}, "__vdso_f@OLD"},
    {{"f@V", "__kernel_f@V", "__vdso_f"}, "__vdso_f"},
    {{"f@V", "__kernel_f@OLD"}, "__kernel_f@OLD"},
    {{"f@OLD"}, "f@OLD"},
    {{"f"}, "f"},
    {{"__vdso_ff@V", "__vdso_@V", "__vdso_@f"}, NULL},
    {{NULL}, NULL},
};

static size_t split_symbols(const struct find_case *row, char text[4][32],
			    struct rs_vdso_symbol *out)
{
	size_t n = 0;
	for (; n < 4 && row->symbols[n]; n++) {
		snprintf(text[n], sizeof(text[n]), "%s", row->symbols[n]);
		char *const at = strchr(text[n], '@');
		out[n] = (struct rs_vdso_symbol){
		    .name = text[n],
		    .version = at ? at + 1 : NULL,
		    .offset = n,
		};
		if (at)
			*at = '\0';
	}
	return n;
}

static void find_prefers_the_isa_s_own_name(void **state)
{
	(void)state;
	const struct rs_isa isa = {.vdso_prefix = "__vdso_", .vdso_version = "V"};
	for (size_t i = 0; i < N_ROWS(find_cases); i++) {
		char text[4][32];
		struct rs_vdso_symbol rows[4];
		const size_t n = split_symbols(&find_cases[i], text, rows);
		const struct rs_vdso vdso = {.symbols = rows, .n_symbols = n};
		const struct rs_vdso_symbol *const symbol =
		    rs_vdso_find(&vdso, &isa, "f");
		print_message("row %zu: %s\n", i, find_cases[i].found);
		if (!find_cases[i].found) {
			assert_null(symbol);
			continue;
		}
		assert_non_null(symbol);
		assert_string_equal(find_cases[i].symbols[symbol->offset],
				    find_cases[i].found);
	}
}

static void function_names_lose_their_prefix(void **state)
{
	(void)state;
	assert_string_equal(rs_vdso_function_name("__vdso_time"), "time");
	assert_string_equal(rs_vdso_function_name("__kernel_time"), "time");
	assert_string_equal(rs_vdso_function_name("time"), "time");
	assert_string_equal(rs_vdso_function_name("_vdso_time"), "_vdso_time");
}

struct offset_case {
	const char *text;
	bool is_offset;
};

static void time_namespaces_are_seen_by_their_offsets(void **state)
{
	(void)state;
	static const struct offset_case cases[] = {
	    {"monotonic           0         0\nboottime            0         0", false},
	    {"monotonic           0         0\nboottime       86400         0", true},
	    {"monotonic          -1         0\nboottime            0         0", true},
	    {"monotonic           0        10\nboottime            0         0", true},
	    {"", false},
	    {"\n\n", false},
	    {"monotonic", false},
	};
	for (size_t i = 0; i < N_ROWS(cases); i++) {
		print_message("%s\n", cases[i].text);
		assert_int_equal(rs_vdso_is_offset(cases[i].text), cases[i].is_offset);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(live_symbols_are_where_the_loader_finds_them),
	    cmocka_unit_test(the_mapping_bounds_the_image),
	    cmocka_unit_test(a_foreign_image_is_read),
	    cmocka_unit_test(what_cannot_be_read_says_why),
	    cmocka_unit_test(find_prefers_the_isa_s_own_name),
	    cmocka_unit_test(function_names_lose_their_prefix),
	    cmocka_unit_test(time_namespaces_are_seen_by_their_offsets),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
