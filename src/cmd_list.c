#include "src/cmd.h"

#include <argp.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "src/affinity.h"
#include "src/base/text.h"
#include "src/sheets.h"
#include "src/vdso_sheet.h"

struct request {
	const struct rs_format *format;
	const char *data_dir;
	const char *what;
	unsigned int cpu;
};

/* One thing that can be listed. */
struct listing {
	const char *name;
	int (*make)(const struct request *, struct rs_sheet *, struct rs_err *);
	void (*release)(struct rs_sheet *);
};

static int make_workloads(const struct request *request, struct rs_sheet *out,
			  struct rs_err *err)
{
	(void)request;
	return rs_sheet_of_workloads(out, err);
}

static int make_variants(const struct request *request, struct rs_sheet *out,
			 struct rs_err *err)
{
	(void)request;
	return rs_sheet_of_variants(out, err);
}

static int make_events(const struct request *request, struct rs_sheet *out,
		       struct rs_err *err)
{
	return rs_sheet_of_events(out, request->cpu, request->data_dir, err);
}

static int make_pmus(const struct request *request, struct rs_sheet *out,
		     struct rs_err *err)
{
	(void)request;
	return rs_sheet_of_pmus(out, err);
}

static int make_presets(const struct request *request, struct rs_sheet *out,
			struct rs_err *err)
{
	return rs_sheet_of_presets(out, request->cpu, request->data_dir, err);
}

static int make_vdso(const struct request *request, struct rs_sheet *out,
		     struct rs_err *err)
{
	(void)request;
	struct rs_vdso vdso = {0};
	struct rs_err why = {""};
	const int found = rs_vdso_open(&vdso, &why);
	const int ret =
	    rs_vdso_sheet_make(out, &vdso, rs_isa_host(), found ? why.text : NULL, err);
	rs_vdso_close(&vdso);
	return ret;
}

static const struct listing listings[] = {
    {"workloads", make_workloads, rs_list_sheet_free},
    {"variants", make_variants, rs_list_sheet_free},
    {"events", make_events, rs_list_sheet_free},
    {"pmus", make_pmus, rs_list_sheet_free},
    {"vdso", make_vdso, rs_vdso_sheet_free},
    {"presets", make_presets, rs_list_sheet_free},
    {0},
};

enum {
	KEY_DATA = 256,
};

static const struct argp_option options[] = {
    {"cpu", 'c', "N", 0,
     "list events and presets for CPU N (default: the last allowed one)", 0},
    {"format", 'f', "FORMAT", 0, "text (default), csv or json", 0},
    {"data", KEY_DATA, "DIR", 0,
     "take rows from DIR/alias/*.ini and DIR/predictors.ini, too", 0},
    {0},
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
		request->format = rs_cmd_take_format(arg, RS_OUTPUT_SHEET, state);
		return 0;
	case KEY_DATA:
		request->data_dir = rs_cmd_take_text(arg, "--data", state);
		return 0;
	case ARGP_KEY_ARG:
		if (request->what)
			argp_error(state,
				   "list shows one thing at a time, but got '%s' too",
				   rs_text_clip(clip, arg));
		request->what = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp parser = {
    .options = options,
    .parser = take_option,
    .args_doc = "workloads|variants|events|pmus|vdso|presets",
    .doc = "Show what there is, as it is on this machine.",
};

static const struct listing *find_listing(const char *name, struct rs_err *err)
{
	for (const struct listing *listing = listings; listing->name; listing++) {
		if (name && strcmp(listing->name, name) == 0)
			return listing;
	}
	char clip[RS_CLIP_BYTES];
	if (name)
		rs_err_set(err, -EINVAL, "list knows no '%s'; it shows",
			   rs_text_clip(clip, name));
	else
		rs_err_set(err, -EINVAL, "list needs to know what to show:");
	for (const struct listing *listing = listings; listing->name; listing++)
		rs_text_append(err->text, sizeof(err->text), " %s", listing->name);
	return NULL;
}

int rs_cmd_list(int argc, char **argv)
{
	struct request request = {
	    .format = rs_format_find("text"),
	    .cpu = RS_CPU_ANY,
	};
	struct rs_err err;
	char data_dir[4096];
	if (argp_parse(&parser, argc, argv, 0, NULL, &request))
		return RS_EXIT_USAGE;
	if (!request.data_dir)
		request.data_dir = rs_cmd_data_dir(data_dir, sizeof(data_dir));
	const struct listing *const listing = find_listing(request.what, &err);
	if (!listing || rs_cmd_settle_cpu(&request.cpu, &err))
		return rs_cmd_fail(RS_EXIT_USAGE, &err);
	struct rs_sheet sheet = {0};
	if (listing->make(&request, &sheet, &err))
		return rs_cmd_fail(RS_EXIT_USAGE, &err);
	const struct rs_style style = rs_cmd_style();
	const int written = request.format->sheet(&sheet, &style, stdout);
	listing->release(&sheet);
	return rs_cmd_finish(written);
}
