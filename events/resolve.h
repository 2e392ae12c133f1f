#ifndef EVENTS_RESOLVE_H
#define EVENTS_RESOLVE_H

#include "events/alias.h"
#include "events/backend.h"
#include "events/events.h"
#include "events/form.h"
#include "events/machine.h"

/* What one event name is resolved against. */
struct rs_resolver {
	const struct rs_alias_table *aliases;
	const struct rs_machine *machine;
	/*
	 * Tries the candidates of aliases, and every event in the end; NULL: nothing
	 * is opened and the first candidate is taken, as when only syntax matters.
	 */
	const struct rs_backend *backend;
	bool reads_sysfs; /* false: names do not depend on this machine's sysfs */
};

/*
 * Resolves one name, trimmed and without commas outside slashes. Returns 0 with the
 * event filled, or -EINVAL with the sentence in err.
 */
int rs_resolve(const struct rs_resolver *resolver, const char *name,
	       struct rs_event *event, struct rs_err *err);

/*
 * Looks text up in one table of libpfm4 ("" for a text that names its own) and fills
 * event. *scope becomes what libpfm4's attributes (":k=1") ask for, unless modifiers
 * were given. Returns 0 or a negative errno with libpfm4's words in *why.
 */
int rs_resolve_pfm_in(const char *pmu, const char *text,
		      const struct rs_machine *machine, struct rs_event *event,
		      struct rs_scope *scope, const char **why);

/* Fills event with the best candidate of an alias, or with why there is none. */
void rs_resolve_alias(const struct rs_resolver *resolver, const char *alias,
		      struct rs_event *event, struct rs_scope scope);

/*
 * rs_event_list_add without the backend: what the fuzz target and the syntax tests
 * call.
 */
int rs_event_list_parse(struct rs_event_list *list, const char *text,
			const struct rs_resolver *resolver, struct rs_err *err);

#endif
