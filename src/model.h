#ifndef SRC_MODEL_H
#define SRC_MODEL_H

/*
 * Plain data: what was asked, what was found, what was measured. src/ fills it,
 * report/ turns it into bytes. Pointers are owned by whoever built the struct.
 * NULL strings and has_* = false mean unknown or unmeasured, never zero.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/reading.h"

#define RS_SCHEMA 1 /* of the CSV and JSON files; only ever grows */

/* One thing known, or not known, about the host. */
struct rs_fact {
	const char *name;  /* "cpu_model" */
	const char *value; /* NULL: unknown */
	const char *note; /* why unknown, or what it means for a measurement; or NULL */
};

/* A number that may be unmeasured. */
struct rs_maybe {
	double value;
	bool known;
};

/* What the user asked for, after defaults. */
struct rs_settings {
	const char *command_line;
	const char *selection;    /* workloads and variants as given, space separated */
	const char *events;       /* as given or defaulted */
	const char *baseline;     /* NULL: each workload's own */
	const char *replay;       /* NULL, or the file that readings were played from */
	uint64_t calls;           /* per repetition; 0: calibrated to repetition_ns */
	uint64_t repetition_ns;   /* aim of the calibration */
	unsigned int repetitions; /* blocks */
	unsigned int placements;
	unsigned int cpu;
	uint64_t seed;
	double max_time_s;        /* 0: no limit */
	double threshold_pct;     /* smallest difference that is called one */
	uint64_t block_bytes;     /* that a call of work+clock reads; 0: unknown */
	unsigned int clock_reads; /* how often it then reads the clock; 0: unknown */
	unsigned int threads;     /* that did the same at the same time; 0: unknown */
	bool strict;
};

/* One event of the run. */
struct rs_metric {
	const char *name;   /* the user's word, or the alias: "cycles" */
	const char *chosen; /* the event behind it */
	const char *source; /* PMU, "software", "breakpoint", "clock" */
	const char *config; /* raw code as "0x..."; NULL for clocks */
	const char *unit;   /* "ns", "ticks", "cycles", "events" */
	enum rs_status status;
	const char *reason; /* sentence, when status is not ok; else NULL */
	const char *note;   /* what to know about chosen; else NULL */
};

/* Whether and how a row could be measured. */
enum rs_row_state {
	RS_ROW_OK,
	RS_ROW_ABSENT,  /* cannot run here; reason says why */
	RS_ROW_BROKEN,  /* gave a wrong result, so it was not timed */
	RS_ROW_CRASHED, /* died of a signal; reason names it */
	RS_ROW_ERROR,
	RS_ROW_PARTIAL, /* interrupted before all repetitions were done */
	RS_N_ROW_STATE
};

/* "ok", "absent", "broken", "crashed", "error", "partial". */
const char *rs_row_state_name(enum rs_row_state state);

/* What a row is for. */
enum rs_row_role {
	RS_ROLE_VARIANT,
	RS_ROLE_EMPTY,   /* the empty loop, whose cost is subtracted */
	RS_ROLE_CONTROL, /* the baseline again, measured against itself */
};

/* One workload x variant x depth: a line of the table. */
struct rs_row {
	const char *workload;
	const char *variant;
	unsigned int depth; /* enclosing frames; 0: called straight from the loop */
	enum rs_row_role role;
	bool is_baseline;
	const char
	    *effect; /* "none", "exempt", "corrupting", "balanced"; NULL if n/a */
	enum rs_row_state state;
	const char *reason;   /* why state is not ok; else NULL */
	const char *note;     /* such as "falls back to the system call"; else NULL */
	const char *baseline; /* the variant it is compared with; NULL for none */
	/* Mispredicts per call by the model: beside the counted ones, each summary of
	 * the row has them. */
	const char *model_reason;  /* why there are none; NULL: there are, or n/a */
	const char *model_verdict; /* "agrees" or "disagrees" with the counted; NULL */
	uint64_t block_bytes; /* memory that one call reads; 0: not what it is about */
	unsigned int clock_reads; /* after it; 0: not what it is about */
	unsigned int threads;     /* as in the settings */
	unsigned int switches;    /* context switches of one call; 0: the same */
};

/* One repetition of one row: n_metrics readings. */
struct rs_repetition {
	unsigned int row; /* index */
	unsigned int placement;
	unsigned int block;
	unsigned int order; /* position inside the block, from 0 */
	uint64_t calls;
	const char
	    *rejected; /* NULL, or "context-switch", ... : not used in summaries */
	struct rs_reading *readings; /* n_metrics of them */
};

/* One row x metric. Values are per call; see unit. */
struct rs_summary {
	unsigned int row;
	const char *metric; /* "ns", "cycles"; gross values: "ns.gross" */
	const char *unit;   /* "ns/call" */
	struct rs_maybe median;
	struct rs_maybe ci_low; /* 95 % bootstrap interval of the median */
	struct rs_maybe ci_high;
	struct rs_maybe min;
	struct rs_maybe mad;
	unsigned int kept;
	unsigned int rejected;
	struct rs_maybe placement_spread_pct;
	struct rs_maybe model;     /* mispredicts per call by the link-stack model */
	struct rs_maybe delta_pct; /* against the row's baseline */
	struct rs_maybe delta_low_pct;
	struct rs_maybe delta_high_pct;
	const char
	    *verdict; /* "baseline", "same", "faster", "slower", "unclear"; NULL */
	enum rs_status status;
};

/* The link stack that the model stands for. */
struct rs_preset {
	const char *name;      /* "zen5"; NULL: there is no model */
	const char *chosen_by; /* "cpu", "option" or "default" */
	const char *text;      /* the processor */
	const char *source;
	const char *note; /* what of it is assumed; NULL: nothing */
	uint32_t entries;
	const char *overflow;  /* "circular", ... */
	const char *underflow; /* "stale", ... */
};

struct rs_results {
	const char *run_id;
	struct rs_preset preset;
	struct rs_settings settings;
	struct rs_fact *facts;
	size_t n_facts;
	struct rs_metric *metrics;
	size_t n_metrics;
	struct rs_row *rows;
	size_t n_rows;
	struct rs_repetition *repetitions;
	size_t n_repetitions;
	struct rs_summary *summaries;
	size_t n_summaries;
	const char **notes; /* sentences for the reader, in order */
	size_t n_notes;
	bool is_partial;
	const char *partial_reason; /* "interrupted by SIGINT"; NULL if whole */
};

/* A plain table, for `list`. Cells are strings; NULL is absent. */
struct rs_sheet_column {
	const char *name;  /* CSV header and JSON key: lower_case_with_underscores */
	const char *title; /* text header */
	bool is_right;     /* right-aligned in text */
	bool wraps;        /* may be wrapped to fit the terminal */
	bool is_detail;    /* in CSV and JSON only */
	bool is_footnote;  /* in text: below the table, rows of one cause together */
	bool is_number;    /* cells are numbers in JSON */
};

struct rs_sheet {
	const char *title;
	const struct rs_sheet_column *columns;
	size_t n_columns;
	const char **cells; /* n_rows * n_columns, row by row */
	size_t n_rows;
	const char **notes;
	size_t n_notes;
};

/* One line to plot: y over x, both ascending in x. */
struct rs_curve {
	const char *title;   /* what y is, over what */
	const char *x_title; /* below the axis */
	const double *x;
	const double *y;
	size_t n;
	struct rs_maybe mark; /* an x to point out */
};

/* One check of `doctor`. */
enum rs_check_state {
	RS_CHECK_GOOD,
	RS_CHECK_INFO,
	RS_CHECK_WARN, /* measurements work but suffer */
	RS_CHECK_BAD,  /* something cannot be measured */
	RS_CHECK_UNKNOWN,
	RS_N_CHECK_STATE
};

/* "good", "info", "warn", "bad", "unknown". */
const char *rs_check_state_name(enum rs_check_state state);

struct rs_check {
	const char *name; /* "self-test" */
	enum rs_check_state state;
	const char *value;  /* what was found; NULL: unknown */
	const char *cause;  /* NULL or a sentence */
	const char *remedy; /* NULL or a sentence */
};

struct rs_checkup {
	const struct rs_check *checks;
	size_t n_checks;
};

#endif
