#include "src/pattern.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define N(array) (sizeof(array) / sizeof((array)[0]))

static const struct rs_variant getpc[] = {
    {.name = "lea"}, {.name = "call+0"}, {.name = "call+4"}, {.name = NULL}};
static const struct rs_variant vdso[] = {
    {.name = "vdso"}, {.name = "libc"}, {.name = NULL}};
static const struct rs_family families[] = {
    {.name = "getpc", .baseline = "lea", .variants = getpc},
    {.name = "vdso", .baseline = "vdso", .variants = vdso},
    {.name = NULL},
};
static const struct rs_isa isa = {.name = "test", .families = families};

static const struct rs_workload *workload(const char *name)
{
	for (const struct rs_workload *w = rs_workloads(); w->name; w++) {
		if (strcmp(w->name, name) == 0)
			return w;
	}
	fail_msg("no workload %s", name);
	return NULL;
}

struct fit {
	const char *selector;
	const char *workload;
	const char *operand; /* NULL: the row without a clock */
	const char *variant;
	bool fits;
};

static const struct fit fits[] = {
    {"getpc", "getpc", NULL, "lea", true},
    {"getpc", "getpc", NULL, "call+4", true},
    {"getpc", "datapage", NULL, "lea", false},
    {"GetPC", "getpc", NULL, "lea", true},
    {"g*", "getpc", NULL, "lea", true},
    {"*", "getpc", NULL, "lea", true},
    {"getpc/lea", "getpc", NULL, "lea", true},
    {"getpc/lea", "getpc", NULL, "call+0", false},
    {"getpc/LEA", "getpc", NULL, "lea", true},
    {"getpc/call*", "getpc", NULL, "call+4", true},
    {"getpc/call*", "getpc", NULL, "lea", false},
    {"getpc/call+[04]", "getpc", NULL, "call+0", true},
    {"*/lea", "getpc", NULL, "lea", true},
    {"vdso.*", "vdso.clock_gettime", NULL, "vdso", true},
    {"vdso.*", "vdso.clock_gettime", "monotonic", "vdso", false},
    {"*", "vdso.clock_gettime", "monotonic", "vdso", false},
    {"vdso.clock_gettime", "vdso.clock_gettime", "monotonic", "vdso", false},
    {"vdso.clock_gettime:*", "vdso.clock_gettime", "monotonic", "vdso", true},
    {"vdso.clock_gettime:*", "vdso.clock_gettime", "tai", "libc", true},
    {"vdso.clock_gettime:*", "vdso.clock_gettime", NULL, "vdso", false},
    {"*:*", "vdso.clock_getres", "boottime", "vdso", true},
    {"*:*", "getpc", NULL, "lea", false},
    {"vdso.clock_gettime:mono*", "vdso.clock_gettime", "monotonic_raw", "vdso", true},
    {"vdso.clock_gettime:MONO*", "vdso.clock_gettime", "monotonic", "vdso", true},
    {"vdso.clock_gettime:monotonic", "vdso.clock_gettime", "monotonic", "vdso", true},
    {"vdso.clock_gettime:monotonic", "vdso.clock_gettime", "monotonic_raw", "vdso",
     false},
    {"vdso.clock_gettime:CLOCK_MONOTONIC", "vdso.clock_gettime", "monotonic", "vdso",
     true},
    {"vdso.clock_gettime:clock_Tai", "vdso.clock_gettime", "tai", "vdso", true},
    {"vdso.clock_gettime:1", "vdso.clock_gettime", "monotonic", "vdso", true},
    {"vdso.clock_gettime:1", "vdso.clock_gettime", "realtime", "vdso", false},
    {"vdso.clock_gettime:1/libc", "vdso.clock_gettime", "monotonic", "vdso", false},
    {"vdso.clock_gettime:1/libc", "vdso.clock_gettime", "monotonic", "libc", true},
};

static const struct rs_variant *variant(const char *name)
{
	for (const struct rs_family *family = families; family->name; family++) {
		for (const struct rs_variant *v = family->variants; v->name; v++) {
			if (strcmp(v->name, name) == 0)
				return v;
		}
	}
	fail_msg("no variant %s", name);
	return NULL;
}

static void selectors_choose_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < N(fits); i++) {
		const struct fit *const row = &fits[i];
		print_message("%s: %s %s %s\n", row->selector, row->workload,
			      row->operand ? row->operand : "-", row->variant);
		struct rs_pattern pattern;
		struct rs_err err = {""};
		assert_int_equal(rs_pattern_parse(&pattern, row->selector, &isa, &err),
				 0);
		const struct rs_workload *const w = workload(row->workload);
		const struct rs_operand *const operand =
		    row->operand ? rs_operand_find(w, row->operand) : NULL;
		const bool found =
		    rs_pattern_fits(&pattern, w, operand) &&
		    rs_pattern_fits_variant(&pattern, variant(row->variant));
		assert_int_equal(found, row->fits);
	}
}

struct refusal {
	const char *selector;
	const char *says; /* the sentence, or its beginning */
};

#define LONG_NAME                                                                      \
	"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" \
	"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

static const struct refusal refusals[] = {
    {"", "selector '' has an empty part; write WORKLOAD[:OPERAND][/VARIANT]"},
    {"/lea", "selector '/lea' has an empty part; write WORKLOAD[:OPERAND][/VARIANT]"},
    {"getpc/",
     "selector 'getpc/' has an empty part; write WORKLOAD[:OPERAND][/VARIANT]"},
    {":tai", "selector ':tai' has an empty part; write WORKLOAD[:OPERAND][/VARIANT]"},
    {"*:", "selector '*:' has an empty part; write WORKLOAD[:OPERAND][/VARIANT]"},
    {"getcp", "no workload fits 'getcp'; did you mean 'getpc'?"},
    {"nothing-like-it",
     "no workload fits 'nothing-like-it'; `retstack list workloads` shows them"},
    {"getpc/nop", "workload 'getpc' has no variant 'nop'; it has lea call+0 call+4"},
    {"g*/nop", "workload 'g*' has no variant 'nop'; it has lea call+0 call+4"},
    {"getpc:monotonic",
     "no workload that fits takes 'monotonic', nor anything else behind a colon"},
    {"vdso.clock_gettime:sundial",
     "no workload that fits takes 'sundial'; vdso.clock_gettime takes realtime "},
    {"vdso.clock_gettime:99", "no workload that fits takes '99'; vdso.clock_gettime "},
    {"vdso.getrandom:5",
     "no workload that fits takes '5'; vdso.getrandom takes 4 16 32 "},
    {LONG_NAME, "selector 'aaaa"},
    {"getpc/" LONG_NAME, "selector 'getpc/aaaa"},
    {LONG_NAME LONG_NAME LONG_NAME, "selector 'aaaa"},
};

static void what_fits_nothing_is_refused_with_what_there_is(void **state)
{
	(void)state;
	for (size_t i = 0; i < N(refusals); i++) {
		struct rs_pattern pattern;
		struct rs_err err = {""};
		const int ret =
		    rs_pattern_parse(&pattern, refusals[i].selector, &isa, &err);
		print_message("%.60s: %s\n", refusals[i].selector, err.text);
		assert_int_equal(ret, -EINVAL);
		assert_memory_equal(err.text, refusals[i].says,
				    strlen(refusals[i].says));
	}
}

/* Nothing of an ISA without kernels can be called wrong: it becomes a row. */
static void an_isa_without_kernels_takes_any_variant(void **state)
{
	(void)state;
	static const struct rs_isa bare = {.name = "bare", .absent = "no kernels"};
	struct rs_pattern pattern;
	struct rs_err err = {""};
	assert_int_equal(rs_pattern_parse(&pattern, "getpc/lea", &bare, &err), 0);
	assert_int_equal(rs_pattern_parse(&pattern, "getcp/lea", &bare, &err), -EINVAL);
}

static void each_default_is_one_of_the_operands(void **state)
{
	(void)state;
	static const struct {
		const char *workload;
		const char *name; /* NULL: none */
		int id;
	} rows[] = {
	    {"vdso.clock_gettime", "monotonic", 1},
	    {"vdso.clock_getres", "monotonic", 1},
	    {"vdso.getrandom", "4", 4},
	    {"getpc", NULL, 0},
	};
	for (size_t i = 0; i < N(rows); i++) {
		const struct rs_workload *const w = workload(rows[i].workload);
		const struct rs_operand *const operand = rs_operand_default(w);
		assert_int_equal(operand != NULL, rows[i].name != NULL);
		assert_int_equal(rs_operands(w)->name != NULL, rows[i].name != NULL);
		if (!operand)
			continue;
		assert_string_equal(operand->name, rows[i].name);
		assert_int_equal(operand->id, rows[i].id);
		assert_ptr_equal(rs_operand_find(w, operand->name), operand);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(selectors_choose_rows),
	    cmocka_unit_test(what_fits_nothing_is_refused_with_what_there_is),
	    cmocka_unit_test(an_isa_without_kernels_takes_any_variant),
	    cmocka_unit_test(each_default_is_one_of_the_operands),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
