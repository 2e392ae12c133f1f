#include "src/load_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ROWS    10000
#define MAX_METRICS 256

static bool is_same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Makes room for one more element of size bytes in *array. */
static int grow(void **array, size_t n, size_t *capacity, size_t size)
{
	if (n < *capacity)
		return 0;
	const size_t wanted = *capacity ? 2 * *capacity : 16;
	void *const larger = reallocarray(*array, wanted, size);
	if (!larger)
		return -ENOMEM;
	*array = larger;
	*capacity = wanted;
	return 0;
}

int rs_loading_text(struct rs_loading *loading, const char *text, const char **copy)
{
	struct rs_loaded *const out = loading->out;
	*copy = NULL;
	if (!text)
		return 0;
	void *array = out->texts;
	const int ret =
	    grow(&array, out->n_texts, &loading->text_capacity, sizeof(*out->texts));
	out->texts = array;
	if (ret)
		return ret;
	char *const kept = strdup(text);
	if (!kept)
		return -ENOMEM;
	out->texts[out->n_texts++] = kept;
	*copy = kept;
	return 0;
}

static bool is_row(const struct rs_row *row, const struct rs_row *key)
{
	return row->depth == key->depth && is_same(row->variant, key->variant) &&
	       is_same(row->workload, key->workload);
}

static int add_row(struct rs_loading *loading, const struct rs_row *key)
{
	struct rs_results *const results = &loading->out->results;
	void *array = results->rows;
	int ret = results->n_rows == MAX_ROWS ? -E2BIG : 0;
	if (!ret)
		ret = grow(&array, results->n_rows, &loading->row_capacity,
			   sizeof(*results->rows));
	results->rows = array;
	if (ret)
		return ret;
	struct rs_row row = *key;
	const struct {
		const char *from;
		const char **to;
	} texts[] = {
	    {key->workload, &row.workload},
	    {key->variant, &row.variant},
	    {key->effect, &row.effect},
	    {key->reason, &row.reason},
	    {key->note, &row.note},
	    {key->baseline, &row.baseline},
	    {key->model_reason, &row.model_reason},
	    {key->model_verdict, &row.model_verdict},
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]) && !ret; i++)
		ret = rs_loading_text(loading, texts[i].from, texts[i].to);
	if (!ret)
		results->rows[results->n_rows++] = row;
	return ret;
}

int rs_loading_row(struct rs_loading *loading, const struct rs_row *key, size_t *index)
{
	const struct rs_results *const results = &loading->out->results;
	/* Lines of a row mostly follow one another. */
	for (size_t i = results->n_rows; i-- > 0;) {
		*index = i;
		if (is_row(&results->rows[i], key))
			return 0;
	}
	*index = results->n_rows;
	return add_row(loading, key);
}

static int add_metric(struct rs_loading *loading, const struct rs_metric *key)
{
	struct rs_results *const results = &loading->out->results;
	void *array = results->metrics;
	int ret = results->n_metrics == MAX_METRICS ? -E2BIG : 0;
	if (!ret)
		ret = grow(&array, results->n_metrics, &loading->metric_capacity,
			   sizeof(*results->metrics));
	results->metrics = array;
	if (ret)
		return ret;
	struct rs_metric metric = *key;
	const struct {
		const char *from;
		const char **to;
	} texts[] = {
	    {key->name, &metric.name},     {key->chosen, &metric.chosen},
	    {key->source, &metric.source}, {key->config, &metric.config},
	    {key->unit, &metric.unit},     {key->reason, &metric.reason},
	    {key->note, &metric.note},
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]) && !ret; i++)
		ret = rs_loading_text(loading, texts[i].from, texts[i].to);
	if (!ret)
		results->metrics[results->n_metrics++] = metric;
	return ret;
}

int rs_loading_metric(struct rs_loading *loading, const struct rs_metric *key,
		      size_t *index)
{
	const struct rs_results *const results = &loading->out->results;
	for (size_t i = 0; i < results->n_metrics; i++) {
		*index = i;
		if (is_same(results->metrics[i].name, key->name))
			return 0;
	}
	*index = results->n_metrics;
	return add_metric(loading, key);
}

int rs_loading_summary(struct rs_loading *loading, const struct rs_summary *summary)
{
	struct rs_results *const results = &loading->out->results;
	void *array = results->summaries;
	const int ret = grow(&array, results->n_summaries, &loading->summary_capacity,
			     sizeof(*results->summaries));
	results->summaries = array;
	if (!ret)
		results->summaries[results->n_summaries++] = *summary;
	return ret;
}

int rs_loading_observe(struct rs_loading *loading,
		       const struct rs_observation *observation)
{
	void *array = loading->observations;
	const int ret =
	    grow(&array, loading->n_observations, &loading->observation_capacity,
		 sizeof(*loading->observations));
	loading->observations = array;
	if (ret)
		return ret;
	loading->observations[loading->n_observations] = *observation;
	loading->observations[loading->n_observations].sequence =
	    loading->n_observations;
	loading->n_observations++;
	return 0;
}

enum rs_row_role rs_role_of_variant(const char *variant)
{
	static const char again[] = " again";
	const size_t n = strlen(variant);
	if (strcmp(variant, "empty") == 0)
		return RS_ROLE_EMPTY;
	if (n > sizeof(again) - 1 &&
	    strcmp(variant + n - (sizeof(again) - 1), again) == 0)
		return RS_ROLE_CONTROL;
	return RS_ROLE_VARIANT;
}

int rs_status_parse(const char *word, enum rs_status *status)
{
	for (int i = 0; i < RS_N_STATUS; i++) {
		*status = (enum rs_status)i;
		if (strcmp(word, rs_status_name(*status)) == 0)
			return 0;
	}
	return -EINVAL;
}
