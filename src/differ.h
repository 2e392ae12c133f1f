#ifndef SRC_DIFFER_H
#define SRC_DIFFER_H

/* What keeps the numbers of two files from being about the code alone. */

#include <stdbool.h>
#include <stddef.h>

#include "src/load.h"

/* The worst that a differing fact does. */
enum rs_differ {
	RS_DIFFER_NOTE,    /* tell the reader */
	RS_DIFFER_TICKS,   /* ticks mean something else */
	RS_DIFFER_VDSO,    /* the vDSO takes another path */
	RS_DIFFER_MACHINE, /* nothing is comparable */
	RS_N_DIFFER
};

/*
 * Calls tell for each fact that both files know and that differs. With has_facts false
 * in either file it is called not at all.
 */
void rs_differ_facts(const struct rs_loaded *base, const struct rs_loaded *file,
		     void (*tell)(void *user, enum rs_differ, const char *name,
				  const char *base_value, const char *value),
		     void *user);

/* The two metrics count the same thing in the same way, as far as the files tell. */
bool rs_differ_is_same_event(const struct rs_metric *a, const struct rs_metric *b);

#endif
