/*
 * How long does the model take of each variant of a run? Steps through every row that
 * runs here and prints milliseconds a row: the most, the mean. The aim is below 100.
 */

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "src/forecast.h"

static double now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

int main(void)
{
	static const struct rs_linkstack_rules rules = {.entries = 16, .merge = 1};
	const struct rs_selection selection = {.depths = 1U << 8, .n_placements = 1};
	struct rs_plan plan;
	struct rs_err err;
	if (rs_plan_make(&plan, rs_isa_host(), &selection, &err)) {
		fprintf(stderr, "%s\n", err.text);
		return 1;
	}
	double most = 0;
	double sum = 0;
	unsigned int n = 0;
	size_t slowest = 0;
	for (size_t i = 0; i < plan.n_cells; i++) {
		if (!rs_cell_runs(&plan.cells[i]) ||
		    plan.cells[i].role != RS_ROLE_VARIANT)
			continue;
		const struct rs_plan one = {.cells = &plan.cells[i], .n_cells = 1};
		struct rs_forecast forecast = {.reason = ""};
		const double begin = now_ms();
		if (rs_forecast_make(&one, &rules, &forecast, &err))
			return 1;
		const double took = now_ms() - begin;
		if (took > most)
			slowest = i;
		most = took > most ? took : most;
		sum += took;
		n++;
	}
	if (n)
		printf(
		    "model of a run: %u rows, %.1f ms each, at most %.1f ms (%s/%s)\n",
		    n, sum / n, most, plan.cells[slowest].workload,
		    plan.cells[slowest].variant);
	rs_plan_free(&plan);
	return 0;
}
