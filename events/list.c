#include "events/events.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/backend.h"
#include "events/resolve.h"
#include "src/base/text.h"

/* Where the element that starts at text ends; NULL with a sentence when it does not. */
static const char *element_end(const char *text, struct rs_err *err)
{
	/* The slash of "mem:ADDR/LENGTH" opens nothing. */
	const bool has_slashes = strncmp(text, "mem:", 4) != 0;
	bool in_slashes = false;
	int depth = 0;
	const char *c = text;
	for (; *c && (*c != ',' || in_slashes || depth > 0); c++) {
		if (*c == '/' && has_slashes)
			in_slashes = !in_slashes;
		depth += *c == '{';
		depth -= *c == '}';
		if (depth < 0)
			break;
	}
	if (!in_slashes && depth == 0)
		return c;
	char clip[RS_CLIP_BYTES];
	rs_err_set(err, -EINVAL, "event '%s': %s without its partner",
		   rs_text_clip(clip, text), in_slashes ? "a slash" : "a brace");
	return NULL;
}

static bool is_clock_name(const char *name)
{
	return strcmp(name, "ns") == 0 || strcmp(name, "ticks") == 0;
}

static bool is_listed(const struct rs_event_list *list, const char *name)
{
	for (size_t i = 0; i < list->n_events; i++)
		if (strcmp(list->events[i].name, name) == 0)
			return true;
	return false;
}

static bool is_printable(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text <= ' ' || (unsigned char)*text >= 127)
			return false;
	return true;
}

static int check_name(const struct rs_event_list *list, const char *name, size_t length,
		      struct rs_err *err)
{
	char clip[RS_CLIP_BYTES];
	if (length == 0)
		return rs_err_set(err, -EINVAL,
				  "an empty event name in the list: two commas in a "
				  "row, or one at an end");
	if (length >= RS_EVENT_TEXT)
		return rs_err_set(err, -EINVAL,
				  "event '%s' has %zu characters; at most %d are "
				  "allowed",
				  rs_text_clip(clip, name), length, RS_EVENT_TEXT - 1);
	if (!is_printable(name))
		return rs_err_set(err, -EINVAL,
				  "event '%s' holds blanks, control or non-ASCII "
				  "characters",
				  rs_text_clip(clip, name));
	if (strpbrk(name, "{}"))
		return rs_err_set(
		    err, -EINVAL,
		    "event '%s': groups are formed automatically; leave the "
		    "braces out",
		    name);
	if (is_listed(list, name) && !is_clock_name(name))
		return rs_err_set(err, -EINVAL, "event '%s' is given twice", name);
	if (list->n_events == RS_MAX_EVENTS)
		return rs_err_set(err, -E2BIG,
				  "more than %d events; leave '%s' and later ones out",
				  RS_MAX_EVENTS - 2, name);
	return 0;
}

static int add_one(struct rs_event_list *list, const char *start, size_t length,
		   const struct rs_resolver *resolver, struct rs_err *err)
{
	while (length > 0 && isspace((unsigned char)*start)) {
		start++;
		length--;
	}
	while (length > 0 && isspace((unsigned char)start[length - 1]))
		length--;
	char name[RS_EVENT_TEXT];
	snprintf(name, sizeof(name), "%.*s", (int)(length < 4096 ? length : 4096),
		 start);
	int ret = check_name(list, name, length, err);
	if (ret || is_clock_name(name))
		return ret;
	ret = rs_resolve(resolver, name, &list->events[list->n_events], err);
	if (ret == 0)
		list->n_events++;
	return ret;
}

static void add_clocks(struct rs_event_list *list, bool has_ticks)
{
	if (list->n_events > 0)
		return;
	list->events[0] = (struct rs_event){.name = "ns",
					    .chosen = "CLOCK_MONOTONIC_RAW",
					    .source = "clock",
					    .meaning = RS_MEANING_NS};
	list->events[1] = (struct rs_event){.name = "ticks",
					    .chosen = "tick counter",
					    .source = "clock",
					    .meaning = RS_MEANING_TICKS};
	if (!has_ticks) {
		list->events[1].status = RS_STATUS_NOT_SUPPORTED;
		rs_text_copy(list->events[1].reason, sizeof(list->events[1].reason),
			     "this architecture has no tick counter that user mode may "
			     "read");
	}
	list->n_events = 2;
}

int rs_event_list_parse(struct rs_event_list *list, const char *text,
			const struct rs_resolver *resolver, struct rs_err *err)
{
	const size_t n_before = list->n_events;
	const bool has_ticks = !resolver->backend || resolver->backend->tick_clock ||
			       resolver->backend->replay;
	add_clocks(list, has_ticks);
	text += strspn(text, " \t\n");
	int ret = 0;
	if (!*text)
		ret = rs_err_set(err, -EINVAL,
				 "the list of events is empty; name some, or leave the "
				 "option out for the default");
	while (ret == 0) {
		const char *const end = element_end(text, err);
		ret = end ? add_one(list, text, (size_t)(end - text), resolver, err)
			  : -EINVAL;
		if (ret || !*end)
			break;
		text = end + 1;
	}
	if (ret)
		list->n_events = n_before;
	return ret;
}

int rs_event_list_add(struct rs_event_list *list, const char *text,
		      const struct rs_alias_table *aliases,
		      const struct rs_backend *backend, unsigned int cpu,
		      struct rs_err *err)
{
	struct rs_machine machine;
	rs_machine_read(&machine, aliases, backend, cpu);
	const struct rs_resolver resolver = {
	    .aliases = aliases,
	    .machine = &machine,
	    .backend = backend,
	    .reads_sysfs = !backend->replay,
	};
	return rs_event_list_parse(list, text, &resolver, err);
}

int rs_event_list_add_all_aliases(struct rs_event_list *list,
				  const struct rs_alias_table *aliases,
				  const struct rs_backend *backend, unsigned int cpu,
				  struct rs_err *err)
{
	const char **const names = rs_alias_names(aliases);
	if (!names)
		return rs_err_set(err, -ENOMEM,
				  "not enough memory to list the aliases");
	int ret = 0;
	for (size_t i = 0; ret == 0 && names[i]; i++)
		if (!is_listed(list, names[i]))
			ret = rs_event_list_add(list, names[i], aliases, backend, cpu,
						err);
	free(names);
	return ret;
}
