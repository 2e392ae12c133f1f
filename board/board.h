#ifndef BOARD_BOARD_H
#define BOARD_BOARD_H

/* The verbs of rs-kernels. */

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"

/* Exit codes: those of retstack. */
enum rs_board_exit {
	RS_BOARD_DONE = 0,
	RS_BOARD_FOUND = 1, /* a check found something */
	RS_BOARD_USAGE = 2,
	RS_BOARD_INCOMPLETE = 3,    /* interrupted, or output cut off */
	RS_BOARD_UNMEASURABLE = 77, /* there are no kernels here */
};

/* argv[0] is "rs-kernels VERB", for argp's messages; each returns an exit code. */
int rs_board_list(int argc, char **argv);
int rs_board_check(int argc, char **argv);
int rs_board_time(int argc, char **argv);

/* Prints "rs-kernels: SENTENCE" to stderr and returns code. */
int rs_board_fail(enum rs_board_exit code, const char *sentence);

/* The value of --OPTION; otherwise argp_error, which ends the program. */
uint64_t rs_board_number(const char *arg, const char *option, uint64_t min,
			 uint64_t max, struct argp_state *state);

/*
 * Runs every kernel of isa, at every depth, in place and as copies, through the checked
 * call. Prints a line for each that is wrong. Returns how many variants were.
 */
unsigned int rs_board_check_isa(const struct rs_isa *isa);

#endif
