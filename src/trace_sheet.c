#include "src/trace_sheet.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NOTES 8

enum column {
	COL_KIND,
	COL_PLACE,
	COL_IMAGE,
	COL_TIMES,
	COL_MISPREDICTS,
	COL_CAUSED,
	COL_PATH,
	COL_FUNCTION,
	COL_OFFSET,
	COL_ADDRESS,
	COL_FILE_OFFSET,
	COL_INSTRUCTIONS,
	COL_CALLS,
	COL_RETURNS,
	COL_EXEMPT,
	COL_RATE,
	COL_DEEPEST,
	COL_UNDECODED,
	COL_THREADS,
	COL_PROCESSES,
	COL_PRESET,
	COL_ENTRIES,
	COL_ENDED,
	COL_STOPPED,
	N_COLUMNS
};

#define NUMBER(column_name)                                                            \
	{                                                                              \
		.name = column_name, .title = column_name, .is_detail = true,          \
		.is_number = true                                                      \
	}
#define DETAIL(column_name)                                                            \
	{                                                                              \
		.name = column_name, .title = column_name, .is_detail = true           \
	}
#define SHOWN(column_name)                                                             \
	{                                                                              \
		.name = column_name, .title = column_name, .is_right = true,           \
		.is_number = true                                                      \
	}

static const struct rs_sheet_column columns[N_COLUMNS] = {
    [COL_KIND] = {.name = "kind", .title = "kind"},
    [COL_PLACE] = {.name = "place", .title = "place", .wraps = true},
    [COL_IMAGE] = {.name = "image", .title = "image"},
    [COL_TIMES] = SHOWN("times"),
    [COL_MISPREDICTS] = SHOWN("mispredicts"),
    [COL_CAUSED] = SHOWN("caused"),
    [COL_PATH] = DETAIL("path"),
    [COL_FUNCTION] = DETAIL("function"),
    [COL_OFFSET] = NUMBER("function_offset"),
    [COL_ADDRESS] = DETAIL("address"),
    [COL_FILE_OFFSET] = DETAIL("file_offset"),
    [COL_INSTRUCTIONS] = NUMBER("instructions"),
    [COL_CALLS] = NUMBER("calls"),
    [COL_RETURNS] = NUMBER("returns"),
    [COL_EXEMPT] = NUMBER("exempt_calls"),
    [COL_RATE] = NUMBER("mispredicts_per_return"),
    [COL_DEEPEST] = NUMBER("deepest_nesting"),
    [COL_UNDECODED] = NUMBER("undecoded"),
    [COL_THREADS] = NUMBER("threads"),
    [COL_PROCESSES] = NUMBER("processes"),
    [COL_PRESET] = DETAIL("preset"),
    [COL_ENTRIES] = NUMBER("entries"),
    [COL_ENDED] = DETAIL("ended"),
    [COL_STOPPED] = DETAIL("stopped"),
};

/* One line of the table that is a site. */
struct line {
	uint32_t site;
	enum rs_trace_kind kind;
	struct rs_trace_count count;
};

struct filling {
	struct rs_sheet *sheet;
	const char **cells; /* of one row */
	bool is_out_of_memory;
};

__attribute__((format(printf, 3, 4))) static void
put(struct filling *filling, enum column column, const char *fmt, ...)
{
	char *text = NULL;
	va_list args;
	va_start(args, fmt);
	if (vasprintf(&text, fmt, args) < 0) {
		text = NULL;
		filling->is_out_of_memory = true;
	}
	va_end(args);
	filling->cells[column] = text;
}

static void put_count(struct filling *filling, enum column column, uint64_t count)
{
	put(filling, column, "%" PRIu64, count);
}

/* The most mispredicts first; the table's order among equals. */
static int compare(const void *a, const void *b)
{
	const struct line *const left = a;
	const struct line *const right = b;
	const uint64_t of_left = left->count.mispredicts + left->count.caused;
	const uint64_t of_right = right->count.mispredicts + right->count.caused;
	if (of_left != of_right)
		return of_left > of_right ? -1 : 1;
	if (left->count.times != right->count.times)
		return left->count.times > right->count.times ? -1 : 1;
	if (left->site != right->site)
		return left->site < right->site ? -1 : 1;
	return (int)left->kind - (int)right->kind;
}

/* All that happened at known sites, sorted; NULL without memory. */
static struct line *collect(const struct rs_tracesites *sites, size_t *n)
{
	struct line *const lines =
	    calloc((size_t)sites->n_sites * RS_N_TRACE_KIND, sizeof(*lines));
	*n = 0;
	for (uint32_t i = 0; lines && i < sites->n_sites; i++) {
		for (unsigned int kind = 0; kind < RS_N_TRACE_KIND; kind++) {
			const struct rs_trace_count *const count =
			    &sites->sites[i].counts[kind];
			if (i != RS_TRACESITES_OTHERS && count->times)
				lines[(*n)++] = (struct line){i, kind, *count};
		}
	}
	if (lines)
		qsort(lines, *n, sizeof(*lines), compare);
	return lines;
}

static void put_total(struct filling *filling, const struct rs_traced *traced,
		      const struct rs_trace_model *model)
{
	const struct rs_trace_totals *const totals = &traced->trace.totals;
	put(filling, COL_KIND, "total");
	put_count(filling, COL_MISPREDICTS, totals->mispredicts);
	put_count(filling, COL_INSTRUCTIONS, totals->instructions);
	put_count(filling, COL_CALLS, totals->calls);
	put_count(filling, COL_RETURNS, totals->returns);
	put_count(filling, COL_EXEMPT, totals->exempt);
	if (totals->returns)
		put(filling, COL_RATE, "%.6f",
		    (double)totals->mispredicts / (double)totals->returns);
	put_count(filling, COL_DEEPEST, totals->deepest);
	put_count(filling, COL_UNDECODED, totals->undecoded);
	put_count(filling, COL_THREADS, totals->threads);
	put_count(filling, COL_PROCESSES, traced->n_processes);
	put(filling, COL_PRESET, "%s", model->name);
	put_count(filling, COL_ENTRIES, model->rules.entries);
	if (traced->ended[0])
		put(filling, COL_ENDED, "%s", traced->ended);
	if (traced->stopped)
		put(filling, COL_STOPPED, "%s", traced->stopped);
}

/* Calls are not predicted; only they and unbalanced returns are to blame. */
static void put_counts(struct filling *filling, enum rs_trace_kind kind,
		       const struct rs_trace_count *count)
{
	put_count(filling, COL_TIMES, count->times);
	if (kind != RS_TRACE_PUSH_WITHOUT_POP)
		put_count(filling, COL_MISPREDICTS, count->mispredicts);
	if (kind == RS_TRACE_PUSH_WITHOUT_POP || kind == RS_TRACE_POP_WITHOUT_PUSH)
		put_count(filling, COL_CAUSED, count->caused);
}

static void put_site(struct filling *filling, const struct rs_traced *traced,
		     const struct line *line, const struct rs_traced_place *place)
{
	put(filling, COL_KIND, "%s", rs_trace_kind_name(line->kind));
	const char *const path = traced->images.rows[place->image].path;
	const char *const slash = strrchr(path, '/');
	put(filling, COL_IMAGE, "%s", slash ? slash + 1 : path);
	put(filling, COL_PATH, "%s", path);
	put_counts(filling, line->kind, &line->count);
	if (place->function) {
		put(filling, COL_PLACE, "%s+%#" PRIx64, place->function,
		    place->function_offset);
		put(filling, COL_FUNCTION, "%s", place->function);
		put_count(filling, COL_OFFSET, place->function_offset);
	} else {
		put(filling, COL_PLACE, "%#" PRIx64,
		    place->has_address ? place->address : place->offset);
	}
	if (place->has_address)
		put(filling, COL_ADDRESS, "%#" PRIx64, place->address);
	if (place->image != RS_TRACED_ANONYMOUS)
		put(filling, COL_FILE_OFFSET, "%#" PRIx64, place->offset);
}

/* What the lines before it leave of the totals. */
static void put_others(struct filling *filling, const struct rs_traced *traced,
		       const struct line *lines, size_t n_shown, size_t n_lines)
{
	const struct rs_trace_site *const others =
	    &traced->trace.sites.sites[RS_TRACESITES_OTHERS];
	uint64_t mispredicts = 0;
	uint64_t caused = 0;
	for (size_t i = n_shown; i < n_lines; i++) {
		mispredicts += lines[i].count.mispredicts;
		caused += lines[i].count.caused;
	}
	for (unsigned int kind = 0; kind < RS_N_TRACE_KIND; kind++) {
		mispredicts += others->counts[kind].mispredicts;
		caused += others->counts[kind].caused;
	}
	put(filling, COL_KIND, "others");
	put_count(filling, COL_MISPREDICTS, mispredicts);
	put_count(filling, COL_CAUSED, caused);
}

__attribute__((format(printf, 2, 3))) static void note(struct filling *filling,
						       const char *fmt, ...)
{
	char *text = NULL;
	va_list args;
	va_start(args, fmt);
	if (vasprintf(&text, fmt, args) < 0)
		filling->is_out_of_memory = true;
	else
		filling->sheet->notes[filling->sheet->n_notes++] = text;
	va_end(args);
}

static void put_notes(struct filling *filling, const struct rs_traced *traced,
		      const struct rs_trace_model *model)
{
	const struct rs_trace_totals *const totals = &traced->trace.totals;
	note(filling,
	     "%" PRIu64 " instructions, %" PRIu64 " calls, %" PRIu64
	     " returns, %" PRIu64 " exempt calls; deepest nesting %" PRIu64
	     "; threads: %" PRIu64 ", processes: %" PRIu64,
	     totals->instructions, totals->calls, totals->returns, totals->exempt,
	     totals->deepest, totals->threads, traced->n_processes);
	if (totals->returns)
		note(filling, "%.2f %% of the returns are mispredicted",
		     100.0 * (double)totals->mispredicts / (double)totals->returns);
	note(filling, "model: %s, %u entries, %s, %s", model->name,
	     model->rules.entries, rs_overflow_name(model->rules.overflow),
	     rs_underflow_name(model->rules.underflow));
	if (totals->undecoded)
		note(filling,
		     "%" PRIu64 " instructions could not be decoded%s; what they "
		     "called or returned from is missing",
		     totals->undecoded,
		     traced->n_outside ? ", most of them in images that were not given"
				       : "");
	if (traced->ended[0])
		note(filling, "the command %s", traced->ended);
	if (traced->stopped)
		note(filling, "partial: %s", traced->stopped);
}

static int fill(struct filling *filling, const struct rs_traced *traced,
		const struct rs_trace_model *model, const struct line *lines,
		size_t n_lines)
{
	struct rs_sheet *const sheet = filling->sheet;
	const size_t n_shown = sheet->n_rows - 2;
	struct rs_traced_place *const places = calloc(n_shown + 1, sizeof(*places));
	if (!places)
		return -ENOMEM;
	for (size_t i = 0; i < n_shown; i++) {
		const struct rs_trace_site *const site =
		    &traced->trace.sites.sites[lines[i].site];
		places[i].image = site->image;
		places[i].offset = site->offset;
	}
	filling->is_out_of_memory =
	    rs_traced_images_name(&traced->images, places, n_shown) != 0;
	filling->cells = sheet->cells;
	put_total(filling, traced, model);
	for (size_t i = 0; i < n_shown; i++) {
		filling->cells += N_COLUMNS;
		put_site(filling, traced, &lines[i], &places[i]);
		free(places[i].function);
	}
	filling->cells += N_COLUMNS;
	put_others(filling, traced, lines, n_shown, n_lines);
	put_notes(filling, traced, model);
	free(places);
	return filling->is_out_of_memory ? -ENOMEM : 0;
}

int rs_trace_sheet_make(struct rs_sheet *out, const struct rs_traced *traced,
			const struct rs_trace_model *model, size_t n_top,
			struct rs_err *err)
{
	size_t n_lines = 0;
	struct line *const lines = collect(&traced->trace.sites, &n_lines);
	const size_t n_rows = 2 + (n_lines < n_top ? n_lines : n_top);
	*out = (struct rs_sheet){
	    .title = "what a link stack predicts of the returns that were executed",
	    .columns = columns,
	    .n_columns = N_COLUMNS,
	    .cells = calloc(n_rows * N_COLUMNS, sizeof(*out->cells)),
	    .notes = calloc(MAX_NOTES, sizeof(*out->notes)),
	};
	struct filling filling = {.sheet = out};
	int ret = -ENOMEM;
	if (lines && out->cells && out->notes) {
		out->n_rows = n_rows;
		ret = fill(&filling, traced, model, lines, n_lines);
	}
	free(lines);
	if (!ret)
		return 0;
	rs_trace_sheet_free(out);
	return rs_err_set(err, -ENOMEM, "not enough memory for the table of a trace");
}

static void free_texts(const char **texts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free((char *)(uintptr_t)texts[i]);
	free(texts);
}

void rs_trace_sheet_free(struct rs_sheet *sheet)
{
	free_texts(sheet->cells, sheet->n_rows * sheet->n_columns);
	free_texts(sheet->notes, sheet->n_notes);
	*sheet = (struct rs_sheet){.n_rows = 0};
}
