#include "src/load.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char path[] = "load-test-file";

static int load(struct rs_loaded *out, const char *text, struct rs_err *err)
{
	FILE *const file = fopen(path, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
	assert_int_equal(fclose(file), 0);
	const int ret = rs_load(out, path, err);
	unlink(path);
	return ret;
}

static void load_good(struct rs_loaded *out, const char *text)
{
	struct rs_err err;
	if (load(out, text, &err))
		fail_msg("%s", err.text);
}

static uint64_t value_at(const struct rs_loaded *loaded, size_t i, size_t metric)
{
	assert_true(i < loaded->results.n_repetitions);
	const struct rs_reading *const reading =
	    &loaded->results.repetitions[i].readings[metric];
	assert_int_equal(reading->status, RS_STATUS_OK);
	return reading->value;
}

/* Another order of columns and lines, a column from the future, a rejected attempt. */
static void csv_goes_by_column_names(void **state)
{
	(void)state;
	struct rs_loaded loaded;
	load_good(&loaded,
		  "event,value,status,variant,workload,schema,block,placement,calls,x\n"
		  "cycles,40,ok,lea,getpc,1,7,0,4,?\n"
		  "ns,9,rejected:page-fault,lea,getpc,1,7,0,4,?\n"
		  "ns,8,ok,lea,getpc,1,7,0,4,?\n"
		  "cycles,41,rejected:page-fault,lea,getpc,1,7,0,4,?\n"
		  "ns,5,ok,empty,getpc,1,7,0,4,?\n"
		  "instructions,,not-supported,empty,getpc,1,7,0,4,?\n");
	const struct rs_results *const results = &loaded.results;
	assert_string_equal(loaded.kind, "CSV dump");
	assert_int_equal(results->n_rows, 2);
	assert_int_equal(results->n_metrics, 3);
	assert_int_equal(results->n_repetitions, 3);
	assert_int_equal(value_at(&loaded, 0, 0), 40);
	assert_int_equal(value_at(&loaded, 0, 1), 8);
	assert_null(results->repetitions[0].rejected);
	assert_string_equal(results->repetitions[1].rejected, "page-fault");
	assert_int_equal(value_at(&loaded, 1, 0), 41);
	assert_int_equal(value_at(&loaded, 1, 1), 9);
	assert_int_equal(results->repetitions[2].block, 0);
	assert_int_equal(results->metrics[2].status, RS_STATUS_NOT_SUPPORTED);
	assert_int_equal(results->rows[1].role, RS_ROLE_EMPTY);
	assert_int_equal(loaded.empties[0], 1);
	rs_loaded_free(&loaded);
}

/* perf-stat(1): value, unit, event, [variance,] run time, share of it. */
static void perf_stat_is_read(void **state)
{
	(void)state;
	struct rs_loaded loaded;
	load_good(&loaded, "# started on Fri Dec  4 2026\n\n"
			   "1.50,msec,task-clock,1500000,100.00,0.9,CPUs utilized\n"
			   "12345,,cycles,1500000,100.00,,\n"
			   "77,,branches,1500000,40.00,,\n"
			   "<not supported>,,instructions,0,100.00,,\n"
			   "12346,,cycles,0.10%,1500000,100.00,,\n");
	assert_string_equal(loaded.kind, "perf stat");
	assert_int_equal(loaded.results.n_metrics, 4);
	assert_int_equal(value_at(&loaded, 0, 0), 1500000);
	assert_string_equal(loaded.results.metrics[0].unit, "ns");
	assert_int_equal(value_at(&loaded, 0, 1), 12345);
	assert_int_equal(value_at(&loaded, 1, 1), 12346);
	assert_int_equal(loaded.results.metrics[2].status, RS_STATUS_MULTIPLEXED);
	assert_int_equal(loaded.results.metrics[3].status, RS_STATUS_NOT_SUPPORTED);
	rs_loaded_free(&loaded);
}

static void perf_stat_intervals_are_samples(void **state)
{
	(void)state;
	struct rs_loaded loaded;
	load_good(&loaded, "     1.000123456,100,,cycles,1500000,100.00,,\n"
			   "     2.000123456,110,,cycles,1500000,100.00,,\n");
	assert_int_equal(loaded.results.n_repetitions, 2);
	assert_int_equal(value_at(&loaded, 1, 0), 110);
	rs_loaded_free(&loaded);
}

static void perf_stat_json_is_read(void **state)
{
	(void)state;
	struct rs_loaded loaded;
	load_good(&loaded,
		  "# started on Fri Dec  4 2026\n"
		  "{\"counter-value\" : \"12345.000000\", \"unit\" : \"\", \"event\" : "
		  "\"cycles\", \"event-runtime\" : 15, \"pcnt-running\" : 100.00}\n"
		  "{\"counter-value\" : \"<not counted>\", \"unit\" : \"\", \"event\" "
		  ": \"branches\", \"event-runtime\" : 0, \"pcnt-running\" : 0.00}\n");
	assert_string_equal(loaded.kind, "perf stat");
	assert_int_equal(value_at(&loaded, 0, 0), 12345);
	assert_int_equal(loaded.results.metrics[1].status, RS_STATUS_NOT_COUNTED);
	rs_loaded_free(&loaded);
}

static const char document[] =
    "{\"schema\": 1, \"run_id\": \"r\", \"partial\": true, \"partial_reason\": "
    "\"interrupted\", \"host\": {\"isa\": \"x86-64\", \"governor\": null}, \"events\": "
    "[{\"name\": \"ns\", \"unit\": \"ns\", \"status\": \"ok\"}], \"results\": "
    "[{\"workload\": \"getpc\", \"variant\": \"lea\", \"depth\": 3, \"role\": "
    "\"control\", \"baseline\": \"lea\", \"state\": \"partial\", \"repetitions\": "
    "[{\"placement\": 1, \"block\": 0, \"order\": 0, \"calls\": 10, \"rejected\": null,"
    " \"readings\": [{\"value\": \"18446744073709551615\", \"status\": \"ok\"}]}]}]}";

static void json_is_read(void **state)
{
	(void)state;
	struct rs_loaded loaded;
	load_good(&loaded, document);
	assert_string_equal(loaded.results.rows[0].variant, "lea again");
	assert_int_equal(loaded.results.rows[0].state, RS_ROW_PARTIAL);
	assert_true(loaded.results.is_partial);
	assert_string_equal(rs_loaded_fact(&loaded, "isa"), "x86-64");
	assert_null(rs_loaded_fact(&loaded, "governor"));
	assert_null(rs_loaded_fact(&loaded, "missing"));
	assert_int_equal(loaded.results.settings.placements, 2);
	assert_true(value_at(&loaded, 0, 0) == UINT64_MAX);
	rs_loaded_free(&loaded);
}

/* What `run --json' writes of the model, which golden files have in full. */
static const char *read_golden(void)
{
	static char text[1 << 20];
	FILE *const file = fopen(RS_SOURCE_DIR "/tests/golden/results.json", "r");
	assert_non_null(file);
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	return text;
}

static void the_model_is_read(void **state)
{
	(void)state;
	struct rs_loaded loaded;
	load_good(&loaded, read_golden());
	const struct rs_results *const results = &loaded.results;
	assert_string_equal(results->preset.name, "example");
	assert_string_equal(results->preset.chosen_by, "cpu");
	assert_string_equal(results->preset.overflow, "circular");
	assert_string_equal(results->preset.note, "underflow is assumed");
	assert_int_equal(results->preset.entries, 16);
	unsigned int n_verdicts = 0;
	unsigned int n_reasons = 0;
	for (size_t i = 0; i < results->n_rows; i++) {
		const struct rs_row *const row = &results->rows[i];
		n_verdicts +=
		    row->model_verdict && strcmp(row->model_verdict, "agrees") == 0;
		n_reasons += row->model_reason != NULL;
	}
	assert_int_equal(n_verdicts, 1);
	assert_int_equal(n_reasons, 1);
	rs_loaded_free(&loaded);
	load_good(&loaded, document); /* an older one */
	assert_null(loaded.results.preset.name);
	assert_null(loaded.results.rows[0].model_verdict);
	rs_loaded_free(&loaded);
}

#define HEADER "schema,workload,variant,placement,block,calls,event,value,status\n"

static const struct {
	const char *text;
	const char *why;
} bad_texts[] = {
    {"", "load-test-file: it is empty"},
    {HEADER, "load-test-file: it holds no results"},
    {"schema,run_id,workload,variant,depth,metric,unit,median\n",
     "load-test-file: it has no column 'placement'; is it a summary? the dump of `run "
     "--csv' is needed"},
    {HEADER "1,getpc,lea,0,0,5,ns\n",
     "load-test-file line 2: it has 7 fields, the header 9; is the file cut off?"},
    {HEADER "9,getpc,lea,0,0,5,ns,1,ok\n",
     "load-test-file line 2: schema '9' is newer than this retstack"},
    {HEADER "1,getpc,lea,0,0,0,ns,1,ok\n",
     "load-test-file line 2: calls '0' is not a number in range"},
    {HEADER "1,getpc,lea,0,0,5,ns,1,ok\n1,getpc,lea,0,-1,5,ns,1,ok\n",
     "load-test-file line 3: block '-1' is not a number in range"},
    {HEADER "1,getpc,lea,0,0,5,ns,1,well\n",
     "load-test-file line 2: status 'well' is no status"},
    {"run_id," HEADER "a,1,getpc,lea,0,0,5,ns,1,ok\nb,1,getpc,lea,0,0,5,ns,1,ok\n",
     "load-test-file line 3: run_id 'b' begins another run; give each run a file of "
     "its own"},
    {"12,x\n", "load-test-file line 1: this is no line of `perf stat -x,' without "
	       "--per-*; it should begin with a count"},
    {"{}", "load-test-file: it is no result of `retstack run --json': it has no "
	   "'results'"},
    {"{\"schema\": 99, \"results\": []}",
     "load-test-file: it was written by a newer retstack; use that one"},
};

static void bad_files_are_explained(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(bad_texts) / sizeof(bad_texts[0]); i++) {
		struct rs_loaded loaded;
		struct rs_err err;
		assert_int_not_equal(load(&loaded, bad_texts[i].text, &err), 0);
		assert_string_equal(err.text, bad_texts[i].why);
	}
}

/* However a document is cut, it is refused with a sentence. */
static void cut_json_is_refused(void **state)
{
	(void)state;
	for (size_t n = 1; n < sizeof(document) - 1; n++) {
		char text[sizeof(document)];
		struct rs_loaded loaded;
		struct rs_err err;
		memcpy(text, document, n);
		text[n] = '\0';
		assert_int_not_equal(load(&loaded, text, &err), 0);
		assert_non_null(strstr(err.text, path));
	}
}

static void a_missing_file_is_explained(void **state)
{
	(void)state;
	struct rs_loaded loaded;
	struct rs_err err;
	assert_int_not_equal(rs_load(&loaded, "no-such-file", &err), 0);
	assert_string_equal(err.text,
			    "cannot read no-such-file: No such file or directory");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(csv_goes_by_column_names),
	    cmocka_unit_test(perf_stat_is_read),
	    cmocka_unit_test(perf_stat_intervals_are_samples),
	    cmocka_unit_test(perf_stat_json_is_read),
	    cmocka_unit_test(json_is_read),
	    cmocka_unit_test(the_model_is_read),
	    cmocka_unit_test(bad_files_are_explained),
	    cmocka_unit_test(cut_json_is_refused),
	    cmocka_unit_test(a_missing_file_is_explained),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
