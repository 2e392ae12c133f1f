#include "events/alias.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#include <cmocka.h>

#include "events/pfm.h"

static struct rs_alias_table *built_in(void)
{
	struct rs_alias_table *table = NULL;
	struct rs_err err;
	if (rs_alias_table_load(NULL, &table, &err))
		fail_msg("%s", err.text);
	return table;
}

/*
 * Compares one row with one of libpfm4's tables. Returns 1 when compared, 0 when this
 * libpfm4 has nothing to compare it with.
 */
static int compare(const struct rs_alias_row *row, const char *pmu, unsigned int *bad)
{
	char full[256];
	const bool names_pmu = strstr(row->event, "::") != NULL;
	snprintf(full, sizeof(full), "%s%s%s", names_pmu ? "" : pmu,
		 names_pmu ? "" : "::", row->event);
	struct rs_pfm_code code;
	const char *why = "";
	if (rs_pfm_encode(full, &code, &why)) {
		print_error("%s (%s): libpfm4 says %s\n", full, row->alias, why);
		++*bad;
		return 1;
	}
	if (code.config != row->code || code.counts_kernel) {
		print_error("%s (%s): libpfm4 0x%llx, table 0x%llx\n", full, row->alias,
			    (unsigned long long)code.config,
			    (unsigned long long)row->code);
		++*bad;
	}
	return 1;
}

struct tally {
	unsigned int compared;
	unsigned int without_table;
	unsigned int bad;
};

/* Every event row of a table against every table of libpfm4 that its section names. */
static struct tally compare_all(const struct rs_alias_table *table)
{
	struct tally tally = {.bad = 0};
	for (size_t r = 0; r < table->n_rows; r++) {
		const struct rs_alias_row *const row = &table->rows[r];
		if (row->kind != RS_ALIAS_EVENT)
			continue;
		if (strstr(row->event, "::")) {
			tally.compared += compare(row, "", &tally.bad);
			continue;
		}
		unsigned int n = 0;
		bool is_present;
		const char *pmu;
		for (size_t i = 0; (pmu = rs_pfm_core_pmu(i, &is_present)); i++)
			if (rs_alias_section_has_pmu(&table->sections[row->section],
						     pmu))
				n += compare(row, pmu, &tally.bad);
		tally.compared += n;
		tally.without_table += n == 0;
	}
	return tally;
}

static void rows_encode_to_their_codes(void **state)
{
	(void)state;
	struct rs_alias_table *const table = built_in();
	const struct tally tally = compare_all(table);
	print_message("libpfm4 %s: %u comparisons; %u rows whose PMU it lacks\n",
		      rs_pfm_version(), tally.compared, tally.without_table);
	assert_int_equal(tally.bad, 0);
	assert_true(tally.compared > 0);
	rs_alias_table_free(table);
}

/* The comparison must notice a wrong code and a wrong name. */
static void comparison_notices_errors(void **state)
{
	(void)state;
	static const char text[] = "[wrong]\n"
				   "pmu = *\n"
				   "source = made up\n"
				   "cycles = perf::cpu-cycles | 0x1\n"
				   "returns = perf::no-such-event | 0x2\n"
				   "branches = perf::instructions | 0x1\n";
	struct rs_alias_table table = {.n_rows = 0};
	struct rs_err err;
	assert_int_equal(
	    rs_alias_table_add(&table, "wrong.ini", text, strlen(text), false, &err),
	    0);
	const struct tally tally = compare_all(&table);
	assert_int_equal(tally.compared, 3);
	assert_int_equal(tally.bad, 2);
	struct rs_alias_table *const heap = malloc(sizeof(*heap));
	assert_non_null(heap);
	*heap = table;
	rs_alias_table_free(heap);
}

static void built_in_rows_have_code_and_source(void **state)
{
	(void)state;
	struct rs_alias_table *const table = built_in();
	assert_true(table->n_rows > 200);
	for (size_t r = 0; r < table->n_rows; r++) {
		const struct rs_alias_row *const row = &table->rows[r];
		print_message("%s: %s = %s\n", table->sections[row->section].name,
			      row->alias, row->event);
		assert_non_null(row->source);
		if (row->kind == RS_ALIAS_EVENT)
			assert_true(row->has_code);
		if (row->kind == RS_ALIAS_OTHER)
			assert_true(strlen(row->note) > 0);
	}
	rs_alias_table_free(table);
}

struct pick_case {
	const char *identity;
	const char *pfm_pmu;
	const char *alias;
	const char *event; /* of the first candidate; NULL: none */
	uint64_t code;
};

/* What each kind of CPU gets; the codes are those of the vendors' manuals. */
static const struct pick_case pick_cases[] = {
    {"GenuineIntel-6-55/cpu", "skx", "return-misses", "BR_MISP_RETIRED:RET", 0x08c5},
    {"GenuineIntel-6-7E/cpu", "icl", "return-misses", "r08c5", 0x08c5},
    {"GenuineIntel-6-97/cpu_core", "", "return-misses", "BR_MISP_RETIRED:RET", 0x08c5},
    {"GenuineIntel-6-97/cpu_atom", "", "return-misses", "BR_MISP_RETIRED:RETURN",
     0xf7c5},
    {"GenuineIntel-6-97/cpu_core", "", "returns", "BR_INST_RETIRED:NEAR_RETURN",
     0x08c4},
    {"GenuineIntel-6-97/cpu_atom", "", "returns", "BR_INST_RETIRED:RETURN", 0xf7c4},
    {"GenuineIntel-6-CC/cpu_core", "", "return-misses", "BR_MISP_RETIRED:NEAR_RETURN",
     0x08c5},
    {"GenuineIntel-6-CC/cpu_atom", "", "return-misses", "BR_MISP_RETIRED:NEAR_RETURN",
     0x08c5},
    {"GenuineIntel-18-1/cpu_core", "", "return-misses", "BR_MISP_RETIRED:NEAR_RETURN",
     0x08c5},
    {"GenuineIntel-6-3C/cpu", "hsw", "return-misses", "BR_MISP_EXEC:TAKEN_RETURN_NEAR",
     0x8889},
    {"GenuineIntel-6-1C/cpu", "atom", "return-misses", "r0489", 0x0489},
    {"GenuineIntel-6-1C/cpu", "atom", "returns", NULL, 0},
    {"AuthenticAMD-25-17/cpu", "amd64_fam19h_zen4", "return-misses",
     "RETIRED_NEAR_RETURNS_MISPREDICTED", 0xc9},
    {"AuthenticAMD-26-2/cpu", "", "returns", "RETIRED_NEAR_RETURNS", 0xc8},
    {"AuthenticAMD-16-4/cpu", "amd64_fam10h_barcelona", "link-stack-overflows",
     "RETURN_STACK_OVERFLOWS", 0x89},
    {"POWER7/cpu", "", "return-misses", "PM_BR_MPRED_LSTACK", 0x40a6},
    {"POWER8/cpu", "", "link-stack-misses", "PM_BR_MPRED_LSTACK", 0x40ae},
    {"POWER9/cpu", "power9", "link-stack-misses", "PM_BR_MPRED_LSTACK", 0x48ac},
    {"POWER9/cpu", "power9", "link-stack-wrong", "PM_LINK_STACK_WRONG_ADD_PRED",
     0x5098},
    {"POWER10/cpu", "power10", "return-misses", "PM_BR_MPRED_CMPL", 0x400f6},
    {"POWER10/cpu", "power10", "link-stack-misses", NULL, 0},
    {"arm-41-d0c/armv8_pmuv3_0", "arm_n1", "return-misses", "BR_MIS_PRED_RETIRED",
     0x22},
    {"arm-41-d8e/armv8_pmuv3_0", "", "return-misses", "BR_RETURN_MIS_PRED_RETIRED",
     0x8115},
    {"arm-41-d05/armv8_cortex_a55", "", "return-misses", "BR_RETURN_ADDR_MIS_PRED",
     0xcf},
    {"arm-41-d03/armv8_cortex_a53", "", "return-misses", "BRANCH_MISPRED", 0x10},
    {"arm-43-0af/armv8_pmuv3_0", "arm_thunderx2", "return-misses",
     "BR_RETURN_MIS_PRED_RETIRED", 0xe2},
    {"arm-41-d15/armv8_pmuv3_0", "", "link-stack-overflows", "BR_RETURN_OVERFLOW",
     0x525},
    {"/cpum_cf", "cpum_cf", "branch-misses", NULL, 0},
    {"/", "", "branch-misses", "perf::branch-misses", 0x5},
    {"/", "", "returns", NULL, 0},
};

static void each_cpu_gets_its_candidates(void **state)
{
	(void)state;
	struct rs_alias_table *const table = built_in();
	for (size_t i = 0; i < sizeof(pick_cases) / sizeof(pick_cases[0]); i++) {
		const struct pick_case *const c = &pick_cases[i];
		struct rs_machine machine = {.cpu = 0};
		snprintf(machine.identity, sizeof(machine.identity), "%s", c->identity);
		snprintf(machine.pfm_pmu, sizeof(machine.pfm_pmu), "%s", c->pfm_pmu);
		const struct rs_alias_row *rows[8];
		const struct rs_alias_row *stands_in[8];
		const struct rs_alias_row *none = NULL;
		print_message("%s (%s): %s\n", c->identity, c->pfm_pmu, c->alias);
		const size_t n = rs_alias_candidates(table, c->alias, &machine, rows,
						     stands_in, 8, &none);
		if (!c->event) {
			assert_int_equal(n, 0);
			assert_non_null(none);
			assert_true(strlen(none->note) > 0);
			continue;
		}
		assert_true(n > 0);
		assert_string_equal(rows[0]->event, c->event);
		assert_int_equal(rows[0]->code, c->code);
		if (stands_in[0])
			assert_true(strlen(stands_in[0]->note) > 0);
		else
			assert_string_equal(rows[0]->alias, c->alias);
	}
	rs_alias_table_free(table);
}

struct bad_case {
	const char *text;
	const char *sentence; /* a part of it */
};

static const struct bad_case bad_cases[] = {
    {"cycles = r3c\n", "line 1: 'cycles' stands before any [section]"},
    {"[x]\nsource = s\ncycles = r3c\n", "line 3: section [x] has no 'pmu =' or"},
    {"[x]\npmu = a\ncycles = r3c\n", "line 3: 'cycles' has no 'source ='"},
    {"[x]\npmu = a\nsource = s\ncycles = | 0x1\n", "line 4: 'cycles' has no event"},
    {"[x]\npmu = a\nsource = s\ncycles = E | 0xzz | note\n",
     "line 4: '0xzz' is not a code"},
    {"[x]\npmu = a\nsource = s\nreturns = none\n", "line 4: 'none' needs a reason"},
    {"[x]\npmu =\n", "line 2: the list is empty"},
    {"[x]\npmu = a\nsource =\n", "line 3: the source is empty"},
    {"[x]\npmu a\n", "line 2: neither a [section] nor"},
};

static void bad_tables_are_named_by_line(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(bad_cases) / sizeof(bad_cases[0]); i++) {
		const char *const text = bad_cases[i].text;
		struct rs_alias_table *const table = calloc(1, sizeof(*table));
		struct rs_err err = {""};
		assert_non_null(table);
		assert_int_equal(rs_alias_table_add(table, "user.ini", text,
						    strlen(text), true, &err),
				 -EINVAL);
		print_message("%s\n", err.text);
		assert_non_null(strstr(err.text, "user.ini"));
		assert_non_null(strstr(err.text, bad_cases[i].sentence));
		rs_alias_table_free(table);
	}
}

static void write_file(const char *path, const char *text)
{
	FILE *const file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static void user_rows_come_first(void **state)
{
	(void)state;
	char folder[] = "/tmp/rs-alias-XXXXXX";
	assert_non_null(mkdtemp(folder));
	char sub[64];
	char path[96];
	snprintf(sub, sizeof(sub), "%s/alias", folder);
	snprintf(path, sizeof(path), "%s/mine.ini", sub);
	assert_int_equal(mkdir(sub, 0700), 0);
	write_file(path, "[mine]\npmu = skx\nsource = me\nreturn-misses = r1234\n"
			 "my-event = r5678\n");
	struct rs_alias_table *table = NULL;
	struct rs_err err;
	assert_int_equal(rs_alias_table_load(folder, &table, &err), 0);
	const struct rs_machine machine = {.identity = "GenuineIntel-6-55/cpu",
					   .pfm_pmu = "skx"};
	const struct rs_alias_row *rows[8];
	const struct rs_alias_row *stands_in[8];
	const struct rs_alias_row *none;
	assert_int_equal(rs_alias_candidates(table, "return-misses", &machine, rows,
					     stands_in, 8, &none),
			 1);
	assert_int_equal(rows[0]->code, 0x1234);
	assert_int_equal(
	    rs_alias_candidates(table, "my-event", &machine, rows, stands_in, 8, &none),
	    1);
	rs_alias_table_free(table);

	write_file(path, "[mine]\npmu = skx\nreturn-misses = r1234\n");
	assert_int_equal(rs_alias_table_load(folder, &table, &err), -EINVAL);
	assert_null(table);
	assert_non_null(strstr(err.text, path));
	assert_non_null(strstr(err.text, "line 3"));
	unlink(path);
	rmdir(sub);
	assert_int_equal(rs_alias_table_load(folder, &table, &err), 0);
	rs_alias_table_free(table);
	rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(rows_encode_to_their_codes),
	    cmocka_unit_test(comparison_notices_errors),
	    cmocka_unit_test(built_in_rows_have_code_and_source),
	    cmocka_unit_test(each_cpu_gets_its_candidates),
	    cmocka_unit_test(bad_tables_are_named_by_line),
	    cmocka_unit_test(user_rows_come_first),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
