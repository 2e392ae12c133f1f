#ifndef SRC_CMD_H
#define SRC_CMD_H

/* What every verb of the command line shares. */

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/report.h"
#include "src/base/err.h"

/* Exit codes: docs/retstack.1 section EXIT STATUS. */
enum rs_exit {
	RS_EXIT_DONE = 0,
	RS_EXIT_FOUND = 1,      /* a check found something */
	RS_EXIT_USAGE = 2,      /* usage or input error */
	RS_EXIT_INCOMPLETE = 3, /* interrupted, output cut off, or a variant failed */
	RS_EXIT_UNMEASURABLE = 77, /* what was asked for cannot be measured here */
};

/* argv[0] is "retstack VERB", for argp's messages; each returns an exit code. */
struct rs_command {
	const char *name;
	const char *text;
	int (*run)(int argc, char **argv);
};

int rs_cmd_run(int argc, char **argv);
int rs_cmd_list(int argc, char **argv);
int rs_cmd_doctor(int argc, char **argv);
int rs_cmd_compare(int argc, char **argv);
int rs_cmd_probe(int argc, char **argv);
int rs_cmd_report(int argc, char **argv);
int rs_cmd_audit(int argc, char **argv);
int rs_cmd_verify(int argc, char **argv);
int rs_cmd_trace(int argc, char **argv);
int rs_cmd_compat(int argc, char **argv);

/* Prints "retstack: SENTENCE" to stderr and returns code. */
int rs_cmd_fail(enum rs_exit code, const struct rs_err *err);

/*
 * Flushes standard output after a writer that returned write_code, 0 for success.
 * Returns done; or says why the output is not whole and returns incomplete.
 */
enum rs_exit rs_cmd_finish(int write_code);

/*
 * The user's own folder of tables, $XDG_CONFIG_HOME/retstack, in out of size bytes;
 * NULL where there is none.
 */
const char *rs_cmd_data_dir(char *out, size_t size);

/* Width and colour of standard output as it is now. */
struct rs_style rs_cmd_style(void);

/*
 * The value of --cpu as a number below 65536; otherwise argp_error, which ends the
 * program with the usage code.
 */
unsigned int rs_cmd_take_cpu(const char *arg, struct argp_state *state);

/* A whole number from min to max; argp_error where it is not. option is "--top". */
uint64_t rs_cmd_take_number(const char *arg, const char *option, uint64_t min,
			    uint64_t max, struct argp_state *state);

/* The same in bytes; a K, M or G at the end makes them 1024 times as many, and so on.
 */
uint64_t rs_cmd_take_bytes(const char *arg, const char *option, uint64_t min,
			   uint64_t max, struct argp_state *state);

/* arg itself; argp_error where it is empty. */
const char *rs_cmd_take_text(const char *arg, const char *option,
			     struct argp_state *state);

/* Another one each time; 32 bits are enough, and few enough to type again. */
uint64_t rs_cmd_random_seed(void);

/* What a command that could not begin ends with: unmeasurable for -ENOTSUP, or usage.
 */
enum rs_exit rs_cmd_code_of(int ret);

/* What a verb prints, and so which formats it has. */
enum rs_output {
	RS_OUTPUT_RESULTS,
	RS_OUTPUT_SHEET,
	RS_OUTPUT_CHECKUP,
};

/* The value of --format; argp_error where such output has no such format. */
const struct rs_format *rs_cmd_take_format(const char *arg, enum rs_output output,
					   struct argp_state *state);

/* As rs_affinity_settle, with this process's allowed set. */
int rs_cmd_settle_cpu(unsigned int *cpu, struct rs_err *err);

#endif
