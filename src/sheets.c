#include "src/sheets.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "events/events.h"
#include "src/base/text.h"
#include "src/counters.h"
#include "src/pattern.h"
#include "src/predictor.h"

/* Cells are copies, so that a sheet owes nothing to what it was made from. */
static int put(struct rs_sheet *sheet, size_t row, size_t column, const char *text)
{
	if (!text || !*text)
		return 0;
	char *const copy = strdup(text);
	sheet->cells[row * sheet->n_columns + column] = copy;
	return copy ? 0 : -ENOMEM;
}

static int put_row(struct rs_sheet *sheet, size_t row, const char *const *texts)
{
	int ret = 0;
	for (size_t i = 0; i < sheet->n_columns && !ret; i++)
		ret = put(sheet, row, i, texts[i]);
	return ret;
}

static int start(struct rs_sheet *sheet, const char *title,
		 const struct rs_sheet_column *columns, size_t n_columns, size_t n_rows,
		 struct rs_err *err)
{
	*sheet = (struct rs_sheet){0};
	const char **const cells = calloc(n_rows * n_columns + 1, sizeof(*cells));
	if (!cells)
		return rs_err_set(err, -ENOMEM, "not enough memory for a list");
	*sheet = (struct rs_sheet){
	    .title = title,
	    .columns = columns,
	    .n_columns = n_columns,
	    .cells = cells,
	    .n_rows = n_rows,
	};
	return 0;
}

static int finish(struct rs_sheet *sheet, int ret, struct rs_err *err)
{
	if (!ret)
		return 0;
	rs_list_sheet_free(sheet);
	return rs_err_set(err, ret, "not enough memory for a list");
}

void rs_list_sheet_free(struct rs_sheet *sheet)
{
	for (size_t i = 0; i < sheet->n_rows * sheet->n_columns; i++)
		free((char *)(uintptr_t)sheet->cells[i]);
	free(sheet->cells);
	*sheet = (struct rs_sheet){0};
}

static size_t count_workloads(void)
{
	size_t n = 0;
	while (rs_workloads()[n].name)
		n++;
	return n;
}

int rs_sheet_of_workloads(struct rs_sheet *out, struct rs_err *err)
{
	static const struct rs_sheet_column columns[] = {
	    {.name = "workload", .title = "workload"},
	    {.name = "baseline", .title = "baseline"},
	    {.name = "clocks", .title = "operand"},
	    {.name = "description", .title = "what it does", .wraps = true},
	    {.name = "source", .title = "source", .is_footnote = true},
	};
	int ret = start(out, "workloads", columns, 5, count_workloads(), err);
	for (size_t i = 0; i < out->n_rows && !ret; i++) {
		const struct rs_workload *const workload = &rs_workloads()[i];
		const struct rs_family *const family =
		    rs_isa_family(rs_isa_host(), workload->family);
		const char *const texts[] = {
		    workload->name,
		    family ? family->baseline : NULL,
		    workload->takes_clock   ? ":CLOCK"
		    : workload->takes_bytes ? ":BYTES"
		    : workload->takes_way   ? ":WAY"
					    : NULL,
		    workload->text,
		    workload->source,
		};
		ret = put_row(out, i, texts);
	}
	return finish(out, ret, err);
}

static size_t count_variants(const struct rs_family *family)
{
	size_t n = 0;
	while (family && family->variants[n].name)
		n++;
	return n;
}

#define N_COUNTS 5

/* Of an iteration below k frames; what the body calls elsewhere is not in them. */
static void count_texts(char out[N_COUNTS][RS_LINEAR_TEXT],
			const struct rs_counts *counts)
{
	const struct rs_linear *const linears[N_COUNTS] = {
	    &counts->instructions, &counts->branches, &counts->pushes,
	    &counts->pops,         &counts->exempt,
	};
	for (size_t i = 0; i < N_COUNTS; i++)
		rs_linear_text(out[i], linears[i]);
}

static int put_variant(struct rs_sheet *sheet, size_t row,
		       const struct rs_workload *workload,
		       const struct rs_variant *variant)
{
	const struct rs_kernel *const kernel = variant->kernel;
	char counts[N_COUNTS][RS_LINEAR_TEXT] = {""};
	if (kernel)
		count_texts(counts, &kernel->counts);
	const char *const texts[] = {
	    workload->name,
	    variant->name,
	    rs_effect_name(variant->effect),
	    kernel && kernel->entry[1] ? "1-8" : NULL,
	    variant->text,
	    rs_variant_obstacle(variant),
	    counts[0],
	    counts[1],
	    counts[2],
	    counts[3],
	    counts[4],
	};
	return put_row(sheet, row, texts);
}

int rs_sheet_of_variants(struct rs_sheet *out, struct rs_err *err)
{
	static const struct rs_sheet_column columns[] = {
	    {.name = "workload", .title = "workload"},
	    {.name = "variant", .title = "variant"},
	    {.name = "effect", .title = "expected"},
	    {.name = "frames", .title = "frames"},
	    {.name = "description", .title = "what it does", .wraps = true},
	    {.name = "absent", .title = "cannot run because", .wraps = true},
	    {.name = "instructions", .title = "instructions", .is_detail = true},
	    {.name = "branches", .title = "branches", .is_detail = true},
	    {.name = "pushes", .title = "pushes", .is_detail = true},
	    {.name = "pops", .title = "pops", .is_detail = true},
	    {.name = "exempt", .title = "exempt", .is_detail = true},
	};
	const struct rs_isa *const isa = rs_isa_host();
	size_t n = 0;
	for (const struct rs_workload *w = rs_workloads(); w->name; w++)
		n += count_variants(rs_isa_family(isa, w->family));
	int ret = start(out, "variants", columns, sizeof(columns) / sizeof(columns[0]),
			n, err);
	size_t row = 0;
	for (const struct rs_workload *w = rs_workloads(); w->name && !ret; w++) {
		const struct rs_family *const family = rs_isa_family(isa, w->family);
		for (size_t i = 0; i < count_variants(family) && !ret; i++) {
			ret = put_variant(out, row++, w, &family->variants[i]);
		}
	}
	return finish(out, ret, err);
}

static int put_event(struct rs_sheet *sheet, size_t row, const struct rs_event *event)
{
	char config[24] = "";
	if (event->has_config)
		snprintf(config, sizeof(config), "0x%" PRIx64, event->config);
	const char *const texts[] = {
	    event->name,
	    event->chosen,
	    event->source,
	    config,
	    event->status == RS_STATUS_OK ? "yes" : rs_status_name(event->status),
	    event->note,
	    event->reason,
	};
	return put_row(sheet, row, texts);
}

int rs_sheet_of_events(struct rs_sheet *out, unsigned int cpu, const char *data_dir,
		       struct rs_err *err)
{
	static const struct rs_sheet_column columns[] = {
	    {.name = "event", .title = "event"},
	    {.name = "chosen", .title = "counted as", .wraps = true},
	    {.name = "source", .title = "source", .is_detail = true},
	    {.name = "config", .title = "code"},
	    {.name = "opens", .title = "opens"},
	    {.name = "note", .title = "note", .is_footnote = true},
	    {.name = "reason", .title = "why not", .is_footnote = true},
	};
	struct rs_event_list *const list = calloc(1, sizeof(*list));
	if (!list)
		return rs_err_set(err, -ENOMEM, "not enough memory for a list");
	int ret = rs_counters_list_aliases(list, cpu, data_dir, err);
	if (!ret)
		ret = start(out, "events", columns, 7, list->n_events, err);
	if (!ret) {
		for (size_t i = 0; i < list->n_events && !ret; i++)
			ret = put_event(out, i, &list->events[i]);
		ret = finish(out, ret, err);
	}
	free(list);
	return ret;
}

#define MAX_PMUS 256

int rs_sheet_of_pmus(struct rs_sheet *out, struct rs_err *err)
{
	static const struct rs_sheet_column columns[] = {
	    {.name = "pmu", .title = "PMU"},
	    {.name = "type", .title = "type", .is_right = true, .is_number = true},
	    {.name = "core", .title = "of a core"},
	    {.name = "cpus", .title = "CPUs", .wraps = true},
	};
	struct rs_pmu *const pmus = calloc(MAX_PMUS, sizeof(*pmus));
	if (!pmus)
		return rs_err_set(err, -ENOMEM, "not enough memory for a list");
	const int found = rs_pmu_list(pmus, MAX_PMUS);
	const size_t n = found < 0 ? 0 : found > MAX_PMUS ? MAX_PMUS : (size_t)found;
	int ret = found;
	if (found < 0)
		rs_err_set(err, ret,
			   "cannot list the PMUs in /sys/bus/event_source/devices: %s",
			   strerror(-found));
	else
		ret = start(out, "PMUs", columns, 4, n, err);
	if (!ret) {
		for (size_t i = 0; i < n && !ret; i++) {
			char type[16];
			snprintf(type, sizeof(type), "%" PRIu32, pmus[i].type);
			const char *const texts[] = {pmus[i].name, type,
						     pmus[i].is_core ? "yes" : "no",
						     pmus[i].cpus};
			ret = put_row(out, i, texts);
		}
		ret = finish(out, ret, err);
	}
	free(pmus);
	return ret;
}

static void name_exempt(unsigned int exempt, char *out, size_t size)
{
	rs_text_copy(out, size, exempt ? "" : "none");
	for (unsigned int bit = 1; rs_exempt_name(bit); bit <<= 1) {
		if (exempt & bit)
			rs_text_append(out, size, "%s%s", *out ? " " : "",
				       rs_exempt_name(bit));
	}
}

static int put_preset(struct rs_sheet *sheet, size_t row,
		      const struct rs_predictor *preset, bool is_chosen)
{
	const struct rs_linkstack_rules *const rules = &preset->rules;
	char entries[16];
	char merge[16];
	char exempt[64];
	snprintf(entries, sizeof(entries), "%" PRIu32, rules->entries);
	snprintf(merge, sizeof(merge), "%" PRIu32, rules->merge);
	name_exempt(rules->exempt, exempt, sizeof(exempt));
	const char *const texts[] = {
	    preset->name,
	    is_chosen ? "yes" : NULL,
	    entries,
	    rs_overflow_name(rules->overflow),
	    rs_underflow_name(rules->underflow),
	    exempt,
	    merge,
	    rs_linkreg_name(rules->linkreg),
	    preset->text,
	    preset->cpus,
	    preset->is_user ? "yes" : "no",
	    preset->source,
	    preset->note,
	};
	return put_row(sheet, row, texts);
}

int rs_sheet_of_presets(struct rs_sheet *out, unsigned int cpu, const char *data_dir,
			struct rs_err *err)
{
	static const struct rs_sheet_column columns[] = {
	    {.name = "preset", .title = "preset"},
	    {.name = "here", .title = "here"},
	    {.name = "entries",
	     .title = "entries",
	     .is_right = true,
	     .is_number = true},
	    {.name = "overflow", .title = "overflow"},
	    {.name = "underflow", .title = "underflow"},
	    {.name = "exempt", .title = "exempt"},
	    {.name = "merge", .title = "merge", .is_detail = true, .is_number = true},
	    {.name = "link", .title = "link", .is_detail = true},
	    {.name = "processor", .title = "processor", .wraps = true},
	    {.name = "cpus", .title = "CPUs", .is_detail = true},
	    {.name = "user", .title = "user's own", .is_detail = true},
	    {.name = "source", .title = "source", .is_footnote = true},
	    {.name = "note", .title = "note", .is_footnote = true},
	};
	struct rs_predictors table;
	int ret = rs_predictors_load(&table, data_dir, err);
	if (ret)
		return ret;
	char identity[RS_IDENTITY_BYTES];
	rs_cpu_identity(rs_counters_of_host(), cpu, identity);
	const struct rs_predictor *const chosen =
	    rs_predictors_choose(&table, identity);
	ret = start(out, "presets", columns, sizeof(columns) / sizeof(columns[0]),
		    table.n_rows, err);
	if (!ret) {
		for (size_t i = 0; i < table.n_rows && !ret; i++)
			ret = put_preset(out, i, &table.rows[i],
					 &table.rows[i] == chosen);
		ret = finish(out, ret, err);
	}
	rs_predictors_free(&table);
	return ret;
}
