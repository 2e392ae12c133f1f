#ifndef SRC_KNEE_H
#define SRC_KNEE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Where a curve of cost over nested calls bends upwards: a straight line up to the
 * number of entries, a steeper one beyond (docs/method.md, "Probing the depth").
 */
struct rs_knee {
	bool found;
	unsigned int at; /* calls in flight that still cost as below; if found */
	double below;    /* cost of one more call up to there */
	double above;    /* and beyond */
};

/*
 * Fits two segments to n points; levels ascend, costs are finite. found is false where
 * the second segment is not clearly steeper, or explains little that one line does not.
 */
struct rs_knee rs_knee_fit(const unsigned int *levels, const double *costs, size_t n);

/* What several processes say together. */
struct rs_agreement {
	bool is_clear;
	unsigned int at; /* median of the knees */
	unsigned int low;
	unsigned int
	    high; /* bootstrap 95 % interval of the median, over the processes */
	size_t n_found;
	size_t n_agreeing; /* within 1 of at */
	double below;      /* medians */
	double above;
};

/*
 * Clear when three processes in four found a knee within 1 of the median and the
 * interval spans at most 2. n is 1 to RS_MAX_PROCESSES. At least three processes are
 * needed for a clear answer.
 */
#define RS_MAX_PROCESSES 64
#define RS_MIN_PROCESSES 3
struct rs_agreement rs_knees_agree(const struct rs_knee *knees, size_t n,
				   uint64_t seed);

#endif
