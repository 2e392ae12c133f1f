#include "src/summary.h"

#include "tests/unit/summed.h"

static double nothing(int row, unsigned int block, unsigned int placement)
{
	(void)row;
	return -100 * (double)block - (double)placement;
}

/* Each row reads 2 per call; the empty loop is known to execute that or not. */
static void a_metric_that_contradicts_the_code_is_not_trusted(void **state)
{
	(void)state;
	static const struct {
		double instructions;
		bool rejects_first; /* the band must not widen with it */
		enum rs_status status;
	} rows[] = {
	    {2, false, RS_STATUS_OK},
	    {3, false, RS_STATUS_UNTRUSTED},
	    {1, false, RS_STATUS_UNTRUSTED},
	    {1, true, RS_STATUS_UNTRUSTED},
	};
	for (size_t i = 0; i < N(rows); i++) {
		print_message("%g instructions known\n", rows[i].instructions);
		begin(nothing);
		world.meanings[COUNT] = RS_MEANING_INSTRUCTIONS;
		world.expected[EMPTY] = (struct rs_expected){
		    .known = true,
		    .is_exact = true,
		    .instructions = rows[i].instructions,
		};
		if (rows[i].rejects_first)
			world.repetitions[0].rejected = "page-fault";
		summarise();
		const bool trusted = rows[i].status == RS_STATUS_OK;
		const struct rs_metric *const metric = &world.metrics[COUNT];
		assert_int_equal(metric->status, rows[i].status);
		assert_int_equal(metric->reason == NULL, trusted);
		assert_int_equal(get(EMPTY, "count.gross")->median.known, trusted);
		assert_int_equal(get(BASE, "count.gross")->status, rows[i].status);
		assert_int_equal(get(BASE, "count")->status, rows[i].status);
		for (size_t j = 0; j < N_REPETITIONS; j++)
			assert_int_equal(world.readings[j][COUNT].status,
					 rows[i].status);
		if (!trusted)
			assert_string_equal(
			    metric->reason,
			    "count says 2 per call for work empty, which is known to "
			    "differ: this counter cannot be trusted here");
		assert_int_equal(world.metrics[NS].status, RS_STATUS_OK);
		assert_true(get(BASE, "ns")->median.known);
		end();
	}
}

static void a_metric_that_cannot_be_counted_keeps_its_status(void **state)
{
	(void)state;
	begin(ten_and_twelve);
	world.metrics[COUNT].status = RS_STATUS_NOT_PERMITTED;
	world.metrics[COUNT].reason = "because";
	for (size_t i = 0; i < N_REPETITIONS; i++)
		world.readings[i][COUNT] =
		    (struct rs_reading){.status = RS_STATUS_NOT_PERMITTED};
	summarise();
	check("net", get(BASE, "count")->median, NAN);
	assert_int_equal(get(BASE, "count")->status, RS_STATUS_NOT_PERMITTED);
	assert_int_equal(get(EMPTY, "count.gross")->status, RS_STATUS_NOT_PERMITTED);
	assert_string_equal(world.metrics[COUNT].reason, "because");
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_metric_that_contradicts_the_code_is_not_trusted),
	    cmocka_unit_test(a_metric_that_cannot_be_counted_keeps_its_status),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
