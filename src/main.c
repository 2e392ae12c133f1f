#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/text.h"
#include "src/cmd.h"

static const struct rs_command commands[] = {
    {"run", "loop workloads and variants, count, print tables", rs_cmd_run},
    {"list", "show workloads, variants, events, PMUs, vDSO functions", rs_cmd_list},
    {"doctor", "tell what can be counted here, what cannot, and why", rs_cmd_doctor},
    {"compare", "tell what changed between result files, and whether it is real",
     rs_cmd_compare},
    {"probe", "find out how deep the link stack is", rs_cmd_probe},
    {"report", "make one HTML page of result files", rs_cmd_report},
    {"trace", "run a command under the link-stack model, name unbalanced calls",
     rs_cmd_trace},
    {"verify", "check the vDSO's functions against the system calls", rs_cmd_verify},
    {"compat", "run a well-known benchmark and print its exact lines", rs_cmd_compat},
    {"audit", "look for instructions that unbalance the link stack", rs_cmd_audit},
    {0},
};

static void print_help(FILE *out)
{
	fputs("Usage: retstack VERB [OPTION...] [ARGUMENT...]\n"
	      "Measure, model and audit how code uses the processor's link stack.\n\n",
	      out);
	for (const struct rs_command *command = commands; command->name; command++)
		fprintf(out, "  %-10s %s\n", command->name, command->text);
	fputs("\n`retstack VERB --help' describes one verb.\n"
	      "  -?, --help     give this help list\n"
	      "  -V, --version  print program version\n",
	      out);
}

static const struct rs_command *find_command(const char *name)
{
	for (const struct rs_command *command = commands; command->name; command++) {
		if (strcmp(command->name, name) == 0)
			return command;
	}
	return NULL;
}

static int unknown_verb(const char *name)
{
	const char *names[sizeof(commands) / sizeof(commands[0])];
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		names[i] = commands[i].name;
	char clip[RS_CLIP_BYTES];
	struct rs_err err;
	rs_err_set(&err, -EINVAL, "unknown verb '%s'", rs_text_clip(clip, name));
	const char *const nearest = rs_text_nearest(name, names);
	if (nearest)
		rs_text_append(err.text, sizeof(err.text), "; did you mean '%s'?",
			       nearest);
	else
		rs_text_append(err.text, sizeof(err.text),
			       "; `retstack --help' lists them");
	return rs_cmd_fail(RS_EXIT_USAGE, &err);
}

static bool is_option(const char *arg, const char *brief, const char *full)
{
	return strcmp(arg, brief) == 0 || strcmp(arg, full) == 0;
}

/*
 * Runs at exit, because argp prints help and version and exits by itself: output that
 * did not arrive must not look like success.
 */
static void check_output(int status, void *user)
{
	(void)user;
	errno = 0;
	const bool had_failed = ferror(stdout);
	if (fflush(stdout) == 0 && !had_failed)
		return;
	if (status != RS_EXIT_DONE)
		return;
	struct rs_err err;
	rs_err_set(&err, -EIO, "cannot write to standard output: %s",
		   errno ? strerror(errno) : "an earlier write failed");
	_exit(rs_cmd_fail(RS_EXIT_INCOMPLETE, &err));
}

/*
 * A standard descriptor that is closed would be given to the next file or pipe. What
 * stands in for it can be read, and fails to be written as the closed one would.
 */
static void hold_standard_descriptors(void)
{
	int fd = 0;
	while (fd >= 0 && fd <= STDERR_FILENO)
		fd = open("/dev/null", O_RDONLY);
	if (fd > STDERR_FILENO)
		close(fd);
}

/* argp calls the program by argv[0] in its messages: "retstack run", not "run". */
static int run_command(const struct rs_command *command, int argc, char **argv)
{
	char name[64] = "retstack ";
	rs_text_append(name, sizeof(name), "%s", command->name);
	argv[0] = name;
	return command->run(argc, argv);
}

int main(int argc, char **argv)
{
	hold_standard_descriptors();
	argp_err_exit_status = RS_EXIT_USAGE;
	argp_program_version = "retstack " RS_VERSION;
	/* A closed pipe is reported like any other failed write. */
	signal(SIGPIPE, SIG_IGN);
	on_exit(check_output, NULL);
	if (argc < 2) {
		print_help(stderr);
		return RS_EXIT_USAGE;
	}
	if (is_option(argv[1], "-?", "--help") || strcmp(argv[1], "help") == 0) {
		print_help(stdout);
		return RS_EXIT_DONE;
	}
	if (is_option(argv[1], "-V", "--version")) {
		puts(argp_program_version);
		return RS_EXIT_DONE;
	}
	const struct rs_command *const command = find_command(argv[1]);
	if (!command)
		return unknown_verb(argv[1]);
	return run_command(command, argc - 1, argv + 1);
}
