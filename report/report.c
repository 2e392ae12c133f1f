#include "report/report.h"

#include <string.h>

#include "report/writers.h"

static const struct rs_format formats[] = {
    {
	.name = "text",
	.text = "tables for people",
	.results = rs_text_results,
	.sheet = rs_text_sheet,
	.checkup = rs_text_checkup,
    },
    {
	.name = "csv",
	.text = "every reading, one per line",
	.results = rs_csv_results,
	.sheet = rs_csv_sheet,
	.checkup = rs_csv_checkup,
    },
    {
	.name = "summary-csv",
	.text = "one line per workload, variant, depth and metric",
	.results = rs_summary_csv_results,
    },
    {
	.name = "json",
	.text = "one document with host, settings, events, summaries and readings",
	.results = rs_json_results,
	.sheet = rs_json_sheet,
	.checkup = rs_json_checkup,
    },
    {
	.name = "tap",
	.text = "Test Anything Protocol, of checks",
	.checkup = rs_tap_checkup,
    },
    {0},
};

const struct rs_format *rs_formats(void)
{
	return formats;
}

const struct rs_format *rs_format_find(const char *name)
{
	for (const struct rs_format *format = formats; format->name; format++) {
		if (strcmp(format->name, name) == 0)
			return format;
	}
	return NULL;
}
