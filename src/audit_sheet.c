#include "src/audit_sheet.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum column {
	COL_PLACE,
	COL_IMAGE,
	COL_ISA,
	COL_GRADE,
	COL_KIND,
	COL_SEVERITY,
	COL_ADDRESS,
	COL_BYTES,
	COL_MISPREDICTS,
	COL_TEXT,
	COL_REPLACEMENT,
	COL_DECODED,
	COL_FUNCTION,
	N_COLUMNS
};

static const struct rs_sheet_column columns[N_COLUMNS] = {
    [COL_PLACE] = {.name = "place", .title = "function"},
    [COL_IMAGE] = {.name = "image", .title = "image"},
    [COL_ISA] = {.name = "isa", .title = "ISA", .is_detail = true},
    [COL_GRADE] = {.name = "grade", .title = "grade"},
    [COL_KIND] = {.name = "kind", .title = "kind"},
    [COL_SEVERITY] = {.name = "severity", .title = "severity"},
    [COL_ADDRESS] = {.name = "address", .title = "address", .is_right = true},
    [COL_BYTES] = {.name = "bytes", .title = "bytes"},
    [COL_MISPREDICTS] = {.name = "mispredicts",
			 .title = "mispredicts",
			 .is_right = true,
			 .is_number = true},
    [COL_TEXT] = {.name = "text", .title = "what", .is_detail = true},
    [COL_REPLACEMENT] = {.name = "replacement",
			 .title = "write instead",
			 .is_footnote = true},
    [COL_DECODED] = {.name = "decoded_bytes",
		     .title = "decoded",
		     .is_detail = true,
		     .is_number = true},
    [COL_FUNCTION] = {.name = "function_bytes",
		      .title = "in functions",
		      .is_detail = true,
		      .is_number = true},
};

/* Room for one more row, whose cells are absent. */
static const char **add_row(struct rs_audit_sheet *sheet)
{
	if (sheet->n_rows == sheet->max_rows) {
		const size_t max = sheet->max_rows ? 2 * sheet->max_rows : 32;
		const char **const grown =
		    reallocarray(sheet->cells, max, N_COLUMNS * sizeof(*sheet->cells));
		if (!grown)
			return NULL;
		sheet->cells = grown;
		sheet->max_rows = max;
	}
	const char **const row = sheet->cells + N_COLUMNS * sheet->n_rows++;
	memset(row, 0, N_COLUMNS * sizeof(*row));
	return row;
}

__attribute__((format(printf, 3, 4))) static void
put(const char **row, enum column column, const char *fmt, ...)
{
	va_list args;
	char *text = NULL;
	va_start(args, fmt);
	row[column] = vasprintf(&text, fmt, args) < 0 ? NULL : text;
	va_end(args);
}

static void put_text(const char **row, enum column column, const char *text)
{
	if (text)
		put(row, column, "%s", text);
}

static void put_place(const char **row, const struct rs_audit *audit, uint64_t address)
{
	uint64_t offset = 0;
	const struct rs_function *const function =
	    audit->entries.symbols.image
		? rs_symbols_find(&audit->entries.symbols, address, &offset)
		: NULL;
	if (!function)
		put(row, COL_PLACE, "?");
	else if (!function->name)
		put(row, COL_PLACE, "%#" PRIx64 "+%#" PRIx64, function->address,
		    offset);
	else
		put(row, COL_PLACE, "%s+%#" PRIx64, function->name, offset);
}

static void put_bytes(const char **row, const struct rs_finding *finding)
{
	char text[2 * RS_FINDING_MAX_BYTES + 8] = "";
	size_t n = 0;
	for (; n < finding->n_bytes && n < RS_FINDING_MAX_BYTES; n++)
		snprintf(text + 2 * n, 3, "%02x", finding->bytes[n]);
	put(row, COL_BYTES, "%s%s", text, n < finding->n_bytes ? "..." : "");
}

/* In a relocatable object an address counts from the start of the section. */
static uint64_t shown_address(const struct rs_audit *audit, uint64_t address)
{
	const struct rs_code_range *const range =
	    audit->entries.symbols.image
		? rs_code_find(&audit->entries.symbols.code, address)
		: NULL;
	return range ? address - range->address + range->base : address;
}

static int add_finding(struct rs_audit_sheet *sheet, const char *image,
		       const struct rs_audit *audit, const struct rs_finding *finding)
{
	const enum rs_finding_kind kind = finding->kind;
	if (sheet->is_brief && rs_finding_grade(kind) == RS_GRADE_UNDECODED)
		return 0;
	const char **const row = add_row(sheet);
	if (!row)
		return -ENOMEM;
	put_place(row, audit, finding->address);
	put_text(row, COL_IMAGE, image);
	put_text(row, COL_ISA, audit->decoder->name);
	put_text(row, COL_GRADE, rs_grade_name(rs_finding_grade(kind)));
	put_text(row, COL_KIND, rs_finding_name(kind));
	put_text(row, COL_SEVERITY, rs_finding_severity(kind, audit->decoder));
	put(row, COL_ADDRESS, "%#" PRIx64, shown_address(audit, finding->address));
	put_bytes(row, finding);
	if (rs_finding_grade(kind) == RS_GRADE_FINDING)
		put(row, COL_MISPREDICTS, "%u", rs_finding_mispredicts(kind));
	if (kind == RS_UNDECODED)
		put(row, COL_TEXT, "%" PRIu64 " bytes that are no instruction",
		    finding->n_bytes);
	else
		put_text(row, COL_TEXT, rs_finding_text(kind));
	put_text(row, COL_REPLACEMENT, rs_finding_replacement(kind, audit->decoder));
	return 0;
}

static int add_coverage(struct rs_audit_sheet *sheet, const char *image,
			const struct rs_audit *audit)
{
	const char **const row = add_row(sheet);
	if (!row)
		return -ENOMEM;
	put_text(row, COL_IMAGE, image);
	put_text(row, COL_ISA, audit->decoder->name);
	put_text(row, COL_GRADE, "coverage");
	put(row, COL_TEXT,
	    "%zu functions; %zu findings, %zu notes; %" PRIu64
	    " bytes of code are in no function",
	    audit->n_functions, rs_audit_count(audit, RS_GRADE_FINDING),
	    rs_audit_count(audit, RS_GRADE_NOTE), audit->other_bytes);
	put(row, COL_DECODED, "%" PRIu64, audit->decoded_bytes);
	put(row, COL_FUNCTION, "%" PRIu64, audit->function_bytes);
	return 0;
}

static int add_note(struct rs_audit_sheet *sheet, const char *image,
		    const struct rs_audit *audit)
{
	const char **const grown =
	    reallocarray(sheet->notes, sheet->n_notes + 1, sizeof(*sheet->notes));
	char *text = NULL;
	if (!grown)
		return -ENOMEM;
	sheet->notes = grown;
	const double part =
	    audit->function_bytes
		? 100.0 * (double)audit->decoded_bytes / (double)audit->function_bytes
		: 100.0;
	if (asprintf(&text,
		     "%s: %s, %zu functions, %" PRIu64 " of their %" PRIu64
		     " bytes decoded (%.2f %%), %" PRIu64
		     " bytes of code in no function; %zu findings, %zu notes",
		     image, audit->decoder->name, audit->n_functions,
		     audit->decoded_bytes, audit->function_bytes, part,
		     audit->other_bytes, rs_audit_count(audit, RS_GRADE_FINDING),
		     rs_audit_count(audit, RS_GRADE_NOTE)) < 0)
		return -ENOMEM;
	sheet->notes[sheet->n_notes++] = text;
	return 0;
}

int rs_audit_sheet_add(struct rs_audit_sheet *sheet, const char *image,
		       const struct rs_audit *audit)
{
	int ret = 0;
	for (size_t i = 0; i < audit->findings.n_rows && !ret; i++)
		ret = add_finding(sheet, image, audit, &audit->findings.rows[i]);
	if (!ret && !sheet->is_brief)
		ret = add_coverage(sheet, image, audit);
	if (!ret)
		ret = add_note(sheet, image, audit);
	sheet->n_findings += rs_audit_count(audit, RS_GRADE_FINDING);
	return ret;
}

struct rs_sheet rs_audit_sheet_get(const struct rs_audit_sheet *sheet)
{
	return (struct rs_sheet){
	    .title = "link-stack audit",
	    .columns = columns,
	    .n_columns = N_COLUMNS,
	    .cells = sheet->cells,
	    .n_rows = sheet->n_rows,
	    .notes = sheet->notes,
	    .n_notes = sheet->n_notes,
	};
}

void rs_audit_sheet_free(struct rs_audit_sheet *sheet)
{
	for (size_t i = 0; i < sheet->n_rows * N_COLUMNS; i++)
		free((char *)(uintptr_t)sheet->cells[i]);
	for (size_t i = 0; i < sheet->n_notes; i++)
		free((char *)(uintptr_t)sheet->notes[i]);
	free(sheet->cells);
	free(sheet->notes);
	*sheet = (struct rs_audit_sheet){.cells = NULL};
}
