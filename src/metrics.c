#include "src/metrics.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

static const char *unit_of(enum rs_meaning meaning)
{
	switch (meaning) {
	case RS_MEANING_NS:
		return "ns";
	case RS_MEANING_TICKS:
		return "ticks";
	case RS_MEANING_CYCLES:
		return "cycles";
	default:
		return "events";
	}
}

void rs_metrics_describe(const struct rs_event_list *events, struct rs_metric *metrics,
			 char (*configs)[RS_CONFIG_BYTES])
{
	for (size_t i = 0; i < events->n_events; i++) {
		const struct rs_event *const event = &events->events[i];
		snprintf(configs[i], RS_CONFIG_BYTES, "0x%" PRIx64, event->config);
		metrics[i] = (struct rs_metric){
		    .name = event->name,
		    .chosen = event->chosen,
		    .source = event->source,
		    .config = event->has_config ? configs[i] : NULL,
		    .unit = unit_of(event->meaning),
		    .status = event->status,
		    .reason = event->reason[0] ? event->reason : NULL,
		    .note = event->note[0] ? event->note : NULL,
		};
	}
}
