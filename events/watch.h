#ifndef EVENTS_WATCH_H
#define EVENTS_WATCH_H

#include "events/events.h"

/* The watch that needs no permission, whatever perf allows. */
int rs_watch_open_rusage(struct rs_watch **out, const struct rs_backend *backend,
			 struct rs_err *err);

#endif
