#ifndef SRC_METRICS_H
#define SRC_METRICS_H

#include "events/events.h"
#include "src/model.h"

#define RS_CONFIG_BYTES 24

/*
 * Describes the events of a list as report/ knows them; both arrays have an element
 * each. The strings belong to the list and to configs.
 */
void rs_metrics_describe(const struct rs_event_list *events, struct rs_metric *metrics,
			 char (*configs)[RS_CONFIG_BYTES]);

#endif
