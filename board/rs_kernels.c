/*
 * rs-kernels: the kernels of arch/ in one static program that needs no library, for
 * machines for which the whole of retstack cannot be built.
 */

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "board/board.h"
#include "src/base/text.h"

static const struct {
	const char *name;
	const char *text;
	int (*run)(int argc, char **argv);
} verbs[] = {
    {"list", "show variants, depths, counts, and what is missing", rs_board_list},
    {"check", "call every kernel and see that it obeys its rules", rs_board_check},
    {"time", "measure ns and ticks per call, print tables", rs_board_time},
};

#define N_VERBS (sizeof(verbs) / sizeof(verbs[0]))

static void print_help(FILE *out)
{
	fputs("Usage: rs-kernels VERB [OPTION...] [ARGUMENT...]\n"
	      "List, check and time retstack's kernels on this machine.\n\n",
	      out);
	for (size_t i = 0; i < N_VERBS; i++)
		fprintf(out, "  %-10s %s\n", verbs[i].name, verbs[i].text);
	fputs("\n`rs-kernels VERB --help' describes one verb.\n"
	      "  -?, --help     give this help list\n"
	      "  -V, --version  print program version\n",
	      out);
}

static int unknown_verb(const char *name)
{
	char clip[RS_CLIP_BYTES];
	char sentence[RS_CLIP_BYTES + 64] = "";
	rs_text_append(sentence, sizeof(sentence),
		       "unknown verb '%s'; `rs-kernels --help' lists them",
		       rs_text_clip(clip, name));
	return rs_board_fail(RS_BOARD_USAGE, sentence);
}

/* At exit, because argp prints help and exits by itself: a full disk is no success. */
static void check_output(int status, void *user)
{
	(void)user;
	const bool had_failed = ferror(stdout);
	if ((fflush(stdout) == 0 && !had_failed) || status == RS_BOARD_USAGE)
		return;
	_exit(rs_board_fail(RS_BOARD_INCOMPLETE, "cannot write to standard output"));
}

int main(int argc, char **argv)
{
	argp_err_exit_status = RS_BOARD_USAGE;
	argp_program_version = "rs-kernels " RS_VERSION;
	on_exit(check_output, NULL);
	if (argc < 2) {
		print_help(stderr);
		return RS_BOARD_USAGE;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-?") == 0) {
		print_help(stdout);
		return RS_BOARD_DONE;
	}
	if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
		puts(argp_program_version);
		return RS_BOARD_DONE;
	}
	for (size_t i = 0; i < N_VERBS; i++) {
		if (strcmp(argv[1], verbs[i].name) != 0)
			continue;
		char name[32] = "rs-kernels ";
		rs_text_append(name, sizeof(name), "%s", verbs[i].name);
		argv[1] = name;
		return verbs[i].run(argc - 1, argv + 1);
	}
	return unknown_verb(argv[1]);
}
