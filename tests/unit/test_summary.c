#include "src/summary.h"

#include "tests/unit/summed.h"

/* The drift of 800 over the run cancels in each pair: not a trace of it is left. */
static void net_is_gross_less_empty_pair_by_pair(void **state)
{
	(void)state;
	begin(ten_and_twelve);
	summarise();
	/* By metric: the empty loop gross, the other rows gross and net. */
	assert_int_equal(world.results.n_summaries, N_METRICS * 5);
	assert_null(find(EMPTY, "ns"));
	const struct {
		unsigned int row;
		double net;
		const char *verdict;
		double delta;
	} rows[] = {{BASE, 10, "baseline", NAN}, {OTHER, 12, "slower", 20}};
	for (size_t i = 0; i < N(rows); i++) {
		const struct rs_summary *const net = get(rows[i].row, "ns");
		check("median", net->median, rows[i].net);
		check("ci_low", net->ci_low, rows[i].net);
		check("ci_high", net->ci_high, rows[i].net);
		check("min", net->min, rows[i].net);
		check("mad", net->mad, 0);
		check("spread", net->placement_spread_pct, 0);
		check("delta", net->delta_pct, rows[i].delta);
		check("delta_low", net->delta_low_pct, rows[i].delta);
		check("delta_high", net->delta_high_pct, rows[i].delta);
		check("model", net->model, NAN);
		assert_string_equal(net->verdict, rows[i].verdict);
		assert_string_equal(net->unit, "ns/call");
		assert_int_equal(net->kept, N_PLACEMENTS * N_BLOCKS);
		assert_int_equal(net->rejected, 0);
		assert_int_equal(net->status, RS_STATUS_OK);
	}
	end();
}

/* Gross: 2 + 100 b + p for b in 0 .. 8, p in 0 .. 3: the middle is b = 4, p = 1.5. */
static void gross_is_what_was_read(void **state)
{
	(void)state;
	begin(ten_and_twelve);
	summarise();
	const struct rs_summary *const gross = get(EMPTY, "ns.gross");
	check("median", gross->median, 403.5);
	check("min", gross->min, 2);
	assert_true(gross->ci_low.value < 403.5 && 403.5 < gross->ci_high.value);
	assert_true(gross->ci_low.value >= 2 && gross->ci_high.value <= 805);
	check("base", get(BASE, "ns.gross")->median, 413.5);
	check("spread", gross->placement_spread_pct, NAN);
	check("delta", get(OTHER, "ns.gross")->delta_pct, NAN);
	assert_null(get(OTHER, "ns.gross")->verdict);
	assert_string_equal(get(BASE, "count.gross")->unit, "events/call");
	end();
}

/* Both rows cost p more at placement p: 10 to 13, whose median is 11.5. */
static double by_placement(int row, unsigned int block, unsigned int placement)
{
	const double cost = ten_and_twelve(row, block, placement);
	return row == EMPTY ? 0 : cost + placement;
}

/* A difference of 17 % is none where placement alone makes 26 %. */
static void placement_spread_bounds_the_verdict(void **state)
{
	(void)state;
	begin(by_placement);
	summarise();
	check("base", get(BASE, "ns")->placement_spread_pct, 100 * 3 / 11.5);
	check("other", get(OTHER, "ns")->placement_spread_pct, 100 * 3 / 13.5);
	check("delta", get(OTHER, "ns")->delta_pct, 100 * 2 / 11.5);
	assert_string_equal(get(OTHER, "ns")->verdict, "same");
	end();
	/* The same costs at one placement: nothing is known of a spread. */
	begin(by_placement);
	world.results.settings.placements = 1;
	size_t n = 0;
	for (size_t i = 0; i < N_REPETITIONS; i++) {
		if (world.repetitions[i].placement == 0)
			world.repetitions[n++] = world.repetitions[i];
	}
	world.results.n_repetitions = n;
	summarise();
	check("spread", get(OTHER, "ns")->placement_spread_pct, NAN);
	check("delta", get(OTHER, "ns")->delta_pct, 20);
	assert_string_equal(get(OTHER, "ns")->verdict, "slower");
	end();
}

static double base_cost;
static double other_cost;

static double as_set(int row, unsigned int block, unsigned int placement)
{
	(void)block;
	(void)placement;
	return row == EMPTY ? 0 : row == BASE ? base_cost : other_cost;
}

static void a_baseline_without_cost_gives_no_percentage(void **state)
{
	(void)state;
	static const struct {
		double base;
		double other;
		double delta;
		const char *verdict;
	} rows[] = {
	    {10, 10, 0, "same"},     {10, 10.05, 0.5, "same"}, {10, 10.2, 2, "slower"},
	    {10, 9.8, -2, "faster"}, {10, -1, -110, "faster"}, {0, 10, NAN, NULL},
	    {-1, 10, NAN, NULL},
	};
	for (size_t i = 0; i < N(rows); i++) {
		base_cost = rows[i].base;
		other_cost = rows[i].other;
		begin(as_set);
		summarise();
		const struct rs_summary *const net = get(OTHER, "ns");
		print_message("%g against %g\n", other_cost, base_cost);
		check("median", net->median, rows[i].other);
		check("delta", net->delta_pct, rows[i].delta);
		check("spread", net->placement_spread_pct, rows[i].other > 0 ? 0 : NAN);
		if (rows[i].verdict)
			assert_string_equal(net->verdict, rows[i].verdict);
		else
			assert_null(net->verdict);
		end();
	}
}

static void noise_widens_interval_and_mad(void **state)
{
	(void)state;
	begin(ten_and_twelve);
	/* 36 readings of 12 and their like: spread them as 12 + 0, 1, 2, 3 by block. */
	for (size_t i = 0; i < N_REPETITIONS; i++) {
		if (world.repetitions[i].row == OTHER)
			world.readings[i][NS].value +=
			    (uint64_t)CALLS * (world.repetitions[i].block % 4);
	}
	summarise();
	/* Blocks 0 to 8 add 0 1 2 3 0 1 2 3 0: twelve 0, eight each of 1, 2, 3. */
	const struct rs_summary *const net = get(OTHER, "ns");
	check("median", net->median, 13);
	check("mad", net->mad, 1);
	check("min", net->min, 12);
	check("delta", net->delta_pct, 30);
	assert_true(net->ci_low.value <= 13 && 13 <= net->ci_high.value);
	assert_true(net->ci_low.value >= 12 && net->ci_high.value <= 15);
	assert_true(net->ci_low.value < net->ci_high.value);
	assert_true(net->delta_low_pct.value <= 30 && 30 <= net->delta_high_pct.value);
	end();
}

static void rejected_repetitions_are_counted_and_not_used(void **state)
{
	(void)state;
	begin(ten_and_twelve);
	unsigned int n = 0;
	for (size_t i = 0; i < N_REPETITIONS; i++) {
		struct rs_repetition *const repetition = &world.repetitions[i];
		if (repetition->row != OTHER || repetition->block % 2)
			continue;
		repetition->rejected = "page-fault";
		repetition->readings[NS].value *= 1000;
		n++;
	}
	summarise();
	const struct rs_summary *const net = get(OTHER, "ns");
	check("median", net->median, 12);
	check("delta", net->delta_pct, 20);
	assert_int_equal(net->rejected, n);
	assert_int_equal(net->kept, N_PLACEMENTS * N_BLOCKS - n);
	assert_int_equal(get(OTHER, "ns.gross")->rejected, n);
	assert_int_equal(get(BASE, "ns")->rejected, 0);
	end();
}

#define SPOIL_ALL N_BLOCKS

/* Which of one row's readings of "count" get which status, and what follows. */
struct spoiling {
	const char *what;
	unsigned int row;
	enum rs_status status;
	unsigned int n_blocks; /* the first so many */
	double base;           /* net median of BASE */
	enum rs_status base_status;
	double delta; /* of OTHER */
	enum rs_status gross_status;
};

static const struct spoiling spoilings[] = {
    {"all of base multiplexed", BASE, RS_STATUS_MULTIPLEXED, SPOIL_ALL, NAN,
     RS_STATUS_MULTIPLEXED, NAN, RS_STATUS_MULTIPLEXED},
    {"some of base multiplexed", BASE, RS_STATUS_MULTIPLEXED, 4, 10, RS_STATUS_OK, 20,
     RS_STATUS_OK},
    {"all of base failed", BASE, RS_STATUS_FAILED, SPOIL_ALL, NAN, RS_STATUS_FAILED,
     NAN, RS_STATUS_FAILED},
    {"base never counted", BASE, RS_STATUS_NOT_COUNTED, SPOIL_ALL, NAN,
     RS_STATUS_NOT_COUNTED, NAN, RS_STATUS_NOT_COUNTED},
    {"the empty loop multiplexed", EMPTY, RS_STATUS_MULTIPLEXED, SPOIL_ALL, NAN,
     RS_STATUS_MULTIPLEXED, NAN, RS_STATUS_OK},
    {"the empty loop now and then", EMPTY, RS_STATUS_NOT_COUNTED, 5, 10, RS_STATUS_OK,
     20, RS_STATUS_OK},
    {"the other row failed", OTHER, RS_STATUS_FAILED, SPOIL_ALL, 10, RS_STATUS_OK, NAN,
     RS_STATUS_OK},
};

static void readings_that_are_not_valid_are_not_used(void **state)
{
	(void)state;
	for (size_t i = 0; i < N(spoilings); i++) {
		const struct spoiling *const row = &spoilings[i];
		print_message("%s\n", row->what);
		begin(ten_and_twelve);
		for (size_t j = 0; j < N_REPETITIONS; j++) {
			struct rs_repetition *const repetition = &world.repetitions[j];
			if (repetition->row != row->row ||
			    repetition->block >= row->n_blocks)
				continue;
			repetition->readings[COUNT].status = row->status;
			repetition->readings[COUNT].value *= 1000;
		}
		summarise();
		check("net", get(BASE, "count")->median, row->base);
		check("delta", get(OTHER, "count")->delta_pct, row->delta);
		assert_int_equal(get(BASE, "count")->status, row->base_status);
		assert_int_equal(get(BASE, "count.gross")->status, row->gross_status);
		check("ns is untouched", get(OTHER, "ns")->delta_pct, 20);
		end();
	}
}

/* Rows and empty loop that were never read in the same block have no net value. */
static void a_net_value_needs_a_pair(void **state)
{
	(void)state;
	begin(ten_and_twelve);
	for (size_t i = 0; i < N_REPETITIONS; i++) {
		const struct rs_repetition *const repetition = &world.repetitions[i];
		if ((repetition->row == EMPTY) == (repetition->block % 2 == 0))
			world.repetitions[i].rejected = "context-switch";
	}
	summarise();
	assert_true(get(BASE, "ns.gross")->median.known);
	check("net", get(BASE, "ns")->median, NAN);
	assert_int_equal(get(BASE, "ns")->status, RS_STATUS_NOT_COUNTED);
	assert_null(get(BASE, "ns")->verdict);
	end();
}

static void rows_that_were_not_measured_have_no_summary(void **state)
{
	(void)state;
	static const struct {
		enum rs_row_state state;
		bool is_summed;
	} rows[] = {
	    {RS_ROW_OK, true},      {RS_ROW_PARTIAL, true},  {RS_ROW_ABSENT, false},
	    {RS_ROW_BROKEN, false}, {RS_ROW_CRASHED, false}, {RS_ROW_ERROR, false},
	};
	for (size_t i = 0; i < N(rows); i++) {
		print_message("%s\n", rs_row_state_name(rows[i].state));
		begin(ten_and_twelve);
		world.rows[OTHER].state = rows[i].state;
		summarise();
		assert_int_equal(find(OTHER, "ns") != NULL, rows[i].is_summed);
		assert_int_equal(find(OTHER, "ns.gross") != NULL, rows[i].is_summed);
		end();
	}
}

static void a_run_without_repetitions_has_rows_without_numbers(void **state)
{
	(void)state;
	begin(ten_and_twelve);
	world.results.n_repetitions = 0;
	summarise();
	assert_int_equal(world.results.n_summaries, N_METRICS * 5);
	check("net", get(OTHER, "ns")->median, NAN);
	assert_int_equal(get(OTHER, "ns")->kept, 0);
	assert_int_equal(get(OTHER, "ns")->status, RS_STATUS_NOT_COUNTED);
	end();
}

struct limits {
	double low;
	double high;
	double threshold;
	double spread;
	const char *verdict;
};

static const struct limits limits[] = {
    {0, 0, 1, 0, "same"},
    {-1, 1, 1, 0, "same"},
    {-1.01, 1, 1, 0, "unclear"},
    {-1, 1.01, 1, 0, "unclear"},
    {1, 2, 1, 0, "unclear"},
    {1.01, 2, 1, 0, "slower"},
    {1, 1, 1, 0, "same"},
    {-2, -1, 1, 0, "unclear"},
    {-2, -1.01, 1, 0, "faster"},
    {-1, -1, 1, 0, "same"},
    {-5, 5, 1, 0, "unclear"},
    {0.2, 0.8, 1, 0, "same"},
    {0.01, 9, 0, 0, "slower"},
    {0, 9, 0, 0, "unclear"},
    {-9, -0.01, 0, 0, "faster"},
    {0, 0, 0, 0, "same"},
    {4, 5, 1, 5, "same"},
    {4, 5.01, 1, 5, "unclear"},
    {5.01, 6, 1, 5, "slower"},
    {-6, -5.01, 1, 5, "faster"},
    {-6, -5, 1, 5, "unclear"},
    {4, 5, 5, 1, "same"},
    {-INFINITY, INFINITY, 1, 0, "unclear"},
    {2, INFINITY, 1, 0, "slower"},
};

static void verdicts_turn_at_their_limits(void **state)
{
	(void)state;
	for (size_t i = 0; i < N(limits); i++) {
		const struct limits *const row = &limits[i];
		const char *const found =
		    rs_verdict_of(row->low, row->high, row->threshold, row->spread);
		print_message("[%g, %g] threshold %g, spread %g: %s\n", row->low,
			      row->high, row->threshold, row->spread, found);
		assert_string_equal(found, row->verdict);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(net_is_gross_less_empty_pair_by_pair),
	    cmocka_unit_test(gross_is_what_was_read),
	    cmocka_unit_test(placement_spread_bounds_the_verdict),
	    cmocka_unit_test(a_baseline_without_cost_gives_no_percentage),
	    cmocka_unit_test(noise_widens_interval_and_mad),
	    cmocka_unit_test(rejected_repetitions_are_counted_and_not_used),
	    cmocka_unit_test(readings_that_are_not_valid_are_not_used),
	    cmocka_unit_test(a_net_value_needs_a_pair),
	    cmocka_unit_test(rows_that_were_not_measured_have_no_summary),
	    cmocka_unit_test(a_run_without_repetitions_has_rows_without_numbers),
	    cmocka_unit_test(verdicts_turn_at_their_limits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
