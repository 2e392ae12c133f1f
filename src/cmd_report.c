#include "src/cmd.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>

#include "src/compare.h"
#include "src/compare_sheet.h"
#include "src/outfile.h"

#define MAX_FILES 64

struct request {
	const char *output; /* "-": standard output */
	const char *paths[MAX_FILES];
	struct rs_loaded files[MAX_FILES];
	struct rs_page_file shown[MAX_FILES];
	size_t n_files;
};

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "write the page to FILE (default: standard output)", 0},
    {0},
};

static error_t take_option(int key, char *arg, struct argp_state *state)
{
	struct request *const request = state->input;
	switch (key) {
	case 'o':
		request->output = rs_cmd_take_text(arg, "--output", state);
		return 0;
	case ARGP_KEY_ARG:
		if (request->n_files == MAX_FILES)
			argp_error(state, "report takes at most %d files", MAX_FILES);
		request->paths[request->n_files++] = arg;
		return 0;
	case ARGP_KEY_END:
		if (request->n_files == 0)
			argp_error(state, "report needs a file");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp parser = {
    .options = options,
    .parser = take_option,
    .args_doc = "FILE...",
    .doc = "Make one HTML page of result files: CSV dumps and JSON of `retstack run', "
	   "and what perf stat writes with -x, or -j. It has facts, tables, plots and, "
	   "of several files, what changed; it needs no other file and no network.\v"
	   "Exit status: 0 done, 2 bad input, 3 the page could not be written.",
};

static int load(struct request *request, struct rs_err *err)
{
	for (size_t i = 0; i < request->n_files; i++) {
		struct rs_loaded *const file = &request->files[i];
		int ret = rs_load(file, request->paths[i], err);
		if (!ret)
			ret = rs_loaded_summarise(file, err);
		if (ret)
			return ret;
		request->shown[i] = (struct rs_page_file){
		    .path = file->path, .kind = file->kind, .results = &file->results};
	}
	return 0;
}

/* Files that have nothing in common are shown without a comparison; that is said. */
static int compare(struct rs_sheet *sheet, const struct request *request,
		   struct rs_comparison *comparison, struct rs_err *err)
{
	const struct rs_compare_request wanted = {
	    .files = request->files, .n_files = request->n_files, .threshold_pct = 1};
	const int ret = rs_compare(comparison, &wanted, err);
	if (!ret)
		return rs_compare_sheet_make(sheet, comparison, err);
	if (ret == -EINVAL)
		fprintf(stderr, "retstack: the files are not compared: %s\n",
			err->text);
	return ret == -EINVAL ? 0 : ret;
}

static int write_page(const struct request *request, struct rs_outfile *file,
		      struct rs_err *err)
{
	struct rs_comparison comparison = {0};
	struct rs_sheet sheet = {0};
	int ret = 0;
	if (request->n_files > 1)
		ret = compare(&sheet, request, &comparison, err);
	const struct rs_page page = {
	    .files = request->shown,
	    .n_files = request->n_files,
	    .comparison = sheet.n_columns ? &sheet : NULL,
	};
	if (!ret)
		ret = rs_outfile_commit(file, rs_page_write(&page, file->stream), err);
	if (sheet.n_columns)
		rs_compare_sheet_free(&sheet);
	rs_comparison_free(&comparison);
	return ret;
}

/* The page's file is created first, so that a bad path fails at once. */
static int make_page(struct request *request)
{
	struct rs_outfile file = {0};
	struct rs_err err;
	int code = RS_EXIT_DONE;
	if (rs_outfile_open(&file, request->output, &err) || load(request, &err))
		code = rs_cmd_fail(RS_EXIT_USAGE, &err);
	else if (write_page(request, &file, &err))
		code = rs_cmd_fail(RS_EXIT_INCOMPLETE, &err);
	rs_outfile_discard(&file);
	return code;
}

int rs_cmd_report(int argc, char **argv)
{
	struct request request = {.output = "-"};
	if (argp_parse(&parser, argc, argv, 0, NULL, &request))
		return RS_EXIT_USAGE;
	const int code = make_page(&request);
	for (size_t i = 0; i < request.n_files; i++)
		rs_loaded_free(&request.files[i]);
	return code;
}
