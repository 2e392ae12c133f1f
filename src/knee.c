#include "src/knee.h"

#include <math.h>

#include "src/rng.h"
#include "src/stats.h"

#define MIN_POINTS    6
#define MIN_STEEPER   1.25 /* above / below */
#define MIN_EXPLAINED 4.0  /* squared residuals of one line over those of two */
#define MIN_WINDOW    24
#define N_RESAMPLES   2000

/*
 * Weighted sums of a least-squares fit of y by 1, x and h = max(0, x - knee). The noise
 * of a cost grows with the calls that it is of, so a level weighs 1 / level^2.
 */
struct sums {
	double n, x, h, y, xx, xh, hh, xy, hy, yy;
};

static struct sums sum(const unsigned int *levels, const double *costs, size_t n,
		       double knee)
{
	struct sums s = {0};
	for (size_t i = 0; i < n; i++) {
		const double x = levels[i], y = costs[i];
		const double h = fmax(0, x - knee);
		const double w = 1 / (x * x);
		s.n += w;
		s.x += w * x;
		s.h += w * h;
		s.y += w * y;
		s.xx += w * x * x;
		s.xh += w * x * h;
		s.hh += w * h * h;
		s.xy += w * x * y;
		s.hy += w * h * y;
		s.yy += w * y * y;
	}
	return s;
}

/* Slopes of x and h, and the squared residuals, from sums about the means. */
static double fit_two(const struct sums *s, double *slope, double *more)
{
	const double xx = s->xx - s->x * s->x / s->n, xh = s->xh - s->x * s->h / s->n;
	const double hh = s->hh - s->h * s->h / s->n, xy = s->xy - s->x * s->y / s->n;
	const double hy = s->hy - s->h * s->y / s->n, yy = s->yy - s->y * s->y / s->n;
	const double determinant = xx * hh - xh * xh;
	if (determinant <= 1e-9 * xx * hh)
		return INFINITY;
	*slope = (xy * hh - hy * xh) / determinant;
	*more = (hy * xx - xy * xh) / determinant;
	return fmax(0, yy - *slope * xy - *more * hy);
}

static double fit_one(const struct sums *s)
{
	const double xx = s->xx - s->x * s->x / s->n;
	const double xy = s->xy - s->x * s->y / s->n;
	const double yy = s->yy - s->y * s->y / s->n;
	return fmax(0, yy - xy * xy / xx);
}

static struct rs_knee fit(const unsigned int *levels, const double *costs, size_t n)
{
	struct rs_knee best = {.found = false};
	double least = INFINITY;
	if (n < MIN_POINTS)
		return best;
	for (unsigned int k = levels[1]; k <= levels[n - 3]; k++) {
		double slope = 0, more = 0;
		const struct sums s = sum(levels, costs, n, k);
		const double residuals = fit_two(&s, &slope, &more);
		if (residuals >= least)
			continue;
		least = residuals;
		best = (struct rs_knee){.at = k, .below = slope, .above = slope + more};
	}
	const struct sums s = sum(levels, costs, n, 0);
	best.found = isfinite(least) && best.below > 0 &&
		     best.above > MIN_STEEPER * best.below &&
		     fit_one(&s) > MIN_EXPLAINED * least;
	return best;
}

/* Points up to level. */
static size_t n_within(const unsigned int *levels, size_t n, unsigned int level)
{
	while (n > 0 && levels[n - 1] > level)
		n--;
	return n;
}

/*
 * Far beyond the knee other limits bend the curve, such as caches; so the fit is made
 * again on what lies within three times the knee, until that changes nothing.
 */
struct rs_knee rs_knee_fit(const unsigned int *levels, const double *costs, size_t n)
{
	struct rs_knee knee = fit(levels, costs, n);
	while (knee.found) {
		const unsigned int window =
		    3 * knee.at > MIN_WINDOW ? 3 * knee.at : MIN_WINDOW;
		const size_t n_inside = n_within(levels, n, window);
		if (n_inside == n)
			break;
		n = n_inside;
		knee = fit(levels, costs, n);
	}
	return knee;
}

static unsigned int resampled_median(const double *knees, size_t n, struct rs_rng *rng)
{
	double drawn[RS_MAX_PROCESSES];
	for (size_t i = 0; i < n; i++)
		drawn[i] = knees[rs_rng_below(rng, n)];
	return (unsigned int)lround(rs_stats_median(drawn, n));
}

static void bootstrap(struct rs_agreement *out, const double *knees, size_t n,
		      uint64_t seed)
{
	struct rs_rng rng;
	double medians[N_RESAMPLES];
	rs_rng_seed(&rng, seed);
	for (size_t i = 0; i < N_RESAMPLES; i++)
		medians[i] = resampled_median(knees, n, &rng);
	rs_stats_sort(medians, N_RESAMPLES);
	out->low = (unsigned int)medians[N_RESAMPLES * 25 / 1000];
	out->high = (unsigned int)medians[N_RESAMPLES * 975 / 1000 - 1];
}

struct rs_agreement rs_knees_agree(const struct rs_knee *knees, size_t n, uint64_t seed)
{
	struct rs_agreement out = {0};
	double at[RS_MAX_PROCESSES], below[RS_MAX_PROCESSES], above[RS_MAX_PROCESSES];
	for (size_t i = 0; i < n; i++) {
		if (!knees[i].found)
			continue;
		at[out.n_found] = knees[i].at;
		below[out.n_found] = knees[i].below;
		above[out.n_found++] = knees[i].above;
	}
	if (out.n_found == 0)
		return out;
	bootstrap(&out, at, out.n_found, seed);
	out.at = (unsigned int)lround(rs_stats_median(at, out.n_found));
	out.below = rs_stats_median(below, out.n_found);
	out.above = rs_stats_median(above, out.n_found);
	for (size_t i = 0; i < out.n_found; i++)
		out.n_agreeing += fabs(at[i] - out.at) <= 1;
	out.is_clear = n >= RS_MIN_PROCESSES && 4 * out.n_agreeing >= 3 * n &&
		       out.high - out.low <= 2;
	return out;
}
