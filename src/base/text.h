#ifndef SRC_BASE_TEXT_H
#define SRC_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Copies src, cut to fit size (at least 1) with its terminator; false if it was cut. */
bool rs_text_copy(char *dst, size_t size, const char *src);

/*
 * Appends formatted text to a string of size bytes, cut to fit; false if it was cut.
 */
bool rs_text_append(char *dst, size_t size, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * Reads all of text as an unsigned number, decimal or 0x hexadecimal, whatever the
 * locale. Returns 0, -EINVAL (not a number) or -ERANGE (outside min..max).
 */
int rs_text_u64(const char *text, uint64_t min, uint64_t max, uint64_t *out);

/*
 * Reads all of text as a decimal number with an optional fraction, such as "2.5",
 * whatever the locale. Returns 0, -EINVAL or -ERANGE (outside min..max).
 */
int rs_text_double(const char *text, double min, double max, double *out);

#define RS_CLIP_BYTES 72

/*
 * Makes untrusted text printable inside a sentence: control bytes become '?', what
 * is longer than 60 bytes ends in "...". Returns out.
 */
const char *rs_text_clip(char out[RS_CLIP_BYTES], const char *text);

/* Case-insensitive shell glob; a pattern without wildcards must match whole. */
bool rs_text_glob(const char *pattern, const char *text);

/*
 * The name of names (ended by NULL) that is nearest to text by edit distance, for
 * "did you mean"; NULL when none is near.
 */
const char *rs_text_nearest(const char *text, const char *const *names);

#endif
