#ifndef SRC_STOPPER_H
#define SRC_STOPPER_H

#include <stdbool.h>
#include <stdint.h>

/* What ends a run early: SIGINT, SIGTERM, SIGHUP, or a time limit. One per process. */

/* Catches the signals until rs_stopper_end; max_time_s of 0 means no limit. */
void rs_stopper_begin(double max_time_s);
void rs_stopper_end(void);

/*
 * NULL while the run may go on, else why it must end: "interrupted by SIGINT",
 * "--max-time 2.5 s is over". Static storage.
 */
const char *rs_stopper_reason(void);

/* How many of the signals came; a second one means: at once. */
unsigned int rs_stopper_n_signals(void);

/* CLOCK_MONOTONIC in ns. */
uint64_t rs_now_ns(void);

#endif
