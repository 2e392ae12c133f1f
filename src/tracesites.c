#include "src/tracesites.h"

#include <errno.h>
#include <stdlib.h>

#define N_SLOTS (2 * RS_TRACESITES_MAX) /* a power of 2, at most half full */

static const char *const kind_names[] = {
    [RS_TRACE_PUSH_WITHOUT_POP] = "push-without-pop",
    [RS_TRACE_POP_WITHOUT_PUSH] = "pop-without-push",
    [RS_TRACE_DISPLACED] = "displaced",
    [RS_TRACE_OVERFLOW] = "overflow",
    [RS_TRACE_UNDERFLOW] = "underflow",
};

const char *rs_trace_kind_name(enum rs_trace_kind kind)
{
	return kind < RS_N_TRACE_KIND ? kind_names[kind] : NULL;
}

int rs_tracesites_open(struct rs_tracesites *out, uint32_t max_sites)
{
	*out = (struct rs_tracesites){
	    .sites = calloc(max_sites, sizeof(*out->sites)),
	    .slots = calloc(N_SLOTS, sizeof(*out->slots)),
	    .n_sites = 1,
	    .max_sites = max_sites,
	};
	if (out->sites && out->slots)
		return 0;
	rs_tracesites_close(out);
	return -ENOMEM;
}

void rs_tracesites_close(struct rs_tracesites *table)
{
	free(table->sites);
	free(table->slots);
	*table = (struct rs_tracesites){.sites = NULL};
}

/* Multiplies by 2^64 over the golden ratio, whose high bits depend on all bits. */
static uint32_t slot_of(uint32_t image, uint64_t offset)
{
	const uint64_t mixed =
	    (offset ^ (uint64_t)image << 48) * UINT64_C(0x9e3779b97f4a7c15);
	return (uint32_t)(mixed >> 40) % N_SLOTS;
}

uint32_t rs_tracesites_find(struct rs_tracesites *table, uint32_t image,
			    uint64_t offset)
{
	uint32_t slot = slot_of(image, offset);
	for (; table->slots[slot]; slot = (slot + 1) % N_SLOTS) {
		const struct rs_trace_site *const site =
		    &table->sites[table->slots[slot]];
		if (site->image == image && site->offset == offset)
			return table->slots[slot];
	}
	if (table->n_sites == table->max_sites)
		return RS_TRACESITES_OTHERS;
	table->slots[slot] = table->n_sites;
	table->sites[table->n_sites] =
	    (struct rs_trace_site){.image = image, .offset = offset};
	return table->n_sites++;
}
