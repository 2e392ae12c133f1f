#include "src/probe.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int grow(struct rs_probe *probe, size_t n_cells, struct rs_err *err)
{
	struct rs_probe_cell *const cells =
	    reallocarray(probe->cells, probe->n_cells + n_cells, sizeof(*cells));
	if (cells)
		probe->cells = cells;
	struct rs_probe_series *const series =
	    reallocarray(probe->series, probe->n_series + 1, sizeof(*series));
	if (series)
		probe->series = series;
	return cells && series ? 0
			       : rs_err_set(err, -ENOMEM, "not enough memory to probe");
}

/* Every level where link stacks end; fewer further up. */
static unsigned int next_level(unsigned int level)
{
	return level + (level < 40 ? 1 : level < 64 ? 2 : 4);
}

int rs_probe_add_chain(struct rs_probe *probe, const char *workload,
		       const struct rs_chain *chain, struct rs_err *err)
{
	const int ret = grow(probe, RS_PROBE_MAX_DEPTHS, err);
	if (ret)
		return ret;
	struct rs_probe_series *const series = &probe->series[probe->n_series++];
	*series = (struct rs_probe_series){
	    .workload = workload,
	    .variant = chain->name,
	    .chain = chain,
	    .first = probe->n_cells,
	};
	for (unsigned int n = 1; n <= RS_MAX_CHAIN; n = next_level(n))
		probe->cells[probe->n_cells++] = (struct rs_probe_cell){
		    .workload = workload,
		    .variant = chain->name,
		    .kernel = chain->kernel,
		    .depth = n,
		    .is_chain = true,
		    .has_bits = chain->sites == RS_SITES_RANDOM ||
				chain->sites == RS_SITES_LOST,
		};
	series->n = probe->n_cells - series->first;
	return 0;
}

int rs_probe_add_form(struct rs_probe *probe, const char *workload,
		      const struct rs_variant *form, struct rs_err *err)
{
	const int ret = grow(probe, RS_MAX_FRAMES, err);
	if (ret)
		return ret;
	probe->series[probe->n_series++] = (struct rs_probe_series){
	    .workload = workload,
	    .variant = form->name,
	    .form = form,
	    .first = probe->n_cells,
	    .n = RS_MAX_FRAMES,
	};
	for (unsigned int k = 1; k <= RS_MAX_FRAMES; k++)
		probe->cells[probe->n_cells++] = (struct rs_probe_cell){
		    .workload = workload,
		    .variant = form->name,
		    .kernel = form->kernel,
		    .depth = k,
		};
	return 0;
}

void rs_probe_free(struct rs_probe *probe)
{
	free(probe->points);
	free(probe->series);
	free(probe->cells);
	*probe = (struct rs_probe){0};
}

static bool cost_of(const struct rs_probe *probe, size_t process, size_t cell,
		    enum rs_probe_metric metric, double *out)
{
	const struct rs_probe_point *const point =
	    &probe->points[process * probe->n_cells + cell];
	const struct rs_reading *const reading = &point->readings[metric];
	if (!point->calls || !rs_reading_is_valid(reading))
		return false;
	*out = (double)reading->value / (double)point->calls;
	return true;
}

bool rs_probe_costs(const struct rs_probe *probe, const struct rs_probe_series *series,
		    size_t process, enum rs_probe_metric metric, unsigned int *depths,
		    double *costs)
{
	for (size_t i = 0; i < series->n; i++) {
		depths[i] = probe->cells[series->first + i].depth;
		if (!cost_of(probe, process, series->first + i, metric, &costs[i]))
			return false;
	}
	return true;
}

bool rs_probe_has(const struct rs_probe *probe, enum rs_probe_metric metric)
{
	double cost;
	for (size_t p = 0; p < probe->n_processes; p++) {
		for (size_t i = 0; i < probe->n_cells; i++) {
			if (!probe->cells[i].is_dead &&
			    !cost_of(probe, p, i, metric, &cost))
				return false;
		}
	}
	return probe->n_processes > 0;
}

const struct rs_probe_series *rs_probe_find(const struct rs_probe *probe,
					    const char *workload, const char *variant)
{
	for (size_t i = 0; i < probe->n_series; i++) {
		const struct rs_probe_series *const series = &probe->series[i];
		if (strcmp(series->workload, workload) == 0 &&
		    strcmp(series->variant, variant) == 0)
			return series;
	}
	return NULL;
}
