#include "src/cmd.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <unistd.h>

#include "src/affinity.h"
#include "src/base/text.h"

#define DEFAULT_COLUMNS 80

int rs_cmd_fail(enum rs_exit code, const struct rs_err *err)
{
	fprintf(stderr, "retstack: %s\n", err->text);
	return code;
}

enum rs_exit rs_cmd_finish(int write_code)
{
	const int code = write_code == 0 && fflush(stdout) ? -errno : write_code;
	if (code == 0)
		return RS_EXIT_DONE;
	struct rs_err err;
	rs_err_set(&err, code, "cannot write to standard output: %s", strerror(-code));
	rs_cmd_fail(RS_EXIT_INCOMPLETE, &err);
	return RS_EXIT_INCOMPLETE;
}

static unsigned int columns_of(int fd)
{
	struct winsize size;
	if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	return DEFAULT_COLUMNS;
}

struct rs_style rs_cmd_style(void)
{
	const char *const no_colour = getenv("NO_COLOR");
	return (struct rs_style){
	    .width = columns_of(STDOUT_FILENO),
	    .use_colour = isatty(STDOUT_FILENO) && !(no_colour && *no_colour),
	};
}

static bool can_print(const struct rs_format *format, enum rs_output output)
{
	switch (output) {
	case RS_OUTPUT_RESULTS:
		return format->results;
	case RS_OUTPUT_SHEET:
		return format->sheet;
	case RS_OUTPUT_CHECKUP:
		break;
	}
	return format->checkup;
}

const struct rs_format *rs_cmd_take_format(const char *arg, enum rs_output output,
					   struct argp_state *state)
{
	const struct rs_format *const format = rs_format_find(arg);
	if (format && can_print(format, output))
		return format;
	char clip[RS_CLIP_BYTES];
	char known[128] = "";
	for (const struct rs_format *f = rs_formats(); f->name; f++) {
		if (can_print(f, output))
			rs_text_append(known, sizeof(known), " %s", f->name);
	}
	argp_error(state, "unknown format '%s'; there are%s", rs_text_clip(clip, arg),
		   known);
	return NULL;
}

const char *rs_cmd_data_dir(char *out, size_t size)
{
	const char *const config = getenv("XDG_CONFIG_HOME");
	const char *const home = getenv("HOME");
	out[0] = '\0';
	if (config && config[0] == '/')
		rs_text_append(out, size, "%s/retstack", config);
	else if (home && home[0] == '/')
		rs_text_append(out, size, "%s/.config/retstack", home);
	return out[0] && access(out, X_OK) == 0 ? out : NULL;
}

uint64_t rs_cmd_take_number(const char *arg, const char *option, uint64_t min,
			    uint64_t max, struct argp_state *state)
{
	char clip[RS_CLIP_BYTES];
	uint64_t value = min;
	if (rs_text_u64(arg, min, max, &value))
		argp_error(state, "%s takes a number from %llu to %llu, not '%s'",
			   option, (unsigned long long)min, (unsigned long long)max,
			   rs_text_clip(clip, arg));
	return value;
}

uint64_t rs_cmd_take_bytes(const char *arg, const char *option, uint64_t min,
			   uint64_t max, struct argp_state *state)
{
	static const char units[] = "KMG";
	char clip[RS_CLIP_BYTES];
	char digits[32] = "";
	uint64_t value = 0;
	const size_t n = strlen(arg);
	const char *const unit = n ? strchr(units, arg[n - 1]) : NULL;
	const unsigned int shift = unit ? 10 * (unsigned int)(unit - units + 1) : 0;
	const bool is_whole = rs_text_copy(digits, sizeof(digits), arg);
	if (is_whole && unit)
		digits[n - 1] = '\0';
	if (!is_whole || rs_text_u64(digits, 0, max >> shift, &value) ||
	    value << shift < min)
		argp_error(state,
			   "%s takes a number of bytes from %llu to %llu, such as 4096 "
			   "or 4K, not '%s'",
			   option, (unsigned long long)min, (unsigned long long)max,
			   rs_text_clip(clip, arg));
	return value << shift;
}

const char *rs_cmd_take_text(const char *arg, const char *option,
			     struct argp_state *state)
{
	if (!*arg)
		argp_error(state, "%s is given an empty text", option);
	return arg;
}

uint64_t rs_cmd_random_seed(void)
{
	uint32_t seed = 1;
	if (getrandom(&seed, sizeof(seed), 0) != (ssize_t)sizeof(seed))
		seed = (uint32_t)getpid();
	return seed;
}

enum rs_exit rs_cmd_code_of(int ret)
{
	return ret == -ENOTSUP ? RS_EXIT_UNMEASURABLE : RS_EXIT_USAGE;
}

unsigned int rs_cmd_take_cpu(const char *arg, struct argp_state *state)
{
	char clip[RS_CLIP_BYTES];
	uint64_t cpu = 0;
	if (rs_text_u64(arg, 0, UINT16_MAX, &cpu))
		argp_error(state, "--cpu takes a CPU's number, not '%s'",
			   rs_text_clip(clip, arg));
	return (unsigned int)cpu;
}

int rs_cmd_settle_cpu(unsigned int *cpu, struct rs_err *err)
{
	struct rs_cpus allowed = {0};
	int ret = rs_affinity_allowed(&allowed, err);
	if (!ret)
		ret = rs_affinity_settle(&allowed, cpu, err);
	rs_cpus_free(&allowed);
	return ret;
}
