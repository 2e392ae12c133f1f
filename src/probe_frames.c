#include "src/probes.h"

#define N_RESAMPLES 2000

double rs_probe_slope(const unsigned int *depths, const double *costs, size_t n)
{
	double x = 0, y = 0, xx = 0, xy = 0;
	for (size_t i = 0; i < n; i++) {
		x += depths[i];
		y += costs[i];
		xx += (double)depths[i] * depths[i];
		xy += depths[i] * costs[i];
	}
	const double count = (double)n;
	return (xy - x * y / count) / (xx - x * x / count);
}

const struct rs_probe_series *rs_probe_baseline(const struct rs_probe *probe,
						const struct rs_probe_series *series)
{
	const struct rs_family *const family =
	    rs_isa_family(rs_isa_host(), series->workload);
	return family ? rs_probe_find(probe, series->workload, family->baseline) : NULL;
}

bool rs_probe_extra(const struct rs_probe *probe, const struct rs_probe_series *series,
		    size_t process, enum rs_probe_metric metric,
		    double extra[RS_MAX_FRAMES])
{
	const struct rs_probe_series *const base = rs_probe_baseline(probe, series);
	unsigned int depths[RS_MAX_FRAMES];
	double costs[RS_MAX_FRAMES];
	if (!base || !base->n || !series->n ||
	    !rs_probe_costs(probe, base, process, metric, depths, costs) ||
	    !rs_probe_costs(probe, series, process, metric, depths, extra))
		return false;
	for (size_t i = 0; i < RS_MAX_FRAMES; i++)
		extra[i] -= costs[i];
	return true;
}

struct rs_probe_estimate rs_probe_estimate_of(double *values, size_t n, uint64_t seed)
{
	double scratch[RS_MAX_PROCESSES + N_RESAMPLES];
	struct rs_rng rng;
	if (n == 0)
		return (struct rs_probe_estimate){.n = 0};
	rs_rng_seed(&rng, seed);
	const struct rs_interval interval =
	    rs_stats_median_interval(values, n, N_RESAMPLES, &rng, scratch);
	return (struct rs_probe_estimate){
	    .n = n,
	    .median = rs_stats_median(values, n),
	    .interval = interval,
	};
}

bool rs_probe_extra_slope(const struct rs_probe *probe,
			  const struct rs_probe_series *series, size_t process,
			  enum rs_probe_metric metric, double *out)
{
	static const unsigned int frames[RS_MAX_FRAMES] = {1, 2, 3, 4, 5, 6, 7, 8};
	double extra[RS_MAX_FRAMES];
	if (!rs_probe_extra(probe, series, process, metric, extra))
		return false;
	*out = rs_probe_slope(frames, extra, RS_MAX_FRAMES);
	return true;
}

int rs_probe_list_family(struct rs_probe *probe, const char *name,
			 bool (*wants)(const struct rs_family *family,
				       const struct rs_variant *form),
			 struct rs_err *err)
{
	const struct rs_family *const family = rs_isa_family(rs_isa_host(), name);
	int ret = 0;
	for (const struct rs_variant *form = family ? family->variants : NULL;
	     form && form->name && !ret; form++) {
		if (wants(family, form))
			ret = rs_probe_add_form(probe, family->name, form, err);
	}
	return ret;
}
