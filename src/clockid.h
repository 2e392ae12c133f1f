#ifndef SRC_CLOCKID_H
#define SRC_CLOCKID_H

/* A clock id of clock_gettime(2), by the name used in selections. */
struct rs_clock {
	const char *name; /* "monotonic_raw"; NULL ends the list */
	int id;
};

/* Every clock id of Linux that has a name, in the order in which they are listed. */
const struct rs_clock *rs_clocks(void);

/*
 * Accepts "monotonic", "CLOCK_MONOTONIC" (both in any case) and "1"; NULL for what is
 * none of them.
 */
const struct rs_clock *rs_clock_find(const char *text);

#endif
