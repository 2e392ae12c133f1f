#include "src/base/text.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool rs_text_copy(char *dst, size_t size, const char *src)
{
	const size_t length = strnlen(src, size);
	const size_t kept = length < size ? length : size - 1;
	memcpy(dst, src, kept);
	dst[kept] = '\0';
	return length < size;
}

bool rs_text_append(char *dst, size_t size, const char *fmt, ...)
{
	const size_t used = strnlen(dst, size);
	va_list args;
	va_start(args, fmt);
	const int wanted = vsnprintf(dst + used, size - used, fmt, args);
	va_end(args);
	return wanted >= 0 && (size_t)wanted < size - used;
}

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 16;
}

int rs_text_u64(const char *text, uint64_t min, uint64_t max, uint64_t *out)
{
	const bool is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	const unsigned int base = is_hex ? 16 : 10;
	const char *const digits = is_hex ? text + 2 : text;
	if (!*digits)
		return -EINVAL;
	uint64_t value = 0;
	bool overflow = false;
	for (const char *c = digits; *c; c++) {
		const unsigned int digit = (unsigned int)digit_value(*c);
		if (digit >= base)
			return -EINVAL;
		overflow |= __builtin_mul_overflow(value, base, &value);
		overflow |= __builtin_add_overflow(value, digit, &value);
	}
	if (overflow || value < min || value > max)
		return -ERANGE;
	*out = value;
	return 0;
}

/* strtod would take its decimal point from the locale, and accept "inf" and "nan". */
int rs_text_double(const char *text, double min, double max, double *out)
{
	double value = 0;
	double scale = 0;
	bool any = false;
	for (const char *c = text; *c; c++) {
		if (*c == '.' && scale == 0) {
			scale = 1;
			continue;
		}
		if (*c < '0' || *c > '9')
			return -EINVAL;
		any = true;
		value = value * 10 + (*c - '0');
		scale *= 10;
	}
	if (!any)
		return -EINVAL;
	if (scale > 1)
		value /= scale;
	if (!isfinite(value) || value < min || value > max)
		return -ERANGE;
	*out = value;
	return 0;
}

const char *rs_text_clip(char out[RS_CLIP_BYTES], const char *text)
{
	enum {
		KEPT = 60
	};
	size_t n = 0;
	for (; text[n] && n < KEPT; n++) {
		const unsigned char c = (unsigned char)text[n];
		out[n] = text[n];
		if (c < ' ' || c == 127)
			out[n] = '?';
	}
	strcpy(out + n, text[n] ? "..." : "");
	return out;
}

bool rs_text_glob(const char *pattern, const char *text)
{
	return fnmatch(pattern, text, FNM_CASEFOLD | FNM_NOESCAPE) == 0;
}

#define NEAREST_BYTES 64

static size_t min3(size_t a, size_t b, size_t c)
{
	const size_t ab = a < b ? a : b;
	return ab < c ? ab : c;
}

/* Levenshtein distance, one row at a time; b is shorter than NEAREST_BYTES. */
static size_t edit_distance(const char *a, const char *b)
{
	size_t row[NEAREST_BYTES + 1];
	const size_t n = strlen(b);
	for (size_t j = 0; j <= n; j++)
		row[j] = j;
	for (size_t i = 1; a[i - 1]; i++) {
		size_t diagonal = row[0];
		row[0] = i;
		for (size_t j = 1; j <= n; j++) {
			const bool same = tolower((unsigned char)a[i - 1]) ==
					  tolower((unsigned char)b[j - 1]);
			const size_t cost = diagonal + (same ? 0 : 1);
			diagonal = row[j];
			row[j] = min3(row[j] + 1, row[j - 1] + 1, cost);
		}
	}
	return row[n];
}

const char *rs_text_nearest(const char *text, const char *const *names)
{
	if (strnlen(text, NEAREST_BYTES) == NEAREST_BYTES)
		return NULL;
	const char *best = NULL;
	size_t best_distance = strlen(text) / 3 + 2;
	for (; *names; names++) {
		if (strlen(*names) >= NEAREST_BYTES)
			continue;
		const size_t distance = edit_distance(text, *names);
		if (distance < best_distance) {
			best = *names;
			best_distance = distance;
		}
	}
	return best;
}
