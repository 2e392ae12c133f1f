#include "src/session.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "src/stopper.h"
#include "tests/kernels/dying.h"

#define N(array) (sizeof(array) / sizeof((array)[0]))

#define N_PLACEMENTS  2
#define N_REPETITIONS 6
#define N_CALLS       100

/* What one test needs; the replay file makes what is measured the same every time. */
struct bench {
	struct rs_plan plan;
	struct rs_event_list events;
	struct rs_backend *backend;
	struct rs_session session;
	int ret;
};

static struct rs_backend *play(const char *text)
{
	const char *const folder = getenv("TMPDIR");
	char path[512];
	snprintf(path, sizeof(path), "%s/rs-session-XXXXXX", folder ? folder : "/tmp");
	const int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	struct rs_backend *backend = NULL;
	struct rs_err err = {""};
	const int ret = rs_backend_replay(path, &backend, &err);
	unlink(path);
	if (ret)
		fail_msg("%s", err.text);
	return backend;
}

#define HEADER "retstack-replay 1\nread * ns 1000\nread * ticks 2000\n"
#define QUIET  HEADER "disturb * nothing\n"

static struct rs_event clock_event(const char *name, enum rs_meaning meaning)
{
	struct rs_event event = {.meaning = meaning};
	snprintf(event.name, sizeof(event.name), "%s", name);
	snprintf(event.chosen, sizeof(event.chosen), "%s", name);
	snprintf(event.source, sizeof(event.source), "clock");
	return event;
}

static void prepare(struct bench *bench, const char *const *patterns,
		    const char *replay)
{
	*bench = (struct bench){.backend = play(replay)};
	size_t n = 0;
	while (patterns[n])
		n++;
	const struct rs_selection selection = {
	    .patterns = patterns,
	    .n_patterns = n,
	    .depths = 1U << 1,
	    .n_placements = N_PLACEMENTS,
	};
	struct rs_err err = {""};
	if (rs_plan_make(&bench->plan, &rs_dying_isa, &selection, &err))
		fail_msg("%s", err.text);
	bench->events.events[0] = clock_event("ns", RS_MEANING_NS);
	bench->events.events[1] = clock_event("ticks", RS_MEANING_TICKS);
	bench->events.n_events = 2;
	bench->events.n_groups = 1;
	bench->session = (struct rs_session){
	    .plan = &bench->plan,
	    .events = &bench->events,
	    .backend = bench->backend,
	    .repetitions = N_REPETITIONS,
	    .calls = N_CALLS,
	    .repetition_ns = 1000000,
	    .seed = 1,
	};
}

static void measure(struct bench *bench)
{
	struct rs_err err = {""};
	rs_stopper_begin(0);
	bench->ret = rs_session_run(&bench->session, &err);
	rs_stopper_end();
	if (bench->ret)
		fail_msg("%s", err.text);
}

static void finish(struct bench *bench)
{
	rs_session_free(&bench->session);
	rs_plan_free(&bench->plan);
	rs_backend_free(bench->backend);
}

static const struct rs_cell *cell_of(const struct bench *bench, const char *variant)
{
	for (size_t i = 0; i < bench->plan.n_cells; i++) {
		if (strcmp(bench->plan.cells[i].variant, variant) == 0)
			return &bench->plan.cells[i];
	}
	fail_msg("no cell %s", variant);
	return NULL;
}

static size_t n_records(const struct bench *bench)
{
	return atomic_load(&bench->session.progress->n_records);
}

/* Records of a cell at one placement in one block, disturbed or not. */
static unsigned int count(const struct bench *bench, size_t cell,
			  unsigned int placement, unsigned int block, bool disturbed)
{
	unsigned int n = 0;
	for (size_t i = 0; i < n_records(bench); i++) {
		const struct rs_record *const record = &bench->session.records[i];
		n += record->cell == cell && record->placement == placement &&
		     record->block == block &&
		     (record->disturbance != RS_DISTURBANCE_NONE) == disturbed;
	}
	return n;
}

/* A row that runs has each of its repetitions once; no row has one twice. */
static void check_repetitions(const struct bench *bench)
{
	for (size_t i = 0; i < bench->plan.n_cells; i++) {
		const struct rs_cell *const cell = &bench->plan.cells[i];
		for (unsigned int b = 0; b < N_REPETITIONS; b++) {
			for (unsigned int p = 0; p < N_PLACEMENTS; p++) {
				const unsigned int n = count(bench, i, p, b, false);
				if (cell->state == RS_ROW_OK ? n != 1 : n > 1)
					fail_msg("%s, block %u, placement %u: %u",
						 cell->variant, b, p, n);
			}
		}
	}
}

/* Orders of a block are 0 to n - 1, each once where nothing is repeated. */
static void check_orders(const struct bench *bench)
{
	for (unsigned int b = 0; b < N_REPETITIONS; b++) {
		uint64_t seen = 0;
		unsigned int n = 0;
		for (size_t i = 0; i < n_records(bench); i++) {
			const struct rs_record *const record =
			    &bench->session.records[i];
			if (record->block != b)
				continue;
			seen |= UINT64_C(1) << record->order;
			n++;
		}
		print_message("block %u: %u records\n", b, n);
		assert_true(n > 0 && n < 64);
		assert_int_equal(seen, (UINT64_C(1) << n) - 1);
	}
}

struct fault {
	const char *variant;
	enum rs_row_state state;
	const char *reason;  /* how it begins */
	unsigned int n_kept; /* repetitions from before */
};

/* 2 calls warm the placements, 200 make a block: the 500th is in the third. */
static const struct fault faults[] = {
    {"ud2", RS_ROW_CRASHED, "its kernel died of SIGILL (Illegal instruction)", 0},
    {"null", RS_ROW_CRASHED, "its kernel died of SIGSEGV (Segmentation fault)", 0},
    {"late", RS_ROW_CRASHED, "its kernel died of SIGILL (Illegal instruction)", 4},
    {"exit", RS_ROW_ERROR, "its kernel ended the measuring process with status 3", 0},
    {"back", RS_ROW_BROKEN, "its counter went back from ", 0},
    {"lazy", RS_ROW_BROKEN, "its kernel should say 1, not 0", 0},
};

static void check_fault(const struct bench *bench, const struct fault *fault)
{
	const struct rs_cell *const cell = cell_of(bench, fault->variant);
	print_message("%s: %s\n", fault->variant, cell->reason);
	assert_int_equal(cell->state, fault->state);
	assert_memory_equal(cell->reason, fault->reason, strlen(fault->reason));
	const size_t index = (size_t)(cell - bench->plan.cells);
	unsigned int n = 0;
	for (size_t i = 0; i < n_records(bench); i++)
		n += bench->session.records[i].cell == index;
	assert_int_equal(n, fault->n_kept);
}

static void check_good_rows(const struct bench *bench)
{
	static const char *const good[] = {"empty", "good", "good again", "fine"};
	for (size_t i = 0; i < N(good); i++)
		assert_int_equal(cell_of(bench, good[i])->state, RS_ROW_OK);
	check_repetitions(bench);
	check_orders(bench);
	assert_null(bench->session.stopped);
	for (size_t i = 0; i < n_records(bench); i++) {
		assert_int_equal(bench->session.records[i].calls, N_CALLS);
		assert_int_equal(bench->session.readings[2 * i].value, 1000);
		assert_int_equal(bench->session.readings[2 * i + 1].value, 2000);
	}
}

static void a_kernel_that_dies_costs_its_own_row(void **state)
{
	(void)state;
	for (size_t i = 0; i < N(faults); i++) {
		char pattern[32];
		snprintf(pattern, sizeof(pattern), "getpc/%s", faults[i].variant);
		const char *const patterns[] = {"getpc/fine", pattern, NULL};
		struct bench bench;
		prepare(&bench, patterns, QUIET);
		measure(&bench);
		check_fault(&bench, &faults[i]);
		check_good_rows(&bench);
		finish(&bench);
	}
}

static void several_may_die_in_one_set(void **state)
{
	(void)state;
	static const char *const patterns[] = {"getpc/fine", "getpc/ud2",  "getpc/null",
					       "getpc/late", "getpc/exit", "getpc/back",
					       "getpc/lazy", NULL};
	struct bench bench;
	prepare(&bench, patterns, QUIET);
	measure(&bench);
	for (size_t i = 0; i < N(faults); i++)
		check_fault(&bench, &faults[i]);
	check_good_rows(&bench);
	finish(&bench);
}

/* Who sent SIGKILL is not known, so nothing is said of the kernel. */
static void a_killed_process_is_the_error_of_the_set(void **state)
{
	(void)state;
	static const char *const patterns[] = {"getpc/fine", "getpc/kill", NULL};
	static const char *const rows[] = {"empty", "good", "fine", "kill"};
	struct bench bench;
	prepare(&bench, patterns, QUIET);
	measure(&bench);
	for (size_t i = 0; i < N(rows); i++) {
		const struct rs_cell *const cell = cell_of(&bench, rows[i]);
		assert_int_equal(cell->state, RS_ROW_ERROR);
		assert_string_equal(cell->reason,
				    "the measuring process was ended by SIGKILL");
	}
	finish(&bench);
}

/* Calibrated or not, what never returns is ended after the time to stop is over. */
static void a_kernel_that_never_returns_is_stopped(void **state)
{
	(void)state;
	static const char *const patterns[] = {"getpc/hang", NULL};
	struct bench bench;
	prepare(&bench, patterns, QUIET);
	bench.session.calls = 0;
	struct rs_err err = {""};
	rs_stopper_begin(0.2);
	assert_int_equal(rs_session_run(&bench.session, &err), 0);
	rs_stopper_end();
	assert_non_null(bench.session.stopped);
	assert_string_equal(bench.session.stopped, "--max-time 0.2 s is over");
	assert_int_equal(cell_of(&bench, "hang")->state, RS_ROW_OK);
	assert_int_equal(n_records(&bench), 0);
	finish(&bench);
}

#define MAX_RECORDS 64

static size_t order_of(uint64_t seed, unsigned int order[MAX_RECORDS])
{
	static const char *const patterns[] = {"getpc/fine", NULL};
	struct bench bench;
	prepare(&bench, patterns, QUIET);
	bench.session.seed = seed;
	measure(&bench);
	const size_t n = n_records(&bench);
	assert_true(n <= MAX_RECORDS);
	for (size_t i = 0; i < n; i++) {
		const struct rs_record *const record = &bench.session.records[i];
		order[i] = record->cell * N_PLACEMENTS + record->placement;
	}
	finish(&bench);
	return n;
}

static void the_order_depends_on_the_seed_alone(void **state)
{
	(void)state;
	unsigned int first[MAX_RECORDS];
	unsigned int again[MAX_RECORDS];
	unsigned int other[MAX_RECORDS];
	const size_t n = order_of(1, first);
	assert_int_equal(n, 4 * N_PLACEMENTS * N_REPETITIONS);
	assert_int_equal(order_of(1, again), n);
	assert_int_equal(order_of(2, other), n);
	assert_memory_equal(first, again, n * sizeof(*first));
	assert_memory_not_equal(first, other, n * sizeof(*first));
	const size_t n_block = (size_t)4 * N_PLACEMENTS;
	assert_memory_not_equal(first, first + n_block, n_block * sizeof(*first));
}

struct noise {
	const char *disturb;      /* of getpc/fine at placement 0 */
	unsigned int n_disturbed; /* in each block */
	unsigned int n_kept;
};

static const struct noise noises[] = {
    {"nothing", 0, 1},
    {"context-switch nothing", 1, 1},
    {"page-fault cpu-migration nothing", 2, 1},
    {"page-fault page-fault page-fault nothing", 3, 1},
    {"page-fault", 4, 0},
};

static void a_disturbed_repetition_is_made_again(void **state)
{
	(void)state;
	static const char *const patterns[] = {"getpc/fine", NULL};
	for (size_t i = 0; i < N(noises); i++) {
		char replay[512];
		snprintf(replay, sizeof(replay),
			 HEADER "disturb getpc/fine/0/0 %s\ndisturb * nothing\n",
			 noises[i].disturb);
		struct bench bench;
		prepare(&bench, patterns, replay);
		measure(&bench);
		const size_t fine =
		    (size_t)(cell_of(&bench, "fine") - bench.plan.cells);
		for (unsigned int b = 0; b < N_REPETITIONS; b++) {
			print_message("%s, block %u\n", noises[i].disturb, b);
			assert_int_equal(count(&bench, fine, 0, b, true),
					 noises[i].n_disturbed);
			assert_int_equal(count(&bench, fine, 0, b, false),
					 noises[i].n_kept);
			assert_int_equal(count(&bench, fine, 1, b, true), 0);
			assert_int_equal(count(&bench, fine, 1, b, false), 1);
		}
		finish(&bench);
	}
}

/* There is room even if nothing ever goes undisturbed. */
static void noise_takes_no_repetitions_from_later_rows(void **state)
{
	(void)state;
	static const char *const patterns[] = {"getpc/fine", NULL};
	struct bench bench;
	prepare(&bench, patterns, HEADER "disturb * page-fault\n");
	measure(&bench);
	for (size_t i = 0; i < bench.plan.n_cells; i++) {
		for (unsigned int b = 0; b < N_REPETITIONS; b++) {
			for (unsigned int p = 0; p < N_PLACEMENTS; p++)
				assert_int_equal(count(&bench, i, p, b, true),
						 1 + RS_MAX_AGAIN);
		}
	}
	finish(&bench);
}

/* A clock that cannot be read gives nothing to calibrate by, and no endless search. */
static void without_calls_a_played_repetition_is_one_call(void **state)
{
	(void)state;
	static const char *const patterns[] = {"getpc/fine", NULL};
	struct bench bench;
	prepare(&bench, patterns, "retstack-replay 1\ndisturb * nothing\n");
	bench.session.calls = 0;
	measure(&bench);
	check_repetitions(&bench);
	for (size_t i = 0; i < n_records(&bench); i++) {
		assert_int_equal(bench.session.records[i].calls, 1);
		assert_int_equal(bench.session.readings[2 * i].status,
				 RS_STATUS_FAILED);
	}
	finish(&bench);
}

static void add_counter(struct bench *bench, const char *name, unsigned int group)
{
	struct rs_event event = {.meaning = RS_MEANING_OTHER, .group = group};
	snprintf(event.name, sizeof(event.name), "%s", name);
	snprintf(event.chosen, sizeof(event.chosen), "%s", name);
	snprintf(event.source, sizeof(event.source), "cpu");
	bench->events.events[bench->events.n_events++] = event;
	bench->events.n_groups = group + 1;
}

/* Blocks alternate between the groups; what no longer opens is left out, and said. */
static void a_group_that_is_lost_leaves_the_others(void **state)
{
	(void)state;
	static const struct {
		const char *opens;
		bool counted[2];
		const char *reason; /* of the rows */
	} rows[] = {
	    {"", {true, true}, ""},
	    {"open second EMFILE\n", {true, false}, ""},
	    {"open first EMFILE\n", {false, true}, ""},
	    {"open * EMFILE\n", {false, false}, "cannot open"},
	};
	static const char *const patterns[] = {"getpc/fine", NULL};
	for (size_t i = 0; i < N(rows); i++) {
		char replay[512];
		snprintf(replay, sizeof(replay),
			 QUIET "read * first 1\nread * second 2\n%s", rows[i].opens);
		struct bench bench;
		prepare(&bench, patterns, replay);
		add_counter(&bench, "first", 0);
		add_counter(&bench, "second", 1);
		measure(&bench);
		const bool all = rows[i].counted[0] && rows[i].counted[1];
		const bool none = !rows[i].counted[0] && !rows[i].counted[1];
		print_message("%s: '%s' '%s'\n", rows[i].opens,
			      bench.session.progress->lost_group,
			      cell_of(&bench, "fine")->reason);
		assert_int_equal(cell_of(&bench, "fine")->state,
				 none ? RS_ROW_ERROR : RS_ROW_OK);
		assert_int_equal(bench.session.progress->lost_group[0] == '\0', all);
		for (unsigned int b = 0; b < 2 * N_REPETITIONS; b++)
			assert_int_equal(count(&bench, 0, 0, b, false),
					 rows[i].counted[b % 2]);
		finish(&bench);
	}
}

static void more_than_memory_holds_is_refused(void **state)
{
	(void)state;
	static const char *const patterns[] = {"getpc/fine", NULL};
	static const struct {
		unsigned int repetitions;
		const char *says;
	} rows[] = {
	    {130000000, "GiB; ask for fewer --repetitions, --placements or workloads"},
	    {UINT32_MAX, "cannot be recorded; ask for fewer --repetitions"},
	};
	for (size_t i = 0; i < N(rows); i++) {
		struct bench bench;
		prepare(&bench, patterns, QUIET);
		bench.events.n_events = RS_MAX_EVENTS; /* 2 TiB in the first row */
		bench.session.repetitions = rows[i].repetitions;
		struct rs_err err = {""};
		const int ret = rs_session_run(&bench.session, &err);
		print_message("%u: %s\n", rows[i].repetitions, err.text);
		assert_int_equal(ret, -EOVERFLOW);
		assert_non_null(strstr(err.text, rows[i].says));
		finish(&bench);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_kernel_that_dies_costs_its_own_row),
	    cmocka_unit_test(several_may_die_in_one_set),
	    cmocka_unit_test(a_killed_process_is_the_error_of_the_set),
	    cmocka_unit_test(a_kernel_that_never_returns_is_stopped),
	    cmocka_unit_test(the_order_depends_on_the_seed_alone),
	    cmocka_unit_test(a_disturbed_repetition_is_made_again),
	    cmocka_unit_test(noise_takes_no_repetitions_from_later_rows),
	    cmocka_unit_test(without_calls_a_played_repetition_is_one_call),
	    cmocka_unit_test(a_group_that_is_lost_leaves_the_others),
	    cmocka_unit_test(more_than_memory_holds_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
