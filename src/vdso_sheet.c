#include "src/vdso_sheet.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/file.h"
#include "src/oracle.h"

enum column {
	COLUMN_FUNCTION,
	COLUMN_CLOCK,
	COLUMN_VERDICT,
	COLUMN_REASON,
	COLUMN_SYMBOL,
	COLUMN_VERSION,
	COLUMN_ALIASES,
	COLUMN_ADDRESS,
	COLUMN_OFFSET,
	COLUMN_SIZE,
	N_COLUMNS
};

static const struct rs_sheet_column columns[N_COLUMNS] = {
    [COLUMN_FUNCTION] = {.name = "function", .title = "function"},
    [COLUMN_CLOCK] = {.name = "clock", .title = "clock"},
    [COLUMN_VERDICT] = {.name = "verdict", .title = "verdict"},
    [COLUMN_REASON] = {.name = "reason", .title = "reason", .is_footnote = true},
    [COLUMN_SYMBOL] = {.name = "symbol", .title = "symbol", .is_detail = true},
    [COLUMN_VERSION] = {.name = "version", .title = "version"},
    [COLUMN_ALIASES] = {.name = "aliases", .title = "aliases", .is_detail = true},
    [COLUMN_ADDRESS] = {.name = "address", .title = "address", .is_right = true},
    [COLUMN_OFFSET] = {.name = "offset", .title = "offset", .is_detail = true},
    [COLUMN_SIZE] = {.name = "size_bytes",
		     .title = "bytes",
		     .is_right = true,
		     .is_number = true},
};

/*
 * Strings are gathered in one growing text and remembered by their offset in it, so
 * that the finished sheet is one block: pointers to cells, pointers to notes, text.
 */
struct gathering {
	FILE *text;
	char *bytes;
	size_t n_bytes;
	size_t *cells; /* offsets + 1; 0: absent */
	size_t n_rows;
	size_t max_rows;
	size_t notes[4];
	size_t n_notes;
};

__attribute__((format(printf, 2, 3))) static size_t put(struct gathering *gathering,
							const char *fmt, ...)
{
	const long at = ftell(gathering->text);
	va_list args;
	va_start(args, fmt);
	vfprintf(gathering->text, fmt, args);
	va_end(args);
	fputc('\0', gathering->text);
	return (size_t)at + 1;
}

static size_t put_text(struct gathering *gathering, const char *text)
{
	return text && text[0] ? put(gathering, "%s", text) : 0;
}

static size_t *add_row(struct gathering *gathering)
{
	if (gathering->n_rows == gathering->max_rows) {
		const size_t n = gathering->max_rows ? 2 * gathering->max_rows : 32;
		size_t *const grown = reallocarray(gathering->cells, n * N_COLUMNS,
						   sizeof(*gathering->cells));
		if (!grown)
			return NULL;
		gathering->cells = grown;
		gathering->max_rows = n;
	}
	size_t *const row = gathering->cells + N_COLUMNS * gathering->n_rows++;
	memset(row, 0, N_COLUMNS * sizeof(*row));
	return row;
}

/* What every row of one function shares. */
struct subject {
	const struct rs_vdso *vdso;
	const struct rs_isa *isa;
	const char *function;
	const struct rs_workload *workload;  /* NULL: nothing here measures it */
	const struct rs_vdso_symbol *symbol; /* NULL: absent */
	bool is_chosen; /* the symbol is the one that the workload calls */
};

/* The other names of the same code, such as the plain weak ones of x86. */
static size_t put_aliases(struct gathering *gathering, const struct subject *subject)
{
	const struct rs_vdso *const vdso = subject->vdso;
	char text[256] = "";
	size_t used = 0;
	for (size_t i = 0; i < vdso->n_symbols && used < sizeof(text); i++) {
		const struct rs_vdso_symbol *const other = &vdso->symbols[i];
		if (other == subject->symbol ||
		    other->offset != subject->symbol->offset)
			continue;
		const int n = snprintf(text + used, sizeof(text) - used, "%s%s",
				       used ? " " : "", other->name);
		used += n > 0 ? (size_t)n : 0;
	}
	return put_text(gathering, text);
}

static void fill_symbol(struct gathering *gathering, size_t *row,
			const struct subject *subject)
{
	const struct rs_vdso_symbol *const symbol = subject->symbol;
	row[COLUMN_SYMBOL] = put_text(gathering, symbol->name);
	row[COLUMN_VERSION] = put_text(gathering, symbol->version);
	row[COLUMN_ALIASES] = put_aliases(gathering, subject);
	row[COLUMN_ADDRESS] = put(gathering, "%#" PRIxPTR, (uintptr_t)symbol->address);
	row[COLUMN_OFFSET] = put(gathering, "%#" PRIx64, symbol->offset);
	if (symbol->n_bytes)
		row[COLUMN_SIZE] = put(gathering, "%" PRIu64, symbol->n_bytes);
}

static void fill_verdict(struct gathering *gathering, size_t *row,
			 const struct subject *subject, const struct rs_operand *clock)
{
	if (!subject->workload) {
		row[COLUMN_REASON] =
		    put(gathering, "not checked: no workload calls it");
		return;
	}
	if (!subject->is_chosen) {
		row[COLUMN_REASON] = put(gathering,
					 "not checked: workload %s calls another "
					 "symbol of this name",
					 subject->workload->name);
		return;
	}
	struct rs_verdict verdict;
	rs_oracle_ask(subject->vdso, subject->isa, subject->workload,
		      clock ? clock->id : 0, &verdict);
	row[COLUMN_VERDICT] = put_text(gathering, rs_answer_name(verdict.answer));
	row[COLUMN_REASON] = put_text(gathering, verdict.reason);
}

static int add_line(struct gathering *gathering, const struct subject *subject,
		    const struct rs_operand *clock)
{
	size_t *const row = add_row(gathering);
	if (!row)
		return -ENOMEM;
	row[COLUMN_FUNCTION] = put_text(gathering, subject->function);
	row[COLUMN_CLOCK] = put_text(gathering, clock ? clock->name : NULL);
	if (subject->symbol)
		fill_symbol(gathering, row, subject);
	fill_verdict(gathering, row, subject, clock);
	return 0;
}

static int add_subject(struct gathering *gathering, const struct subject *subject)
{
	if (!subject->workload || !subject->workload->takes_clock ||
	    !subject->is_chosen || !subject->symbol)
		return add_line(gathering, subject, NULL);
	for (const struct rs_operand *clock = rs_clocks(); clock->name; clock++) {
		if (add_line(gathering, subject, clock))
			return -ENOMEM;
	}
	return 0;
}

/*
 * Of several symbols of one address, one gets the row: what a workload would call,
 * else the first. NULL: another symbol has the row of this address.
 */
static const struct rs_vdso_symbol *row_symbol(const struct rs_vdso *vdso,
					       const struct rs_isa *isa,
					       const struct rs_vdso_symbol *symbol)
{
	for (const struct rs_vdso_symbol *s = vdso->symbols; s < symbol; s++) {
		if (s->offset == symbol->offset)
			return NULL;
	}
	const struct rs_vdso_symbol *const chosen =
	    rs_vdso_find(vdso, isa, rs_vdso_function_name(symbol->name));
	return chosen && chosen->offset == symbol->offset ? chosen : symbol;
}

static int add_functions(struct gathering *gathering, const struct rs_vdso *vdso,
			 const struct rs_isa *isa)
{
	for (size_t i = 0; i < vdso->n_symbols; i++) {
		const struct rs_vdso_symbol *const symbol =
		    row_symbol(vdso, isa, &vdso->symbols[i]);
		if (!symbol)
			continue;
		const char *const function = rs_vdso_function_name(symbol->name);
		const struct subject subject = {
		    .vdso = vdso,
		    .isa = isa,
		    .function = function,
		    .workload = rs_workload_of_function(function),
		    .symbol = symbol,
		    .is_chosen = rs_vdso_find(vdso, isa, function) == symbol,
		};
		if (add_subject(gathering, &subject))
			return -ENOMEM;
	}
	return 0;
}

static int add_absent(struct gathering *gathering, const struct rs_vdso *vdso,
		      const struct rs_isa *isa)
{
	for (const struct rs_workload *w = rs_workloads(); w->name; w++) {
		if (!rs_workload_is_vdso(w) || rs_vdso_find(vdso, isa, w->function))
			continue;
		const struct subject subject = {
		    .vdso = vdso,
		    .isa = isa,
		    .function = w->function,
		    .workload = w,
		    .is_chosen = true,
		};
		if (add_subject(gathering, &subject))
			return -ENOMEM;
	}
	return 0;
}

static void add_note(struct gathering *gathering, size_t note)
{
	if (note)
		gathering->notes[gathering->n_notes++] = note;
}

static void add_notes(struct gathering *gathering, const struct rs_vdso *vdso,
		      const char *why)
{
	if (!vdso->base) {
		add_note(gathering, put_text(gathering, why));
		return;
	}
	add_note(gathering, put(gathering, "image at %#" PRIxPTR ", %zu bytes mapped",
				(uintptr_t)vdso->base, vdso->n_bytes));
	add_note(gathering, put(gathering, "build-id %s",
				vdso->build_id ? vdso->build_id : "none"));
	char clocksource[64];
	if (rs_file_read_text(clocksource, sizeof(clocksource),
			      "/sys/devices/system/clocksource/clocksource0/"
			      "current_clocksource") > 0)
		add_note(gathering, put(gathering, "clocksource %s", clocksource));
	add_note(gathering, put_text(gathering, vdso->note));
}

/* Copies everything into one block, which rs_vdso_sheet_free knows by its cells. */
static int pack(struct rs_sheet *out, const struct gathering *gathering)
{
	const size_t n_cells = gathering->n_rows * N_COLUMNS;
	const size_t n_strings = n_cells + gathering->n_notes;
	const char **const strings =
	    malloc(n_strings * sizeof(*strings) + gathering->n_bytes + 1);
	if (!strings)
		return -ENOMEM;
	char *const text = (char *)(strings + n_strings);
	memcpy(text, gathering->bytes, gathering->n_bytes);
	for (size_t i = 0; i < n_strings; i++) {
		const size_t at =
		    i < n_cells ? gathering->cells[i] : gathering->notes[i - n_cells];
		strings[i] = at ? text + at - 1 : NULL;
	}
	*out = (struct rs_sheet){
	    .title = "vDSO functions",
	    .columns = columns,
	    .n_columns = N_COLUMNS,
	    .cells = strings,
	    .n_rows = gathering->n_rows,
	    .notes = strings + n_cells,
	    .n_notes = gathering->n_notes,
	};
	return 0;
}

int rs_vdso_sheet_make(struct rs_sheet *out, const struct rs_vdso *vdso,
		       const struct rs_isa *isa, const char *why, struct rs_err *err)
{
	struct gathering gathering = {.text = NULL};
	int ret = -ENOMEM;
	*out = (struct rs_sheet){.title = NULL};
	gathering.text = open_memstream(&gathering.bytes, &gathering.n_bytes);
	if (!gathering.text)
		goto out;
	if (add_functions(&gathering, vdso, isa) || add_absent(&gathering, vdso, isa))
		goto out;
	add_notes(&gathering, vdso, why);
	const bool is_whole = !ferror(gathering.text);
	if (fclose(gathering.text) == 0 && is_whole)
		ret = pack(out, &gathering);
	gathering.text = NULL;
out:
	if (gathering.text)
		fclose(gathering.text);
	free(gathering.bytes);
	free(gathering.cells);
	return ret ? rs_err_set(err, ret, "no memory for the table of vDSO functions")
		   : 0;
}

void rs_vdso_sheet_free(struct rs_sheet *sheet)
{
	free(sheet->cells);
	*sheet = (struct rs_sheet){.title = NULL};
}
