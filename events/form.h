#ifndef EVENTS_FORM_H
#define EVENTS_FORM_H

#include <stdbool.h>
#include <stddef.h>

#include "events/events.h"
#include "events/machine.h"

/* Which modes an event's modifiers (":u", ":k", ":uk", ":u:k") ask for. */
struct rs_scope {
	bool is_given;
	bool user;
	bool kernel;
};

/* Cuts the modifiers off the end of text and returns what they say. */
struct rs_scope rs_form_cut_scope(char *text);

/* Sets the event's modes: user only where no modifier was given. */
void rs_form_set_scope(struct rs_event *event, struct rs_scope scope);

/* Makes event one of the machine's core PMU with a raw code. */
void rs_form_set_core(struct rs_event *event, const struct rs_machine *machine,
		      const uint64_t config[3]);

/*
 * The forms that are told by their spelling alone. Each returns 1 with the event
 * filled (status and reason where this machine lacks it), 0 when text has another form,
 * or a negative errno with a sentence in err. text has no modifiers any more.
 */
int rs_form_raw(const char *text, const struct rs_machine *machine,
		struct rs_event *event, struct rs_err *err);
int rs_form_breakpoint(const char *text, struct rs_event *event, struct rs_err *err);
/* reads_sysfs false (replay): the terms stay unresolved. */
int rs_form_pmu(const char *text, const struct rs_machine *machine, bool reads_sysfs,
		struct rs_event *event, struct rs_err *err);

#endif
