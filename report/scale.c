#include "report/scale.h"

#include <math.h>
#include <stdbool.h>

#define ROOM           0.04 /* of the length, at each end */
#define LARGEST_LINEAR 20.0 /* high / low, or the difference in per cent */
#define N_WANTED       6

static double forward(enum rs_scale_kind kind, double value)
{
	if (kind == RS_SCALE_LOG)
		return log10(value);
	return kind == RS_SCALE_SIGNED ? asinh(value) : value;
}

static double backward(enum rs_scale_kind kind, double place)
{
	if (kind == RS_SCALE_LOG)
		return pow(10, place);
	return kind == RS_SCALE_SIGNED ? sinh(place) : place;
}

static struct rs_scale make(enum rs_scale_kind kind, double low, double high,
			    double from, double to)
{
	double first = forward(kind, low);
	double last = forward(kind, high);
	const double room =
	    last > first ? ROOM * (last - first) : fmax(fabs(last) * ROOM, 0.1);
	first -= room;
	last += room;
	return (struct rs_scale){
	    .kind = kind,
	    .low = kind == RS_SCALE_LINEAR && low >= 0 ? fmax(0, first)
						       : backward(kind, first),
	    .high = backward(kind, last),
	    .from = from,
	    .to = to,
	};
}

struct rs_scale rs_scale_of_values(double low, double high, double from, double to)
{
	const bool is_wide = low > 0 && high / low > LARGEST_LINEAR;
	return make(is_wide ? RS_SCALE_LOG : RS_SCALE_LINEAR, low, high, from, to);
}

struct rs_scale rs_scale_of_differences(double low, double high, double from, double to)
{
	const double largest = fmax(fabs(low), fabs(high));
	return make(largest > LARGEST_LINEAR ? RS_SCALE_SIGNED : RS_SCALE_LINEAR,
		    fmin(low, 0), fmax(high, 0), from, to);
}

double rs_scale_at(const struct rs_scale *scale, double value)
{
	const double first = forward(scale->kind, scale->low);
	const double last = forward(scale->kind, scale->high);
	const double inside = fmin(fmax(value, scale->low), scale->high);
	const double share = (forward(scale->kind, inside) - first) / (last - first);
	return scale->from + share * (scale->to - scale->from);
}

static bool is_inside(const struct rs_scale *scale, double value)
{
	return value >= scale->low && value <= scale->high;
}

static size_t add(double ticks[RS_MAX_TICKS], size_t n, double value)
{
	if (n == RS_MAX_TICKS)
		return n;
	ticks[n] = value;
	return n + 1;
}

/* 1, 2 or 5 times a power of ten. */
static double round_step(double step)
{
	const double power = pow(10, floor(log10(step)));
	const double share = step / power;
	return power * (share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10);
}

static size_t linear_ticks(const struct rs_scale *scale, double ticks[RS_MAX_TICKS])
{
	const double step = round_step((scale->high - scale->low) / N_WANTED);
	const double first = ceil(scale->low / step);
	size_t n = 0;
	for (double i = first; i * step <= scale->high && n < RS_MAX_TICKS; i++)
		n = add(ticks, n, i * step + 0.0);
	return n;
}

/* Powers of ten; between them 2 and 5 times them where there is room. */
static size_t log_ticks(const struct rs_scale *scale, double ticks[RS_MAX_TICKS])
{
	static const double between[] = {1, 2, 5};
	const double decades = log10(scale->high / scale->low);
	const size_t n_between = decades < 3 ? 3 : 1;
	const double stride = fmax(1, ceil(decades / (RS_MAX_TICKS / 3)));
	size_t n = 0;
	for (double e = floor(log10(scale->low)); e <= log10(scale->high);
	     e += stride) {
		for (size_t i = 0; i < n_between; i++) {
			if (is_inside(scale, between[i] * pow(10, e)))
				n = add(ticks, n, between[i] * pow(10, e));
		}
	}
	return n;
}

static size_t signed_ticks(const struct rs_scale *scale, double ticks[RS_MAX_TICKS])
{
	const double largest = fmax(fabs(scale->low), fabs(scale->high));
	const double top = floor(log10(largest));
	const double stride = fmax(1, ceil(top / 6));
	size_t n = 0;
	for (double e = stride * floor(top / stride); e >= 0; e -= stride) {
		if (is_inside(scale, -pow(10, e)))
			n = add(ticks, n, -pow(10, e));
	}
	n = add(ticks, n, 0);
	for (double e = 0; e <= top; e += stride) {
		if (is_inside(scale, pow(10, e)))
			n = add(ticks, n, pow(10, e));
	}
	return n;
}

size_t rs_scale_ticks(const struct rs_scale *scale, double ticks[RS_MAX_TICKS])
{
	if (scale->kind == RS_SCALE_LOG)
		return log_ticks(scale, ticks);
	return scale->kind == RS_SCALE_SIGNED ? signed_ticks(scale, ticks)
					      : linear_ticks(scale, ticks);
}
