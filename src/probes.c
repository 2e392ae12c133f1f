#include "src/probes.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "src/base/text.h"

static const struct rs_probe_kind kinds[] = {
    {
	.name = "depth",
	.text = "how many calls in flight the link stack holds",
	.list = rs_probe_depth_list,
	.judge = rs_probe_depth_judge,
    },
    {
	.name = "forms",
	.text = "which call forms are pushed",
	.list = rs_probe_forms_list,
	.judge = rs_probe_forms_judge,
    },
    {
	.name = "policy",
	.text = "what a full and an empty link stack do",
	.list = rs_probe_policy_list,
	.judge = rs_probe_policy_judge,
    },
    {
	.name = "penalty",
	.text = "what a mispredicted return costs",
	.list = rs_probe_penalty_list,
	.judge = rs_probe_penalty_judge,
    },
    {.name = NULL},
};

const struct rs_probe_kind *rs_probe_kinds(void)
{
	return kinds;
}

const struct rs_probe_kind *rs_probe_kind_find(const char *name)
{
	for (const struct rs_probe_kind *kind = kinds; kind->name; kind++) {
		if (strcmp(kind->name, name) == 0)
			return kind;
	}
	return NULL;
}

void rs_probe_report_free(struct rs_probe_report *report)
{
	rs_cells_close(&report->cells);
	report->curve.n = 0;
}

int rs_probe_list_chains(struct rs_probe *probe, const char *workload,
			 unsigned int sites, struct rs_err *err)
{
	const struct rs_chain *const chains = rs_isa_host()->chains;
	if (!chains)
		return rs_err_set(err, -ENOTSUP,
				  "there are no chains of calls for this instruction "
				  "set (%s), so its link stack cannot be probed",
				  rs_isa_host()->name);
	int ret = 0;
	for (const struct rs_chain *chain = chains; chain->name && !ret; chain++) {
		if (sites & 1U << chain->sites)
			ret = rs_probe_add_chain(probe, workload, chain, err);
	}
	return ret;
}

struct rs_agreement rs_probe_knee(const struct rs_probe *probe,
				  const struct rs_probe_series *series, uint64_t seed)
{
	struct rs_knee knees[RS_MAX_PROCESSES] = {{.found = false}};
	unsigned int depths[RS_PROBE_MAX_DEPTHS];
	double costs[RS_PROBE_MAX_DEPTHS];
	if (probe->n_processes == 0)
		return (struct rs_agreement){.is_clear = false};
	for (size_t p = 0; p < probe->n_processes; p++) {
		if (rs_probe_costs(probe, series, p, RS_PROBE_TICKS, depths, costs))
			knees[p] = rs_knee_fit(depths, costs, series->n);
	}
	return rs_knees_agree(knees, probe->n_processes, seed);
}

/* One sentence for each reason, with all events that have it. */
static void note_uncounted(const struct rs_probe *probe, struct rs_cells *cells)
{
	for (size_t i = RS_PROBE_CYCLES; i < probe->events->n_events; i++) {
		const struct rs_event *const event = &probe->events->events[i];
		if (event->status != RS_STATUS_OK)
			rs_cells_note(cells, "%s: not counted: %.400s", event->name,
				      event->reason);
		else if (!rs_probe_has(probe, (enum rs_probe_metric)i) &&
			 probe->n_processes > 0)
			rs_cells_note(cells, "%s: not counted in every repetition",
				      event->name);
		else if (event->note[0])
			rs_cells_note(cells, "%s: %s", event->name, event->note);
	}
}

void rs_probe_note_limits(const struct rs_probe *probe, struct rs_cells *cells)
{
	note_uncounted(probe, cells);
	for (size_t i = 0; i < probe->n_cells; i++) {
		const struct rs_probe_cell *const cell = &probe->cells[i];
		if (cell->is_dead)
			rs_cells_note(cells, "%s/%s below %u frames: %s",
				      cell->workload, cell->variant, cell->depth,
				      cell->reason);
	}
	if (probe->stopped)
		rs_cells_note(cells,
			      "partial: %s; what was measured until then is above",
			      probe->stopped);
}

/* Median over the processes; false where one process does not know it. */
static bool median_cost(const struct rs_probe *probe, size_t cell, double *out)
{
	double costs[RS_MAX_PROCESSES];
	for (size_t p = 0; p < probe->n_processes; p++) {
		const struct rs_probe_point *const point =
		    &probe->points[p * probe->n_cells + cell];
		if (!point->calls)
			return false;
		costs[p] = (double)point->readings[RS_PROBE_TICKS].value /
			   (double)point->calls;
	}
	*out = probe->n_processes ? rs_stats_median(costs, probe->n_processes) : 0;
	return probe->n_processes > 0;
}

void rs_probe_plot(const struct rs_probe *probe, const struct rs_probe_series *series,
		   const struct rs_probe_series *base, struct rs_probe_report *out)
{
	const bool is_chain = series->chain;
	for (size_t i = 0; i < series->n; i++) {
		double cost = 0, less = 0;
		if (!median_cost(probe, series->first + i, &cost) ||
		    (base && !median_cost(probe, base->first + i, &less)))
			return;
		out->x[i] = probe->cells[series->first + i].depth;
		out->y[i] = cost > less ? cost - less : 0;
	}
	snprintf(out->curve_title, sizeof(out->curve_title),
		 base ? "ticks per iteration of %s over %s" : "ticks per iteration, %s",
		 series->variant, base ? base->variant : "");
	out->curve = (struct rs_curve){
	    .title = out->curve_title,
	    .x_title = is_chain ? "calls in flight" : "enclosing frames",
	    .x = out->x,
	    .y = out->y,
	    .n = series->n,
	};
}
