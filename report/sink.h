#ifndef REPORT_SINK_H
#define REPORT_SINK_H

#include <locale.h>
#include <stddef.h>
#include <stdio.h>

/*
 * Where a writer puts its bytes. The first failure is kept and ends the writing, so
 * that a writer need not look at each call. Between begin and end the thread's locale
 * is C.UTF-8 (C where that is not installed): printf and strtod use a decimal point
 * whatever the program's locale is.
 */
struct rs_sink {
	FILE *out;
	int code; /* 0, or the negative errno of the first failure */
	locale_t locale;
	locale_t previous;
};

void rs_sink_begin(struct rs_sink *sink, FILE *out);

/* Flushes, gives the locale back and returns code. */
int rs_sink_end(struct rs_sink *sink);

/* Keeps a negative errno as the first failure; 0 changes nothing. */
void rs_sink_fail(struct rs_sink *sink, int code);

void rs_sink_write(struct rs_sink *sink, const char *bytes, size_t n_bytes);
void rs_sink_text(struct rs_sink *sink, const char *text);
void rs_sink_spaces(struct rs_sink *sink, size_t n);
void rs_sink_printf(struct rs_sink *sink, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* One line, its trailing spaces dropped and a newline added. */
void rs_sink_line(struct rs_sink *sink, const char *text, size_t n_bytes);

/* How rs_sink_wrap breaks lines; all in columns. */
struct rs_wrap {
	size_t width;
	size_t first; /* already on the first line: nothing is put before it */
	size_t hang;  /* spaces before every other line */
};

/* Untrusted text, cleaned and wrapped at words; ends with a newline. */
void rs_sink_wrap(struct rs_sink *sink, const struct rs_wrap *wrap, const char *text);

/* printf into one line that is wrapped to width; later lines hang by two columns. */
void rs_sink_wrapf(struct rs_sink *sink, size_t width, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * Cuts the next line of at most width columns (at least 1) from a clean text and moves
 * *text behind it and the space after it. Returns its length in bytes; its start is
 * where *text was.
 */
size_t rs_wrap_next(const char **text, size_t width);

#endif
