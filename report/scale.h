#ifndef REPORT_SCALE_H
#define REPORT_SCALE_H

#include <stddef.h>

/*
 * Values to places along an axis, linear or not. "signed" is linear around 0 and
 * logarithmic far from it, for differences that reach from tenths to thousands of per
 * cent.
 */
enum rs_scale_kind {
	RS_SCALE_LINEAR,
	RS_SCALE_LOG,    /* low > 0 */
	RS_SCALE_SIGNED, /* asinh */
};

struct rs_scale {
	enum rs_scale_kind kind;
	double low; /* < high */
	double high;
	double from; /* where low and high are drawn */
	double to;
};

/*
 * A scale that shows the finite low <= high and some room at both ends. Values above 0
 * that are more than 20 times apart are drawn by their logarithms.
 */
struct rs_scale rs_scale_of_values(double low, double high, double from, double to);

/* The same for differences around 0. */
struct rs_scale rs_scale_of_differences(double low, double high, double from,
					double to);

/* Where value is drawn; values outside the scale at its ends. */
double rs_scale_at(const struct rs_scale *scale, double value);

/* Round values to label, ascending; returns how many, 2 to RS_MAX_TICKS. */
#define RS_MAX_TICKS 24
size_t rs_scale_ticks(const struct rs_scale *scale, double ticks[RS_MAX_TICKS]);

#endif
