/*
 * Lists of event names, as they come from the command line: resolved for two made-up
 * machines without opening an event or reading this machine's files.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "events/resolve.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct rs_machine machines[] = {
    {.identity = "/"},
    {.identity = "GenuineIntel-6-97/cpu_atom",
     .pfm_pmu = "skl",
     .has_pmu = true,
     .is_hybrid = true,
     .pmu = {.name = "cpu_atom", .type = 10, .cpus = "0-3", .is_core = true}},
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct rs_alias_table *aliases;
	static struct rs_event_list list;
	struct rs_err err;
	if (!aliases && rs_alias_table_load(NULL, &aliases, &err))
		abort();
	char *const text = malloc(size + 1);
	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		const struct rs_resolver resolver = {.aliases = aliases,
						     .machine = &machines[i]};
		list.n_events = 0;
		err.text[0] = '\0';
		const int ret = rs_event_list_parse(&list, text, &resolver, &err);
		if ((ret < 0) != (err.text[0] != '\0') ||
		    (ret < 0) != (list.n_events == 0))
			abort();
	}
	free(text);
	return 0;
}
