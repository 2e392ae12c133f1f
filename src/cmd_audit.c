#include "src/cmd.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "src/archive.h"
#include "src/audit.h"
#include "src/audit_sheet.h"
#include "src/base/file.h"
#include "src/base/text.h"
#include "src/vdso.h"

#define MAX_FILE_BYTES ((size_t)1 << 32)

struct request {
	const struct rs_format *format;
	const struct rs_decoder *isa;
	uint64_t base;
	bool has_base;
	bool is_raw;
	bool wants_vdso;
	const char **paths;
	size_t n_paths;
	struct rs_audit_sheet sheet;
	int worst; /* of input errors: 0 or RS_EXIT_USAGE */
};

enum {
	KEY_VDSO = 256,
	KEY_RAW,
	KEY_ISA,
	KEY_BASE,
};

static const struct argp_option options[] = {
    {"base", KEY_BASE, "ADDRESS", 0, "of the first byte of raw code (default 0)", 0},
    {"format", 'f', "FORMAT", 0, "text (default), csv or json", 0},
    {"isa", KEY_ISA, "ISA", 0,
     "of raw code: x86_64, i386, ppc64le, ppc64, ppc, aarch64, riscv64 or s390x", 0},
    {"raw", KEY_RAW, NULL, 0, "the files are bare code", 0},
    {"vdso", KEY_VDSO, NULL, 0, "audit the live vDSO too", 0},
    {0},
};

static const struct rs_decoder *take_isa(const char *arg, struct argp_state *state)
{
	const struct rs_decoder *const found = rs_decoder_find(arg);
	if (found)
		return found;
	char clip[RS_CLIP_BYTES];
	char known[128] = "";
	for (const struct rs_decoder *row = rs_decoders(); row->name; row++)
		rs_text_append(known, sizeof(known), " %s", row->name);
	argp_error(state, "unknown ISA '%s'; there are%s", rs_text_clip(clip, arg),
		   known);
	return NULL;
}

static void take_base(struct request *request, const char *arg,
		      struct argp_state *state)
{
	char clip[RS_CLIP_BYTES];
	if (rs_text_u64(arg, 0, UINT64_MAX, &request->base))
		argp_error(state, "--base takes an address such as 0x1000, not '%s'",
			   rs_text_clip(clip, arg));
	request->has_base = true;
}

static void check(const struct request *request, struct argp_state *state)
{
	if (request->n_paths == 0 && !request->wants_vdso)
		argp_error(state, "give a file, or --vdso");
	if (request->is_raw && !request->isa)
		argp_error(state, "--raw needs --isa");
	if (!request->is_raw && (request->isa || request->has_base))
		argp_error(state, "--isa and --base are for --raw: an ELF image says "
				  "both itself");
}

static error_t take_option(int key, char *arg, struct argp_state *state)
{
	struct request *const request = state->input;
	switch (key) {
	case 'f':
		request->format = rs_cmd_take_format(arg, RS_OUTPUT_SHEET, state);
		return 0;
	case KEY_VDSO:
		request->wants_vdso = true;
		return 0;
	case KEY_RAW:
		request->is_raw = true;
		return 0;
	case KEY_ISA:
		request->isa = take_isa(arg, state);
		return 0;
	case KEY_BASE:
		take_base(request, arg, state);
		return 0;
	case ARGP_KEY_ARG:
		request->paths[request->n_paths++] = arg;
		return 0;
	case ARGP_KEY_END:
		check(request, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp parser = {
    .options = options,
    .parser = take_option,
    .args_doc = "[FILE...]",
    .doc = "Look in ELF images, archives of them, or raw code, of any ISA, for "
	   "instructions that unbalance the link stack: calls that nothing returns "
	   "from, returns that nothing called.\v"
	   "Grades: finding, note (looks odd and is not), undecoded; and how much was "
	   "decoded. Exit status: 0 nothing found, 1 a finding, 2 bad input.",
};

static int keep(struct request *request, const char *name, struct rs_audit *audit,
		int ret, struct rs_err *err)
{
	if (!ret) {
		ret = rs_audit_sheet_add(&request->sheet, name, audit);
		if (ret)
			rs_err_set(err, ret, "no memory for the findings of %s", name);
	}
	rs_audit_close(audit);
	return ret;
}

static int audit_elf(struct request *request, const char *name, const void *bytes,
		     size_t n_bytes, struct rs_err *err)
{
	struct rs_audit audit;
	const int ret = rs_audit_image(&audit, name, bytes, n_bytes, err);
	return keep(request, name, &audit, ret, err);
}

/* Members that are no images, such as text, are nothing to audit. */
static int audit_archive(struct request *request, const char *path, const void *bytes,
			 size_t n_bytes, struct rs_err *err)
{
	struct rs_archive archive;
	struct rs_member member;
	size_t n_audited = 0;
	int ret = rs_archive_open(&archive, path, bytes, n_bytes, err);
	if (ret)
		return ret;
	while ((ret = rs_archive_next(&archive, &member, err)) > 0) {
		char name[4096] = "";
		rs_text_append(name, sizeof(name), "%s(%s)", path, member.name);
		ret = audit_elf(request, name, member.bytes, member.n_bytes, err);
		if (ret && ret != -ENOEXEC)
			return ret;
		n_audited += !ret;
	}
	if (!ret && n_audited == 0)
		return rs_err_set(err, -ENOEXEC, "archive %s has no ELF image in it",
				  path);
	return ret;
}

static int audit_bytes(struct request *request, const char *path, const void *bytes,
		       size_t n_bytes, struct rs_err *err)
{
	struct rs_audit audit;
	if (request->is_raw) {
		const int ret = rs_audit_raw(&audit, request->isa, bytes, n_bytes,
					     request->base, err);
		return keep(request, path, &audit, ret, err);
	}
	if (rs_archive_is(bytes, n_bytes))
		return audit_archive(request, path, bytes, n_bytes, err);
	return audit_elf(request, path, bytes, n_bytes, err);
}

static int audit_file(struct request *request, const char *path, struct rs_err *err)
{
	char *bytes = NULL;
	size_t n_bytes = 0;
	char clip[RS_CLIP_BYTES];
	int ret = rs_file_read_all(path, MAX_FILE_BYTES, &bytes, &n_bytes);
	if (ret)
		return rs_err_set(err, ret, "cannot read %s: %s",
				  rs_text_clip(clip, path), strerror(-ret));
	ret = audit_bytes(request, path, bytes, n_bytes, err);
	free(bytes);
	return ret;
}

static int audit_vdso(struct request *request, struct rs_err *err)
{
	struct rs_vdso vdso;
	int ret = rs_vdso_open(&vdso, err);
	if (!ret)
		ret = audit_elf(request, "[vdso]", vdso.base, vdso.n_bytes, err);
	rs_vdso_close(&vdso);
	return ret;
}

/* Says what is wrong with one input; the others are still audited. */
static void settle(struct request *request, int ret, const struct rs_err *err)
{
	if (ret)
		request->worst = rs_cmd_fail(RS_EXIT_USAGE, err);
}

static int print(const struct request *request)
{
	const struct rs_style style = rs_cmd_style();
	const struct rs_sheet sheet = rs_audit_sheet_get(&request->sheet);
	const enum rs_exit finished =
	    rs_cmd_finish(request->format->sheet(&sheet, &style, stdout));
	if (finished != RS_EXIT_DONE)
		return finished;
	if (request->worst)
		return request->worst;
	return request->sheet.n_findings ? RS_EXIT_FOUND : RS_EXIT_DONE;
}

int rs_cmd_audit(int argc, char **argv)
{
	struct request request = {.format = rs_format_find("text")};
	struct rs_err err;
	request.paths = calloc((size_t)argc + 1, sizeof(*request.paths));
	if (!request.paths) {
		rs_err_set(&err, -ENOMEM, "no memory for the command line");
		return rs_cmd_fail(RS_EXIT_INCOMPLETE, &err);
	}
	int code = RS_EXIT_USAGE;
	if (!argp_parse(&parser, argc, argv, 0, NULL, &request)) {
		request.sheet.is_brief = request.format == rs_format_find("text");
		if (request.wants_vdso)
			settle(&request, audit_vdso(&request, &err), &err);
		for (size_t i = 0; i < request.n_paths; i++)
			settle(&request, audit_file(&request, request.paths[i], &err),
			       &err);
		code = print(&request);
	}
	rs_audit_sheet_free(&request.sheet);
	free(request.paths);
	return code;
}
