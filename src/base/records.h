#ifndef SRC_BASE_RECORDS_H
#define SRC_BASE_RECORDS_H

#include <stddef.h>
#include <stdio.h>

#include "src/base/err.h"

#define RS_CSV_MAX_BYTES  (1 << 20) /* of one record */
#define RS_CSV_MAX_FIELDS 256

/* Reads RFC 4180 records; lines may end in LF or CRLF. */
struct rs_csv {
	FILE *file;
	const char *name; /* what error sentences call it */
	char separator;
	size_t line;   /* where the current record begins, from 1 */
	size_t n_read; /* lines read so far */
	size_t n_fields;
	const char *fields[RS_CSV_MAX_FIELDS];
	char *bytes;
	size_t n_bytes;
	size_t capacity;
};

/* file stays the caller's. Free with rs_csv_end. */
void rs_csv_begin(struct rs_csv *csv, FILE *file, const char *name, char separator);
void rs_csv_end(struct rs_csv *csv);

/*
 * Reads the next record into fields, which live until the next call. Returns 1, 0 at
 * the end of the file, or a negative errno with a sentence that names the line.
 */
int rs_csv_next(struct rs_csv *csv, struct rs_err *err);

#endif
