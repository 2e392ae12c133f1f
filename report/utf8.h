#ifndef REPORT_UTF8_H
#define REPORT_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Text from outside (event names, reasons, paths) made fit for a file or a terminal.
 * Widths and printability are those of the calling thread's locale; see rs_sink_begin.
 */

/*
 * The next code point of text, which must not be at its end; *text moves past it.
 * -1, moving one byte, where the bytes are not UTF-8 (RFC 3629: no overlong forms, no
 * surrogates, nothing above U+10FFFF).
 */
int32_t rs_utf8_next(const char **text);

bool rs_utf8_is_valid(const char *text);

/*
 * A copy in which each byte that is not UTF-8 became U+FFFD, for files. The caller
 * frees it; NULL when there is no memory.
 */
char *rs_utf8_repair(const char *text);

/*
 * A copy for terminals: what is not UTF-8, controls the terminal or takes no column of
 * its own became '?', one for each. Newlines and tabs became spaces. The caller frees
 * it; NULL when there is no memory.
 */
char *rs_utf8_clean(const char *text);

/* Columns of a text that rs_utf8_clean gave. */
size_t rs_utf8_width(const char *text);

/* Bytes of the longest start of a clean text that fits into width columns. */
size_t rs_utf8_fit(const char *text, size_t width);

/*
 * rs_utf8_clean, then cut in its middle ("abc...xyz") to at most width columns, at
 * least 5: both ends of an event's name tell it from its neighbours. The caller frees
 * it; NULL when there is no memory.
 */
char *rs_utf8_cut(const char *text, size_t width);

#endif
