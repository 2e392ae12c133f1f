#include "src/base/records.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_BYTES 4096

void rs_csv_begin(struct rs_csv *csv, FILE *file, const char *name, char separator)
{
	*csv = (struct rs_csv){.file = file, .name = name, .separator = separator};
}

void rs_csv_end(struct rs_csv *csv)
{
	free(csv->bytes);
	*csv = (struct rs_csv){0};
}

static int bad(const struct rs_csv *csv, struct rs_err *err, int code, const char *why)
{
	return rs_err_set(err, code, "%s line %zu: %s", csv->name, csv->line, why);
}

static int append(struct rs_csv *csv, char c, struct rs_err *err)
{
	if (csv->n_bytes == RS_CSV_MAX_BYTES)
		return bad(csv, err, -EFBIG, "the record is longer than 1 MiB");
	if (csv->n_bytes == csv->capacity) {
		const size_t capacity = csv->capacity ? 2 * csv->capacity : FIRST_BYTES;
		char *const bytes = realloc(csv->bytes, capacity);
		if (!bytes)
			return bad(csv, err, -ENOMEM, "not enough memory for it");
		csv->bytes = bytes;
		csv->capacity = capacity;
	}
	csv->bytes[csv->n_bytes++] = c;
	return 0;
}

static int take(struct rs_csv *csv)
{
	const int c = getc_unlocked(csv->file);
	if (c == '\n')
		csv->n_read++;
	return c;
}

static int peek(struct rs_csv *csv)
{
	const int c = getc_unlocked(csv->file);
	return c == EOF ? EOF : ungetc(c, csv->file);
}

/* What follows the opening quote, up to the closing one, without either. */
static int read_quoted(struct rs_csv *csv, struct rs_err *err)
{
	for (;;) {
		const int c = take(csv);
		if (c == EOF)
			return bad(csv, err, -EINVAL, "a quoted field does not end");
		if (c == '\0')
			return bad(csv, err, -EINVAL, "it has a NUL byte");
		if (c == '"' && peek(csv) != '"')
			return 0;
		if (c == '"')
			take(csv);
		const int ret = append(csv, (char)c, err);
		if (ret)
			return ret;
	}
}

/* Reads one field with its end; *end is what ended it: the separator, '\n' or EOF. */
static int read_field(struct rs_csv *csv, int *end, struct rs_err *err)
{
	bool was_quoted = false;
	const size_t start = csv->n_bytes;
	for (;;) {
		const int c = take(csv);
		int ret = 0;
		if (c == EOF || c == '\n' || c == csv->separator) {
			*end = c;
			return append(csv, '\0', err);
		}
		if (c == '\0')
			return bad(csv, err, -EINVAL, "it has a NUL byte");
		if (c == '\r')
			continue; /* of a CRLF; alone it means nothing in a field */
		if (c == '"' && csv->n_bytes == start && !was_quoted) {
			was_quoted = true;
			ret = read_quoted(csv, err);
		} else if (was_quoted) {
			return bad(csv, err, -EINVAL,
				   "text follows the closing quote of a field");
		} else {
			ret = append(csv, (char)c, err);
		}
		if (ret)
			return ret;
	}
}

/* The fields lie one behind the other; their addresses are final only now. */
static void point_at_fields(struct rs_csv *csv)
{
	const char *at = csv->bytes;
	for (size_t i = 0; i < csv->n_fields; i++) {
		csv->fields[i] = at;
		at += strlen(at) + 1;
	}
}

int rs_csv_next(struct rs_csv *csv, struct rs_err *err)
{
	csv->n_bytes = 0;
	csv->n_fields = 0;
	csv->line = csv->n_read + 1;
	for (;;) {
		int end = EOF;
		if (csv->n_fields == RS_CSV_MAX_FIELDS)
			return bad(csv, err, -EINVAL, "it has more than 256 fields");
		const int ret = read_field(csv, &end, err);
		if (ret)
			return ret;
		csv->n_fields++;
		if (end == csv->separator)
			continue;
		if (ferror(csv->file))
			return bad(csv, err, -EIO, "it cannot be read");
		if (end == EOF && csv->n_fields == 1 && csv->n_bytes == 1)
			return 0;
		point_at_fields(csv);
		return 1;
	}
}
