#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/rowset.h"
#include "report/lookup.h"
#include "src/base/text.h"

/* What a status means when nobody wrote a reason. */
static const char *const status_texts[RS_N_STATUS] = {
    [RS_STATUS_OK] = "",
    [RS_STATUS_NOT_SUPPORTED] = "this machine does not have it",
    [RS_STATUS_NOT_PERMITTED] = "this process may not count it",
    [RS_STATUS_NOT_COUNTED] = "it was enabled, but never ran",
    [RS_STATUS_MULTIPLEXED] =
	"it ran part of the time only, and no extrapolated value is shown",
    [RS_STATUS_FAILED] = "it could not be opened or read",
    [RS_STATUS_UNTRUSTED] =
	"what it counted contradicts what the code is known to execute",
};

static const char *metric_reason(const struct rs_metric *metric)
{
	return metric->reason ? metric->reason : status_texts[metric->status];
}

/* Names that share a text are told together, by the first of them. */
static void append_name(char *names, size_t size, const char *name)
{
	rs_text_append(names, size, "%s%s", *names ? ", " : "", name);
}

#define NAMES_BYTES 4096

static const char *metric_cause(const struct rs_metric *metric)
{
	return rs_cause_of(metric_reason(metric), metric->name);
}

static bool is_unmeasured_alike(const struct rs_metric *a, const struct rs_metric *b)
{
	return a->status != RS_STATUS_OK && a->status == b->status &&
	       strcmp(metric_cause(a), metric_cause(b)) == 0;
}

static bool is_told(const struct rs_results *results, size_t metric)
{
	for (size_t i = 0; i < metric; i++) {
		if (is_unmeasured_alike(&results->metrics[i],
					&results->metrics[metric]))
			return true;
	}
	return false;
}

static void put_unmeasured(const struct rs_results *results, struct rs_sink *sink,
			   size_t width)
{
	for (size_t i = 0; i < results->n_metrics; i++) {
		const struct rs_metric *const first = &results->metrics[i];
		if (first->status == RS_STATUS_OK || is_told(results, i))
			continue;
		char names[NAMES_BYTES] = "";
		size_t n = 0;
		for (size_t j = i; j < results->n_metrics; j++) {
			if (!is_unmeasured_alike(&results->metrics[j], first))
				continue;
			append_name(names, sizeof(names), results->metrics[j].name);
			n++;
		}
		if (n == 1)
			rs_sink_wrapf(sink, width, "- %s: %s", names,
				      metric_reason(first));
		else
			rs_sink_wrapf(sink, width, "- %s: %s", names,
				      metric_cause(first));
	}
}

/* A partial row without one has said itself why nothing of it was counted. */
static bool has_kept_repetition(const struct rs_results *results, size_t row)
{
	for (size_t i = 0; i < results->n_repetitions; i++) {
		if (results->repetitions[i].row == row &&
		    !results->repetitions[i].rejected)
			return true;
	}
	return false;
}

/* Timed rows in which a metric that can be counted here has this status. */
static size_t count_rows(const struct rs_results *results,
			 const struct rs_metric *metric, enum rs_status status)
{
	size_t n = 0;
	for (size_t i = 0; i < results->n_rows; i++) {
		const struct rs_row *const row = &results->rows[i];
		if (row->role != RS_ROLE_VARIANT || !rs_row_is_timed(row))
			continue;
		if (row->state == RS_ROW_PARTIAL && !has_kept_repetition(results, i))
			continue;
		const struct rs_summary *const summary =
		    rs_summary_find(results, i, metric->name);
		n += summary && summary->status == status;
	}
	return n;
}

static void put_gaps(const struct rs_results *results, struct rs_sink *sink,
		     size_t width)
{
	for (size_t i = 0; i < results->n_metrics; i++) {
		const struct rs_metric *const metric = &results->metrics[i];
		if (metric->status != RS_STATUS_OK)
			continue;
		for (unsigned int status = 1; status < RS_N_STATUS; status++) {
			const size_t n = count_rows(results, metric, status);
			if (n > 0)
				rs_sink_wrapf(sink, width, "- %s in %zu row%s: %s: %s",
					      metric->name, n, n == 1 ? "" : "s",
					      rs_status_name(status),
					      status_texts[status]);
		}
	}
}

/* Clocks are what their names say; every other event became one of this machine. */
static void put_chosen(const struct rs_results *results, struct rs_sink *sink,
		       size_t width)
{
	for (size_t i = 0; i < results->n_metrics; i++) {
		const struct rs_metric *const metric = &results->metrics[i];
		const bool has_note = metric->note && *metric->note;
		if (metric->status != RS_STATUS_OK || (!metric->config && !has_note))
			continue;
		const bool is_other =
		    metric->chosen && strcmp(metric->chosen, metric->name) != 0;
		rs_sink_wrapf(sink, width, "%s%s%s (%s%s%s)%s%s", metric->name,
			      is_other ? ": " : "", is_other ? metric->chosen : "",
			      metric->source ? metric->source : "unknown source",
			      metric->config ? " " : "",
			      metric->config ? metric->config : "",
			      has_note ? ": " : "", has_note ? metric->note : "");
	}
}

static const char *why_chosen(const char *chosen_by)
{
	if (rs_text_same(chosen_by, "cpu"))
		return "this CPU's";
	if (rs_text_same(chosen_by, "option"))
		return "as asked for";
	return "for want of one for this CPU";
}

/* Only where some row has a number of the model's. */
static void put_preset(const struct rs_results *results, struct rs_sink *sink,
		       size_t width)
{
	const struct rs_preset *const preset = &results->preset;
	bool has_model = false;
	for (size_t i = 0; i < results->n_rows && !has_model; i++)
		has_model = rs_row_model(results, i).known;
	if (!has_model || !preset->name)
		return;
	rs_sink_wrapf(sink, width,
		      "model: mispredicts per call of a link stack of %" PRIu32
		      " entries, overflow %s, underflow %s: preset %s (%s), %s%s%s",
		      preset->entries, preset->overflow, preset->underflow,
		      preset->name, why_chosen(preset->chosen_by), preset->text,
		      preset->note ? "; " : "", preset->note ? preset->note : "");
}

static size_t count_rejected(const struct rs_results *results, const char *why)
{
	size_t n = 0;
	for (size_t i = 0; i < results->n_repetitions; i++)
		n += rs_text_same(results->repetitions[i].rejected, why);
	return n;
}

static bool is_first_rejection(const struct rs_results *results, size_t repetition)
{
	const char *const why = results->repetitions[repetition].rejected;
	for (size_t i = 0; why && i < repetition; i++) {
		if (rs_text_same(results->repetitions[i].rejected, why))
			return false;
	}
	return why != NULL;
}

static void put_rejected(const struct rs_results *results, struct rs_sink *sink,
			 size_t width)
{
	const size_t n = results->n_repetitions;
	const size_t n_rejected = n - count_rejected(results, NULL);
	if (n == 0)
		return;
	if (n_rejected == 0) {
		rs_sink_wrapf(sink, width, "none of %zu repetitions rejected", n);
		return;
	}
	char text[NAMES_BYTES] = "";
	for (size_t i = 0; i < n; i++) {
		const char *const why = results->repetitions[i].rejected;
		if (is_first_rejection(results, i))
			rs_text_append(text, sizeof(text), "%s%zu %s",
				       *text ? ", " : "", count_rejected(results, why),
				       why);
	}
	rs_sink_wrapf(sink, width, "%zu of %zu repetitions rejected and repeated: %s",
		      n_rejected, n, text);
}

static void put_partial(const struct rs_results *results, struct rs_sink *sink,
			size_t width)
{
	if (!results->is_partial)
		return;
	const char *const why = results->partial_reason;
	rs_sink_wrapf(sink, width, "partial: %s; what was measured until then is above",
		      why ? why : "the run ended early");
}

static const char *fact(const struct rs_results *results, const char *name)
{
	for (size_t i = 0; i < results->n_facts; i++) {
		const struct rs_fact *const found = &results->facts[i];
		if (strcmp(found->name, name) == 0 && found->value)
			return found->value;
	}
	return "unknown";
}

/* Where and how the numbers were made: enough to make them again. */
static void put_origin(const struct rs_results *results, struct rs_sink *sink,
		       size_t width)
{
	const bool is_replay = results->settings.replay != NULL;
	if (is_replay)
		rs_sink_wrapf(sink, width, "seed %" PRIu64, results->settings.seed);
	else
		rs_sink_wrapf(sink, width,
			      "seed %" PRIu64 "; %s, hypervisor %s, Linux %s, clock "
			      "source %s",
			      results->settings.seed, fact(results, "cpu_model"),
			      fact(results, "hypervisor"),
			      fact(results, "kernel_release"),
			      fact(results, "clocksource"));
}

void rs_put_footnotes(const struct rs_results *results, struct rs_sink *sink,
		      size_t width)
{
	put_unmeasured(results, sink, width);
	put_gaps(results, sink, width);
	put_chosen(results, sink, width);
	put_preset(results, sink, width);
	put_rejected(results, sink, width);
	if (results->settings.replay)
		rs_sink_wrapf(sink, width, "played from %s, not measured here",
			      results->settings.replay);
	for (size_t i = 0; i < results->n_notes; i++)
		rs_sink_wrapf(sink, width, "%s", results->notes[i]);
	put_origin(results, sink, width);
	put_partial(results, sink, width);
}
