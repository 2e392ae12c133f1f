#include "events/resolve.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "events/set.h"
#include "src/base/text.h"

#define MAX_CANDIDATES 8

/* Fills event from a row; false when the row has no code and libpfm4 has none. */
static bool use_row(const struct rs_resolver *resolver, const struct rs_alias_row *row,
		    struct rs_event *event)
{
	const struct rs_machine *const machine = resolver->machine;
	struct rs_scope ignored = {.is_given = true};
	const char *why;
	const uint64_t config[3] = {row->code};
	if (row->kind == RS_ALIAS_EVENT) {
		const bool names_pmu = strstr(row->event, "::") != NULL;
		if ((names_pmu || *machine->pfm_pmu) &&
		    rs_resolve_pfm_in(names_pmu ? "" : machine->pfm_pmu, row->event,
				      machine, event, &ignored, &why) == 0)
			return true;
		if (!row->has_code || names_pmu)
			return false;
	}
	rs_form_set_core(event, machine, config);
	rs_text_copy(event->chosen, sizeof(event->chosen), row->event);
	return true;
}

/* A candidate that this PMU lacks gives way to the next; any other error will not. */
static bool means_next(int code)
{
	return code == -ENOENT || code == -ENODEV || code == -ENXIO ||
	       code == -EOPNOTSUPP || code == -EINVAL;
}

static void set_absent_alias(const struct rs_resolver *resolver, struct rs_event *event,
			     const struct rs_alias_row *none)
{
	event->status = RS_STATUS_NOT_SUPPORTED;
	if (none)
		snprintf(event->reason, sizeof(event->reason),
			 "event '%s' does not exist on this PMU: %s", event->name,
			 none->note);
	else
		snprintf(event->reason, sizeof(event->reason),
			 "event '%s' has no row for this PMU (%s, libpfm4 %s) in the "
			 "alias tables; add one as docs/add-an-event.md says",
			 event->name, resolver->machine->identity,
			 *resolver->machine->pfm_pmu ? resolver->machine->pfm_pmu
						     : "none");
}

void rs_resolve_alias(const struct rs_resolver *resolver, const char *alias,
		      struct rs_event *event, struct rs_scope scope)
{
	const struct rs_alias_row *rows[MAX_CANDIDATES];
	const struct rs_alias_row *stands_in[MAX_CANDIDATES];
	const struct rs_alias_row *none = NULL;
	const size_t n =
	    rs_alias_candidates(resolver->aliases, alias, resolver->machine, rows,
				stands_in, MAX_CANDIDATES, &none);
	struct rs_event first = *event;
	bool has_first = false;
	for (size_t i = 0; i < n; i++) {
		struct rs_event candidate = *event;
		if (!use_row(resolver, rows[i], &candidate))
			continue;
		const char *const note =
		    stands_in[i] ? stands_in[i]->note : rows[i]->note;
		rs_text_copy(candidate.note, sizeof(candidate.note), note);
		candidate.meaning = rs_alias_meaning(rows[i]->alias);
		rs_form_set_scope(&candidate, scope);
		uint32_t unused;
		const int ret =
		    resolver->backend
			? rs_event_probe(&candidate, resolver->backend, &unused)
			: 0;
		if (!has_first || !means_next(ret))
			first = candidate;
		has_first = true;
		if (!means_next(ret))
			break;
	}
	*event = first;
	if (!has_first)
		set_absent_alias(resolver, event, none);
}
