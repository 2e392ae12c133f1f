#include "src/compare.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define N_BLOCKS     10
#define N_PLACEMENTS 2
#define CALLS        1000

/* What one file of a case says; costs are gross, in ns or events per call. */
struct recipe {
	double empty;
	double lea;
	double again;
	double call;
	double misses;         /* of call; of the others 0 */
	double placement_step; /* what the second placement costs more */
	const char *config;
	const char *ns_name;
	int n_blocks;
};

static const struct recipe plain = {
    .empty = 1,
    .lea = 11,
    .again = 11,
    .call = 21,
    .config = "0xc9",
    .ns_name = "ns",
    .n_blocks = N_BLOCKS,
};

static void put_line(FILE *out, const struct recipe *recipe, const char *variant,
		     int block, int placement, const char *event, double per_call)
{
	const bool is_ns = strcmp(event, "ns") == 0;
	/* A little of everything, so that there are no ties. */
	const double wiggle = is_ns ? 0.001 * (block * 7 % 10) + 0.0001 * placement : 0;
	const double step = is_ns && placement && strcmp(variant, "empty") != 0
				? recipe->placement_step
				: 0;
	fprintf(out, "1,run,getpc,%s,%d,3,%d,0,%d,%s,%s,%s,%.0f,0,0,ok\n", variant,
		placement, block, CALLS, is_ns ? recipe->ns_name : event,
		is_ns ? "clock" : "cpu", is_ns ? "" : recipe->config,
		CALLS * (per_call + wiggle + step));
}

static void put_block(FILE *out, const struct recipe *recipe, int block, int placement)
{
	const struct {
		const char *variant;
		double ns;
		double misses;
	} rows[] = {
	    {"empty", recipe->empty, 0},
	    {"lea", recipe->lea, 0},
	    {"lea again", recipe->again, 0},
	    {"call+4", recipe->call, recipe->misses},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		put_line(out, recipe, rows[i].variant, block, placement, "ns",
			 rows[i].ns);
		put_line(out, recipe, rows[i].variant, block, placement,
			 "return-misses", rows[i].misses);
	}
}

static const char *const paths[] = {"compare-base.csv", "compare-new.csv"};

static void write_file(const char *path, const struct recipe *recipe)
{
	FILE *const out = fopen(path, "w");
	assert_non_null(out);
	fputs("schema,run_id,workload,variant,placement,depth,block,order,calls,event,"
	      "source,config,value,time_enabled_ns,time_running_ns,status\n",
	      out);
	for (int block = 0; block < recipe->n_blocks; block++) {
		for (int placement = 0; placement < N_PLACEMENTS; placement++)
			put_block(out, recipe, block, placement);
	}
	assert_int_equal(fclose(out), 0);
}

struct outcome {
	char verdict[32];
	double improvement_pct;
	bool is_known;
	bool is_worse;
};

static const struct rs_change *find(const struct rs_comparison *comparison,
				    const char *variant, const char *metric)
{
	for (size_t i = 0; i < comparison->n_changes; i++) {
		const struct rs_change *const change = &comparison->changes[i];
		if (strcmp(change->row->variant, variant) == 0 &&
		    strcmp(change->metric, metric) == 0)
			return change;
	}
	fail_msg("no change of %s %s", variant, metric);
	return NULL;
}

/* What comparing the two says of call+4. */
static struct outcome outcome_of(const struct recipe *base, const struct recipe *new,
				 const char *metric)
{
	struct rs_loaded files[2];
	struct rs_comparison comparison;
	struct rs_err err;
	const struct rs_compare_request request = {
	    .files = files,
	    .n_files = 2,
	    .threshold_pct = 1,
	};
	write_file(paths[0], base);
	write_file(paths[1], new);
	for (int i = 0; i < 2; i++) {
		if (rs_load(&files[i], paths[i], &err))
			fail_msg("%s", err.text);
	}
	if (rs_compare(&comparison, &request, &err))
		fail_msg("%s", err.text);
	const struct rs_change *const change = find(&comparison, "call+4", metric);
	struct outcome outcome = {
	    .improvement_pct = change->improvement_pct.value,
	    .is_known = change->improvement_pct.known,
	    .is_worse = change->is_worse,
	};
	snprintf(outcome.verdict, sizeof(outcome.verdict), "%s", change->verdict);
	rs_comparison_free(&comparison);
	for (int i = 0; i < 2; i++) {
		rs_loaded_free(&files[i]);
		unlink(paths[i]);
	}
	return outcome;
}

struct verdict_case {
	const char *what;
	struct recipe change; /* fields that are not 0 replace those of plain */
	const char *metric;
	const char *verdict;
	double improvement_pct;
	bool is_worse;
};

static const struct verdict_case verdict_cases[] = {
    {"nothing", {.n_blocks = N_BLOCKS}, "ns", "same", 0, false},
    {"4 ns more of 20", {.call = 25}, "ns", "slower", -20, true},
    {"4 ns less of 20", {.call = 17}, "ns", "faster", 20, false},
    {"under the threshold", {.call = 21.1}, "ns", "same", -0.5, false},
    {"within the control's noise", {.call = 25, .again = 14}, "ns", "same", -20, false},
    {"within the placement spread",
     {.call = 25, .placement_step = 8},
     "ns",
     NULL,
     0,
     false},
    {"the empty loop slowed as much",
     {.empty = 1.3, .call = 25.3},
     "ns",
     "same",
     -20,
     false},
    {"misses out of nothing", {.misses = 3}, "return-misses", "more", 0, true},
    {"a rounding of a miss", {.misses = 0.05}, "return-misses", "same", 0, false},
    {"another event",
     {.config = "0xc8", .misses = 3},
     "return-misses",
     "not-comparable",
     0,
     false},
    {"too few repetitions", {.call = 99, .n_blocks = 4}, "ns", "unclear", -390, false},
};

static struct recipe changed(const struct recipe *change)
{
	struct recipe recipe = plain;
	const double *const from[] = {&change->empty, &change->again, &change->call,
				      &change->misses, &change->placement_step};
	double *const to[] = {&recipe.empty, &recipe.again, &recipe.call,
			      &recipe.misses, &recipe.placement_step};
	for (size_t i = 0; i < sizeof(to) / sizeof(to[0]); i++)
		*to[i] = *from[i] != 0 ? *from[i] : *to[i];
	if (change->config)
		recipe.config = change->config;
	if (change->n_blocks)
		recipe.n_blocks = change->n_blocks;
	return recipe;
}

static void verdicts(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(verdict_cases) / sizeof(verdict_cases[0]); i++) {
		const struct verdict_case *const one = &verdict_cases[i];
		const struct recipe new = changed(&one->change);
		const struct outcome outcome = outcome_of(&plain, &new, one->metric);
		print_message("%s: %s %.2f\n", one->what, outcome.verdict,
			      outcome.improvement_pct);
		assert_int_equal(outcome.is_worse, one->is_worse);
		if (!one->verdict) {
			assert_string_not_equal(outcome.verdict, "slower");
			continue;
		}
		assert_string_equal(outcome.verdict, one->verdict);
		assert_true(fabs(outcome.improvement_pct - one->improvement_pct) < 0.1);
		assert_int_equal(outcome.is_known, strcmp(one->metric, "ns") == 0);
	}
}

static void files_without_a_common_row_are_refused(void **state)
{
	(void)state;
	struct rs_loaded files[2];
	struct rs_comparison comparison;
	struct rs_err err;
	struct recipe other = plain;
	other.ns_name = "nanoseconds";
	const struct rs_compare_request request = {
	    .files = files, .n_files = 2, .metrics = "ns"};
	write_file(paths[0], &plain);
	write_file(paths[1], &other);
	for (int i = 0; i < 2; i++)
		assert_int_equal(rs_load(&files[i], paths[i], &err), 0);
	assert_int_equal(rs_compare(&comparison, &request, &err), -EINVAL);
	assert_string_equal(err.text, "compare-base.csv and compare-new.csv have no "
				      "measured row and metric in common");
	for (int i = 0; i < 2; i++) {
		rs_loaded_free(&files[i]);
		unlink(paths[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(verdicts),
	    cmocka_unit_test(files_without_a_common_row_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
