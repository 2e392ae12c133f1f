#include "src/cmd.h"

#include <argp.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/affinity.h"
#include "src/base/text.h"
#include "src/doctor.h"

struct request {
	const struct rs_format *format;
	unsigned int cpu;
};

static const struct argp_option options[] = {
    {
	.name = "cpu",
	.key = 'c',
	.arg = "N",
	.doc = "examine CPU N (default: the last allowed one)",
    },
    {
	.name = "format",
	.key = 'f',
	.arg = "FORMAT",
	.doc = "text (default), csv, json or tap",
    },
    {.name = NULL},
};

static error_t take_option(int key, char *arg, struct argp_state *state)
{
	struct request *const request = state->input;
	char clip[RS_CLIP_BYTES];
	switch (key) {
	case 'c':
		request->cpu = rs_cmd_take_cpu(arg, state);
		return 0;
	case 'f':
		request->format = rs_cmd_take_format(arg, RS_OUTPUT_CHECKUP, state);
		return 0;
	case ARGP_KEY_ARG:
		argp_error(state, "doctor takes no argument, but got '%s'",
			   rs_text_clip(clip, arg));
		return EINVAL;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp parser = {
    .options = options,
    .parser = take_option,
    .doc = "Tell what can be counted here, what cannot and why, and what disturbs "
	   "measurements. Changes nothing on the machine.",
};

int rs_cmd_doctor(int argc, char **argv)
{
	struct request request = {
	    .format = rs_format_find("text"),
	    .cpu = RS_CPU_ANY,
	};
	struct rs_err err;
	if (argp_parse(&parser, argc, argv, 0, NULL, &request))
		return RS_EXIT_USAGE;
	if (rs_cmd_settle_cpu(&request.cpu, &err))
		return rs_cmd_fail(RS_EXIT_USAGE, &err);
	struct rs_doctor *doctor = NULL;
	if (rs_doctor_examine(&doctor, request.cpu, &err))
		return rs_cmd_fail(RS_EXIT_INCOMPLETE, &err);
	const struct rs_style style = rs_cmd_style();
	const int ret =
	    request.format->checkup(rs_doctor_checkup(doctor), &style, stdout);
	rs_doctor_free(doctor);
	return rs_cmd_finish(ret);
}
