#include "src/run_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *chosen_by(const struct rs_run *run,
			     const struct rs_predictor *preset)
{
	if (run->request->preset)
		return "option";
	return rs_predictor_is_default(preset) ? "default" : "cpu";
}

int rs_run_choose_preset(struct rs_run *run, unsigned int cpu, struct rs_err *err)
{
	const char *const name = run->request->preset;
	int ret = rs_predictors_load(&run->predictors, run->request->data_dir, err);
	if (ret)
		return ret;
	char identity[RS_IDENTITY_BYTES];
	rs_cpu_identity(run->backend, cpu, identity);
	const struct rs_predictor *const preset =
	    name ? rs_predictors_find(&run->predictors, name, err)
		 : rs_predictors_choose(&run->predictors, identity);
	if (!preset)
		return -EINVAL;
	run->rules = &preset->rules;
	run->results.preset = (struct rs_preset){
	    .name = preset->name,
	    .chosen_by = chosen_by(run, preset),
	    .text = preset->text,
	    .source = preset->source,
	    .note = preset->note,
	    .entries = preset->rules.entries,
	    .overflow = rs_overflow_name(preset->rules.overflow),
	    .underflow = rs_underflow_name(preset->rules.underflow),
	};
	return 0;
}

int rs_run_forecast(struct rs_run *run, struct rs_err *err)
{
	run->forecasts = calloc(run->plan.n_cells + 1, sizeof(*run->forecasts));
	if (!run->forecasts)
		return rs_err_set(err, -ENOMEM, "not enough memory to model the run");
	return rs_forecast_make(&run->plan, run->rules, run->forecasts, err);
}

/* Each summary of a row has the model's value; the counted one is beside it in one. */
void rs_run_add_forecast(struct rs_run *run)
{
	struct rs_results *const results = &run->results;
	for (size_t i = 0; i < results->n_rows; i++) {
		const char *const reason = run->forecasts[i].reason;
		results->rows[i].model_reason = reason[0] ? reason : NULL;
	}
	for (size_t i = 0; i < results->n_summaries; i++) {
		struct rs_summary *const summary = &results->summaries[i];
		struct rs_row *const row = &results->rows[summary->row];
		const struct rs_maybe model = run->forecasts[summary->row].mispredicts;
		summary->model = model;
		if (strcmp(summary->metric, "return-misses") == 0 &&
		    summary->status == RS_STATUS_OK)
			row->model_verdict =
			    rs_forecast_verdict(&model, &summary->median);
	}
}

void rs_run_free_forecast(struct rs_run *run)
{
	free(run->forecasts);
	rs_predictors_free(&run->predictors);
}
