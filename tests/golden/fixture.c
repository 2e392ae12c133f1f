#include "tests/golden/fixture.h"

#include <stddef.h>

#define N(array) (sizeof(array) / sizeof((array)[0]))

#define HOSTILE      "r1a8,\"q\"\nline\x1b[31m\xff"
#define LONG_EVENT   "amd64_fam19h_zen4::RETIRED_NEAR_RETURNS_MISPREDICTED:u:k"
#define LONG_VARIANT "a-variant-whose-name-is-much-longer-than-any-column-should-be"

static struct rs_fact facts[] = {
    {"cpu_model", "Example CPU 3000", NULL},
    {"microcode", NULL, "not shown to guests of this hypervisor"},
    {"kernel", "6.1.0-example", NULL},
    {"clocksource", "tsc", NULL},
    {"governor", NULL, "no cpufreq here"},
    {"vdso_build_id", "0123456789abcdef", NULL},
    {"locale_trap", "caf\xc3\xa9 1,5", NULL},
};

enum metric {
	NS,
	TICKS,
	CYCLES,
	MISSES,
	RETURNS,
	RETURN_MISSES,
	LONG,
	BREAKPOINT,
	ODD,
	N_METRICS
};

/* clang-format off */
static struct rs_metric metrics[N_METRICS] = {
    [NS] = {.name = "ns",
	    .chosen = "CLOCK_MONOTONIC_RAW",
	    .source = "clock",
	    .unit = "ns"},
    [TICKS] = {.name = "ticks", .chosen = "rdtsc", .source = "clock", .unit = "ticks"},
    [CYCLES] = {.name = "cycles",
		.chosen = "CPU_CLK_UNHALTED",
		.source = "cpu",
		.config = "0x76",
		.unit = "cycles"},
    [MISSES] = {.name = "branch-misses",
		.chosen = "RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED",
		.source = "cpu",
		.config = "0xc3",
		.unit = "events",
		.note = "all branches, not returns alone"},
    [RETURNS] = {.name = "returns",
		 .chosen = "EX_RET_NEAR_RET",
		 .source = "cpu",
		 .config = "0xc8",
		 .unit = "events",
		 .status = RS_STATUS_NOT_PERMITTED,
		 .reason = "kernel.perf_event_paranoid is 3; ask for 2 or lower"},
    [RETURN_MISSES] = {.name = "return-misses",
		       .chosen = "EX_RET_NEAR_RET_MISPRED",
		       .source = "cpu",
		       .config = "0xc9",
		       .unit = "events",
		       .status = RS_STATUS_NOT_PERMITTED,
		       .reason = "kernel.perf_event_paranoid is 3; ask for 2 or lower"},
    [LONG] = {.name = LONG_EVENT,
	      .chosen = LONG_EVENT,
	      .source = "cpu",
	      .config = "0x5100c9",
	      .unit = "events"},
    [BREAKPOINT] = {.name = "mem:0x401000:x",
		    .chosen = "mem:0x401000:x",
		    .source = "breakpoint",
		    .config = "0x401000",
		    .unit = "events"},
    [ODD] = {.name = HOSTILE,
	     .chosen = HOSTILE,
	     .source = "cpu",
	     .config = "0x1a8",
	     .unit = "events",
	     .status = RS_STATUS_NOT_SUPPORTED},
};
/* clang-format on */

enum row {
	LEA,
	CALL_0,
	CALL_4,
	CALL_8,
	THUNK,
	LEA_AGAIN,
	EMPTY_1,
	LEA_3,
	CALL_4_3,
	LEA_3_AGAIN,
	VDSO,
	LIBC,
	SYSCALL,
	BROKEN,
	CRASHED,
	LONG_NAME,
	N_ROWS
};

static struct rs_row rows[N_ROWS] = {
    [LEA] = {.workload = "getpc",
	     .variant = "lea",
	     .depth = 1,
	     .is_baseline = true,
	     .effect = "none",
	     .model_verdict = "agrees",
	     .baseline = "lea"},
    [CALL_0] = {.workload = "getpc",
		.variant = "call+0",
		.depth = 1,
		.effect = "exempt",
		.baseline = "lea"},
    [CALL_4] = {.workload = "getpc",
		.variant = "call+4",
		.depth = 1,
		.effect = "corrupting",
		.baseline = "lea"},
    [CALL_8] = {.workload = "getpc",
		.variant = "call+8",
		.depth = 1,
		.effect = "corrupting",
		.state = RS_ROW_PARTIAL,
		.reason = "interrupted after 12 of 30 blocks",
		.baseline = "lea"},
    [THUNK] = {.workload = "getpc",
	       .variant = "thunk",
	       .depth = 1,
	       .effect = "balanced",
	       .state = RS_ROW_ABSENT,
	       .reason = "this build has no thunk for the processor, whose calls go "
			 "through a table that only the kernel may write",
	       .baseline = "lea"},
    [LEA_AGAIN] = {.workload = "getpc",
		   .variant = "lea again",
		   .depth = 1,
		   .role = RS_ROLE_CONTROL,
		   .effect = "none",
		   .baseline = "lea"},
    [EMPTY_1] = {.workload = "getpc",
		 .variant = "empty",
		 .depth = 1,
		 .role = RS_ROLE_EMPTY},
    [LEA_3] = {.workload = "getpc",
	       .variant = "lea",
	       .depth = 3,
	       .is_baseline = true,
	       .effect = "none",
	       .model_reason = "a kernel was not seen running \x1b under single-step",
	       .baseline = "lea"},
    [CALL_4_3] = {.workload = "getpc",
		  .variant = "call+4",
		  .depth = 3,
		  .effect = "corrupting",
		  .baseline = "lea"},
    [LEA_3_AGAIN] = {.workload = "getpc",
		     .variant = "lea again",
		     .depth = 3,
		     .role = RS_ROLE_CONTROL,
		     .state = RS_ROW_ERROR,
		     .reason = "its child did not start",
		     .baseline = "lea"},
    [VDSO] = {.workload = "vdso.clock_gettime",
	      .variant = "vdso",
	      .is_baseline = true,
	      .note = "falls back to the system call",
	      .baseline = "vdso"},
    [LIBC] = {.workload = "vdso.clock_gettime",
	      .variant = "libc",
	      .note = "falls back to the system call",
	      .baseline = "vdso"},
    [SYSCALL] = {.workload = "vdso.clock_gettime",
		 .variant = "syscall",
		 .state = RS_ROW_ERROR,
		 .reason = "EINVAL: the kernel does not know clock 42",
		 .baseline = "vdso"},
    [BROKEN] = {.workload = "vdso.clock_gettime",
		.variant = "vdso@call+4",
		.state = RS_ROW_BROKEN,
		.reason = "disagrees with the system call by 3 s",
		.baseline = "vdso"},
    [CRASHED] = {.workload = "vdso.clock_gettime",
		 .variant = "vdso@call+8",
		 .state = RS_ROW_CRASHED,
		 .reason = "SIGSEGV \x1b[2Jat \xc0\xaf",
		 .baseline = "vdso"},
    [LONG_NAME] = {.workload = "vdso.clock_gettime",
		   .variant = LONG_VARIANT,
		   .baseline = "vdso"},
};

/* What a line of the table says; the rest of a summary follows from it. */
struct sketch {
	enum row row;
	const char *metric;
	const char *unit;
	double median; /* negative: not measured */
	double delta_pct;
	double spread_pct; /* negative: not known */
	double model;      /* negative: not known */
	const char *verdict;
	enum rs_status status;
};

#define NO -1.0

/* clang-format off */
static const struct sketch sketches[] = {
	{LEA, "ns", "ns/call", 2.91, 0, 1, 0, "baseline", RS_STATUS_OK},
	{LEA, "ns.gross", "ns/call", 3.22, 0, 1, NO, NULL, RS_STATUS_OK},
	{LEA, "ticks", "ticks/call", 6.1, 0, 1, 0, "baseline", RS_STATUS_OK},
	{LEA, "cycles", "cycles/call", 9.996, 0, 1, 0, "baseline", RS_STATUS_OK},
	{LEA, "branch-misses", "events/call", 0.00012, 0, 1, 0, "baseline", RS_STATUS_OK},
	{LEA, LONG_EVENT, "events/call", 0, 0, NO, 0, NULL, RS_STATUS_OK},
	{LEA, "mem:0x401000:x", "events/call", 1, 0, NO, 0, NULL, RS_STATUS_OK},
	{CALL_0, "ns", "ns/call", 3.02, 3.9, 5, 0, "same", RS_STATUS_OK},
	{CALL_0, "ticks", "ticks/call", 6.34, 3.9, 5, 0, "same", RS_STATUS_OK},
	{CALL_0, "cycles", "cycles/call", 10.4, 4, 0.4, 0, "same", RS_STATUS_OK},
	{CALL_0, "branch-misses", "events/call", NO, 0, NO, 0, NULL, RS_STATUS_MULTIPLEXED},
	{CALL_4, "ns", "ns/call", 37.4, 1187, 2, 1, "slower", RS_STATUS_OK},
	{CALL_4, "ticks", "ticks/call", 78.5, 1187, 2, 1, "slower", RS_STATUS_OK},
	{CALL_4, "cycles", "cycles/call", 123456, 1187, 2, 1, "slower", RS_STATUS_OK},
	{CALL_4, "branch-misses", "events/call", 2, 0, 2, 1, NULL, RS_STATUS_UNTRUSTED},
	{CALL_4, "mem:0x401000:x", "events/call", NO, 0, NO, 1, NULL, RS_STATUS_NOT_COUNTED},
	{CALL_8, "ns", "ns/call", 2.5, -14, 0.3, 1, "faster", RS_STATUS_OK},
	{CALL_8, "ticks", "ticks/call", 5.2, -14.8, 0.3, 1, "faster", RS_STATUS_OK},
	{CALL_8, "cycles", "cycles/call", NO, 0, NO, 1, NULL, RS_STATUS_FAILED},
	{LEA_AGAIN, "ns", "ns/call", 2.92, 0.1, 1, NO, "same", RS_STATUS_OK},
	{LEA_AGAIN, "ticks", "ticks/call", 6.11, 0.1, 1, NO, "same", RS_STATUS_OK},
	{EMPTY_1, "ns.gross", "ns/call", 0.31, 0, 1, NO, NULL, RS_STATUS_OK},
	{EMPTY_1, "ticks.gross", "ticks/call", 0.65, 0, 1, NO, NULL, RS_STATUS_OK},
	{LEA_3, "ns", "ns/call", 4.5, 0, 1, NO, "baseline", RS_STATUS_OK},
	{LEA_3, "ticks", "ticks/call", NO, 0, NO, NO, NULL, RS_STATUS_NOT_SUPPORTED},
	{CALL_4_3, "ns", "ns/call", 5, 11.1, 20, NO, "unclear", RS_STATUS_OK},
	{VDSO, "ns", "ns/call", 17.1, 0, 1, NO, "baseline", RS_STATUS_OK},
	{VDSO, "ticks", "ticks/call", 35.9, 0, 1, NO, "baseline", RS_STATUS_OK},
	{LIBC, "ns", "ns/call", 1234.5, 1e7, 1, NO, "slower", RS_STATUS_OK},
	{LIBC, "ticks", "ticks/call", 12345678, 1e10, 1, NO, "slower", RS_STATUS_OK},
	{BROKEN, "ns", "ns/call", 1, 1, 1, NO, "slower", RS_STATUS_OK},
};
/* clang-format on */

static struct rs_maybe scaled(double value, double factor, bool known)
{
	return (struct rs_maybe){.value = value * factor, .known = known};
}

static struct rs_summary summary_of(const struct sketch *sketch)
{
	const bool known = sketch->median >= 0;
	const bool down = sketch->delta_pct < 0;
	const bool has_delta = known && sketch->delta_pct != 0;
	return (struct rs_summary){
	    .row = sketch->row,
	    .metric = sketch->metric,
	    .unit = sketch->unit,
	    .median = scaled(sketch->median, 1, known),
	    .ci_low = scaled(sketch->median, 0.99, known),
	    .ci_high = scaled(sketch->median, 1.01, known),
	    .min = scaled(sketch->median, 0.98, known),
	    .mad = scaled(sketch->median, 0.005, known),
	    .kept = 118,
	    .rejected = 2,
	    .placement_spread_pct =
		scaled(sketch->spread_pct, 1, sketch->spread_pct >= 0),
	    .model = scaled(sketch->model, 1, sketch->model >= 0),
	    .delta_pct = scaled(sketch->delta_pct, 1, has_delta),
	    .delta_low_pct = scaled(sketch->delta_pct, down ? 1.1 : 0.9, has_delta),
	    .delta_high_pct = scaled(sketch->delta_pct, down ? 0.9 : 1.1, has_delta),
	    .verdict = sketch->verdict,
	    .status = sketch->status,
	};
}

static struct rs_summary summaries[N(sketches)];

static const enum row timed_rows[] = {LEA,     CALL_0, CALL_4,   CALL_8, LEA_AGAIN,
				      EMPTY_1, LEA_3,  CALL_4_3, VDSO,   LIBC};
static const char *const rejections[] = {NULL,
					 NULL,
					 "context-switch",
					 NULL,
					 "page-fault",
					 NULL,
					 "context-switch",
					 NULL,
					 "odd, \"word\"",
					 NULL};

static struct rs_reading readings[N(timed_rows)][N_METRICS];
static struct rs_repetition repetitions[N(timed_rows)];

/* One repetition for each timed row; its readings go through every status. */
static void make_repetition(unsigned int i)
{
	const uint64_t calls = 1000;
	for (unsigned int m = 0; m < N_METRICS; m++) {
		const bool is_clock = m == NS || m == TICKS;
		const enum rs_status status =
		    is_clock ? RS_STATUS_OK : (m + i) % RS_N_STATUS;
		const bool ran = status != RS_STATUS_NOT_COUNTED;
		readings[i][m] = (struct rs_reading){
		    .value = calls * (m + 1) + i,
		    .time_enabled_ns = is_clock ? 0 : 5000,
		    .time_running_ns = is_clock || !ran ? 0 : 5000,
		    .status = status,
		};
	}
	repetitions[i] = (struct rs_repetition){
	    .row = timed_rows[i],
	    .placement = i % 4,
	    .block = i / 4,
	    .order = i % 3,
	    .calls = calls,
	    .rejected = rejections[i],
	    .readings = readings[i],
	};
}

static const char *notes[] = {
    "steal time grew by 3 ms while measuring",
    "a note with a word that no line can hold: "
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
    "xx"
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
    "xx",
    "caf\xc3\xa9 and \xe6\xbc\xa2\xe5\xad\x97 and \xed\xa0\x80 and \t tabs",
};

static const struct rs_settings settings = {
    .command_line = "retstack run 'getpc' \"vdso.*\"",
    .selection = "getpc vdso.clock_gettime",
    .events = "cycles,branch-misses",
    .replay = "fixture.replay",
    .calls = 1000,
    .repetition_ns = 1000000,
    .repetitions = 30,
    .placements = 4,
    .cpu = 1,
    .seed = UINT64_MAX,
    .max_time_s = 2.5,
    .threshold_pct = 1,
};

const struct rs_results *rs_fixture_results(void)
{
	static struct rs_results results;
	for (size_t i = 0; i < N(sketches); i++)
		summaries[i] = summary_of(&sketches[i]);
	for (unsigned int i = 0; i < N(timed_rows); i++)
		make_repetition(i);
	readings[0][NS].value = (uint64_t)INT64_MAX + 1;
	readings[0][TICKS].value = INT64_MAX;
	results = (struct rs_results){
	    .run_id = "fixture-1",
	    .preset =
		{
		    .name = "example",
		    .chosen_by = "cpu",
		    .text = "Example, \"core\"",
		    .source = "Example manual, 1.2",
		    .note = "underflow is assumed",
		    .entries = 16,
		    .overflow = "circular",
		    .underflow = "stale",
		},
	    .settings = settings,
	    .facts = facts,
	    .n_facts = N(facts),
	    .metrics = metrics,
	    .n_metrics = N_METRICS,
	    .rows = rows,
	    .n_rows = N_ROWS,
	    .repetitions = repetitions,
	    .n_repetitions = N(repetitions),
	    .summaries = summaries,
	    .n_summaries = N(summaries),
	    .notes = notes,
	    .n_notes = N(notes),
	    .is_partial = true,
	    .partial_reason = "interrupted by SIGINT",
	};
	return &results;
}

static struct rs_row plain_rows[] = {
    {.workload = "getpc",
     .variant = "lea",
     .depth = 3,
     .is_baseline = true,
     .effect = "none",
     .baseline = "lea"},
    {.workload = "getpc",
     .variant = "call+0",
     .depth = 3,
     .effect = "exempt",
     .baseline = "lea"},
    {.workload = "getpc",
     .variant = "call+4",
     .depth = 3,
     .effect = "corrupting",
     .baseline = "lea"},
    {.workload = "getpc",
     .variant = "lea",
     .depth = 3,
     .role = RS_ROLE_CONTROL,
     .effect = "none",
     .baseline = "lea"},
};

/* clang-format off */
static const struct sketch plain_sketches[] = {
	{0, "ns", "ns/call", 2.91, 0, 1, NO, "baseline", RS_STATUS_OK},
	{0, "ticks", "ticks/call", 6.1, 0, 1, NO, "baseline", RS_STATUS_OK},
	{1, "ns", "ns/call", 3.02, 3.9, 5, NO, "same", RS_STATUS_OK},
	{1, "ticks", "ticks/call", 6.34, 3.9, 5, NO, "same", RS_STATUS_OK},
	{2, "ns", "ns/call", 37.4, 1187, 2, NO, "slower", RS_STATUS_OK},
	{2, "ticks", "ticks/call", 78.5, 1187, 2, NO, "slower", RS_STATUS_OK},
	{3, "ns", "ns/call", 2.92, 0.1, 1, NO, "same", RS_STATUS_OK},
	{3, "ticks", "ticks/call", 6.11, 0.1, 1, NO, "same", RS_STATUS_OK},
};
/* clang-format on */

const struct rs_results *rs_fixture_plain(void)
{
	static const char *const no_pmu =
	    "no hardware PMU is visible here (hypervisor KVM); `retstack doctor` says "
	    "more";
	static struct rs_results results;
	static struct rs_summary plain_summaries[N(plain_sketches)];
	static struct rs_metric plain_metrics[4];
	for (size_t i = 0; i < N(plain_sketches); i++)
		plain_summaries[i] = summary_of(&plain_sketches[i]);
	for (size_t i = 0; i < N(plain_metrics); i++) {
		plain_metrics[i] = metrics[i];
		plain_metrics[i].note = NULL;
		if (i >= CYCLES) {
			plain_metrics[i].status = RS_STATUS_NOT_SUPPORTED;
			plain_metrics[i].reason = no_pmu;
		}
	}
	results = (struct rs_results){
	    .run_id = "fixture-2",
	    .settings = settings,
	    .metrics = plain_metrics,
	    .n_metrics = N(plain_metrics),
	    .rows = plain_rows,
	    .n_rows = N(plain_rows),
	    .summaries = plain_summaries,
	    .n_summaries = N(plain_summaries),
	};
	results.settings.calls = 0;
	results.settings.replay = NULL;
	results.settings.max_time_s = 0;
	return &results;
}

static const struct rs_sheet_column sheet_columns[] = {
    {.name = "name", .title = "event"},
    {.name = "config", .title = "code", .is_right = true},
    {.name = "size", .title = "bytes", .is_right = true, .is_number = true},
    {.name = "what", .title = "what it counts", .wraps = true},
    {.name = "opens", .title = "opens here", .wraps = true},
};

/* clang-format off */
static const char *sheet_cells[] = {
	"cycles", "0x76", "42", "cycles in which the core was not halted", "yes",
	"return-misses", "0xc9", "2.5", "returns whose target was not the predicted one",
	"no: permission denied; kernel.perf_event_paranoid is 3, needs 2 or lower",
	HOSTILE, NULL, "18446744073709551615", NULL, NULL,
	"caf\xc3\xa9", "", "0x10", "=1+1", "a, \"b\"",
};
/* clang-format on */

static const char *sheet_notes[] = {"3 of 4 events open here"};

const struct rs_sheet *rs_fixture_sheet(void)
{
	static const struct rs_sheet sheet = {
	    .title = "events of cpu 1",
	    .columns = sheet_columns,
	    .n_columns = N(sheet_columns),
	    .cells = sheet_cells,
	    .n_rows = N(sheet_cells) / N(sheet_columns),
	    .notes = sheet_notes,
	    .n_notes = N(sheet_notes),
	};
	return &sheet;
}

const struct rs_sheet *rs_fixture_empty_sheet(void)
{
	static const struct rs_sheet sheet = {
	    .title = "PMUs",
	    .columns = sheet_columns,
	    .n_columns = N(sheet_columns),
	};
	return &sheet;
}

const struct rs_checkup *rs_fixture_checkup(void)
{
	/* clang-format off */
	static const struct rs_check checks[] = {
	    {.name = "self-test",
	     .state = RS_CHECK_GOOD,
	     .value = "1000 of 1000 calls counted by a breakpoint event"},
	    {.name = "pmu",
	     .state = RS_CHECK_BAD,
	     .value = "none",
	     .cause = "the hypervisor (KVM) shows no hardware PMU to this guest, so "
		      "cycles and mispredicts cannot be counted",
	     .remedy = "start the guest with a virtual PMU, or measure on the host"},
	    {.name = "governor",
	     .state = RS_CHECK_UNKNOWN,
	     .cause = "there is no cpufreq directory"},
	    {.name = "smt", .state = RS_CHECK_INFO, .value = "on, sibling 0"},
	    {.name = "steal",
	     .state = RS_CHECK_WARN,
	     .value = "3 % of the last second \x1b[0m\xff",
	     .cause = "other guests use this processor",
	     .remedy = "measure when the host is quiet"},
	};
	/* clang-format on */
	static const struct rs_checkup checkup = {
	    .checks = checks,
	    .n_checks = N(checks),
	};
	return &checkup;
}
