#include "src/predictor.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define N(array) (sizeof(array) / sizeof((array)[0]))

#define WHOLE                                                                          \
	"text = T\nentries = 8\noverflow = circular\nunderflow = stale\nsource = S\n"

static struct rs_predictors load(const char *data_dir)
{
	struct rs_predictors table;
	struct rs_err err;
	if (rs_predictors_load(&table, data_dir, &err))
		fail_msg("%s", err.text);
	return table;
}

static void every_row_that_is_built_in_has_a_source(void **state)
{
	(void)state;
	struct rs_predictors table = load(NULL);
	assert_true(table.n_rows > 10);
	for (size_t i = 0; i < table.n_rows; i++) {
		const struct rs_predictor *const row = &table.rows[i];
		struct rs_linkstack stack;
		struct rs_err err;
		print_message("%s\n", row->name);
		assert_non_null(row->source);
		assert_false(row->is_user);
		assert_int_equal(rs_linkstack_open(&stack, &row->rules, &err), 0);
		rs_linkstack_close(&stack);
	}
	rs_predictors_free(&table);
}

struct choice {
	const char *identity;
	const char *preset;
	uint32_t entries;
};

static const struct choice choices[] = {
    {"AuthenticAMD-26-2/", "zen5", 52},
    {"AuthenticAMD-26-44/cpu", "zen5", 52},
    {"AuthenticAMD-26-50/cpu", "generic", 16}, /* Zen 6 */
    {"AuthenticAMD-15-41/cpu", "k8", 12},
    {"GenuineIntel-6-5E/cpu", "intel-core", 16},
    {"GenuineIntel-6-1E/cpu", "intel-core", 16},
    {"GenuineIntel-6-97/cpu_core", "generic", 16},
    {"GenuineIntel-15-4/cpu", "netburst", 16},
    {"POWER8E/cpu", "power8", 32},
    {"POWER9/cpu", "power9", 64},
    {"POWER10/cpu", "generic", 16},
    {"arm-61-023/apple_firestorm_pmu", "m1-firestorm", 50},
    {"arm-61-022/apple_icestorm_pmu", "m1-icestorm", 32},
    {"arm-41-d4f/armv8_pmuv3_0", "neoverse-v2", 32},
    {"arm-41-d0c/armv8_pmuv3_0", "generic", 16},
    {"riscv-0x0-0x1/", "rocket", 6},
    {"riscv-0x602-0x3/cpu", "cva6", 2},
    {"thead,c910/cpu", "c910", 12},
    {"/", "generic", 16},
};

static void the_cpu_chooses_the_preset(void **state)
{
	(void)state;
	struct rs_predictors table = load(NULL);
	for (size_t i = 0; i < N(choices); i++) {
		const struct rs_predictor *const row =
		    rs_predictors_choose(&table, choices[i].identity);
		print_message("%s\n", choices[i].identity);
		assert_non_null(row);
		assert_string_equal(row->name, choices[i].preset);
		assert_int_equal(row->rules.entries, choices[i].entries);
	}
	rs_predictors_free(&table);
}

static void rules_are_read_from_their_words(void **state)
{
	(void)state;
	static const char text[] =
	    "[a]\ntext = one\ntext = two\nentries = 24\noverflow = refuse-count\n"
	    "underflow = none\nmerge = 8\nexempt = next blrl\nlink = odd\n"
	    "source = S\ncpus = X/*\ncpus = Y/*\nnote = N\n"
	    "[b]\n" WHOLE "exempt = none\n";
	struct rs_predictors table = {0};
	struct rs_err err;
	if (rs_predictors_add(&table, "t.ini", text, sizeof(text) - 1, true, &err))
		fail_msg("%s", err.text);
	assert_int_equal(table.n_rows, 2);
	const struct rs_predictor *const a = &table.rows[0];
	assert_string_equal(a->text, "one two");
	assert_string_equal(a->note, "N");
	assert_int_equal(a->rules.entries, 24);
	assert_int_equal(a->rules.overflow, RS_OVERFLOW_REFUSE_COUNT);
	assert_int_equal(a->rules.underflow, RS_UNDERFLOW_NONE);
	assert_int_equal(a->rules.merge, 8);
	assert_int_equal(a->rules.exempt, RS_EXEMPT_NEXT | RS_EXEMPT_BLRL);
	assert_int_equal(a->rules.linkreg, RS_LINKREG_ODD);
	assert_int_equal(table.rows[1].rules.exempt, 0);
	assert_int_equal(table.rows[1].rules.merge, 1);
	assert_ptr_equal(rs_predictors_choose(&table, "Y/cpu"), a);
	assert_null(rs_predictors_choose(&table, "Z/cpu"));
	rs_predictors_free(&table);
}

struct refusal {
	const char *text;
	const char *sentence; /* a part of it */
};

static const struct refusal refusals[] = {
    {"entries = 4\n", "t.ini line 1: 'entries' stands before any [section]"},
    {"[a]\nentries = 0\n", "t.ini line 2: '0' is not a number from 1 to 65536"},
    {"[a]\nentries = many\n", "t.ini line 2: 'many' is not a number"},
    {"[a]\nmerge = 0\n", "t.ini line 2: '0' is not a number"},
    {"[a]\noverflow = full\n",
     "t.ini line 2: 'full' is none of circular drop-oldest refuse refuse-count"},
    {"[a]\nunderflow = x\n", "t.ini line 2: 'x' is none of stale none"},
    {"[a]\nlink = x9\n", "t.ini line 2: 'x9' is none of isa x1 odd"},
    {"[a]\nexempt = isa bl\n", "t.ini line 2: 'bl' is none of isa next blrl"},
    {"[a]\nexempt =\n", "t.ini line 2: the list is empty"},
    {"[a]\nsource =\n", "t.ini line 2: the text is empty"},
    {"[a]\nsize = 4\n", "t.ini line 2: a preset has no 'size'"},
    {"[a]\nentries = 4\nentries = 5\n", "t.ini line 3: [a] has a 'entries' already"},
    {"[a]\n" WHOLE "[b]\n" WHOLE "[a]\ntext = T\n",
     "t.ini line 14: there is a section [a] already"},
    {"[a]\ntext = T\n[b]\ntext = T\n", "t.ini line 4: [a] has no 'entries =' line"},
    {"[a]\n" WHOLE "[b]\ntext = T\nentries = 4\noverflow = circular\n"
     "underflow = stale\n",
     "t.ini: [b] has no 'source =' line"},
    {"[a]\nnonsense\n", "t.ini line 2: neither a [section] nor key = value"},
};

static void bad_rows_are_refused_with_their_line(void **state)
{
	(void)state;
	for (size_t i = 0; i < N(refusals); i++) {
		struct rs_predictors table = {0};
		struct rs_err err = {""};
		const char *const text = refusals[i].text;
		assert_true(rs_predictors_add(&table, "t.ini", text, strlen(text), true,
					      &err) < 0);
		if (!strstr(err.text, refusals[i].sentence))
			fail_msg("got: %s\nwant: %s", err.text, refusals[i].sentence);
		rs_predictors_free(&table);
	}
	struct rs_predictors table = {0};
	struct rs_err err;
	assert_int_equal(rs_predictors_add(&table, "t.ini", "a\0b", 3, true, &err),
			 -EINVAL);
	rs_predictors_free(&table);
}

/* The user's own rows come first and hide their namesakes. */
static void a_folder_adds_and_replaces_rows(void **state)
{
	(void)state;
	char folder[] = "/tmp/retstack-test-XXXXXX";
	char path[64];
	assert_non_null(mkdtemp(folder));
	struct rs_predictors table = load(folder); /* nothing there yet */
	const size_t n_built_in = table.n_rows;
	rs_predictors_free(&table);
	snprintf(path, sizeof(path), "%s/predictors.ini", folder);
	FILE *const file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fputs("[zen5]\n" WHOLE "cpus = AuthenticAMD-26-*/*\n"
			  "[mine]\n" WHOLE,
			  file) >= 0);
	assert_int_equal(fclose(file), 0);
	table = load(folder);
	struct rs_err err;
	assert_int_equal(table.n_rows, n_built_in + 1);
	assert_true(rs_predictors_find(&table, "mine", &err)->is_user);
	assert_int_equal(
	    rs_predictors_choose(&table, "AuthenticAMD-26-2/")->rules.entries, 8);
	assert_null(rs_predictors_find(&table, "mime", &err));
	assert_non_null(strstr(err.text, "did you mean 'mine'"));
	rs_predictors_free(&table);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(folder), 0);
	assert_int_equal(rs_predictors_load(&table, folder, &err), -ENOENT);
	assert_non_null(strstr(err.text, folder));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_row_that_is_built_in_has_a_source),
	    cmocka_unit_test(the_cpu_chooses_the_preset),
	    cmocka_unit_test(rules_are_read_from_their_words),
	    cmocka_unit_test(bad_rows_are_refused_with_their_line),
	    cmocka_unit_test(a_folder_adds_and_replaces_rows),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
