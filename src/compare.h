#ifndef SRC_COMPARE_H
#define SRC_COMPARE_H

/* What changed between result files, by docs/method.md section "Comparing runs". */

#include <stdbool.h>
#include <stddef.h>

#include "src/base/err.h"
#include "src/load.h"

struct rs_compare_request {
	const struct rs_loaded *files; /* at least two */
	size_t n_files;
	double threshold_pct; /* smallest change that is called one */
	const char *metrics;  /* names and globs, comma separated; NULL: all */
};

/* One row and metric of a file against the file that it is compared with. */
struct rs_change {
	const struct rs_loaded *base;
	const struct rs_loaded *file;
	const struct rs_row *row; /* of file */
	const char *metric;
	const char *unit; /* "ns/call" */
	size_t n_base;    /* repetitions */
	size_t n_new;
	double base_median; /* per call, net where there is an empty loop */
	double new_median;
	struct rs_maybe improvement_pct; /* 100 * (base - new) / base */
	struct rs_maybe improvement_low_pct;
	struct rs_maybe improvement_high_pct;
	double shift; /* new - base, per call, by Hodges and Lehmann; with interval */
	double shift_low;
	double shift_high;
	double p_value;
	struct rs_maybe noise_pct; /* what the difference is held against */
	/* "faster", "slower", "fewer", "more", "same", "unclear", "not-comparable" */
	const char *verdict;
	bool is_worse; /* comparable, and costs more or mispredicts more */
};

struct rs_comparison {
	struct rs_change *changes;
	size_t n_changes;
	const char *
	    *notes; /* sentences: what differs between the files, what is missing */
	size_t n_notes;
};

/*
 * A file is compared with the first file of its host, or with the very first file where
 * its host has no other. Returns 0, or -ENOMEM, or -EINVAL where the files have no row
 * and metric in common. Free with rs_comparison_free.
 */
int rs_compare(struct rs_comparison *out, const struct rs_compare_request *request,
	       struct rs_err *err);
void rs_comparison_free(struct rs_comparison *comparison);

/* The host that a file was measured on; NULL where it does not tell. */
const char *rs_host_of(const struct rs_loaded *loaded);

#endif
