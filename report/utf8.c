#include "report/utf8.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/* How a first byte announces its sequence; min refuses overlong forms. */
struct lead {
	unsigned char mask;
	unsigned char bits;
	unsigned int n_more;
	int32_t min;
};

static const struct lead leads[] = {
    {0x80, 0x00, 0, 0},
    {0xe0, 0xc0, 1, 0x80},
    {0xf0, 0xe0, 2, 0x800},
    {0xf8, 0xf0, 3, 0x10000},
};

static const struct lead *lead_of(unsigned char byte)
{
	for (size_t i = 0; i < sizeof(leads) / sizeof(leads[0]); i++) {
		if ((byte & leads[i].mask) == leads[i].bits)
			return &leads[i];
	}
	return NULL;
}

int32_t rs_utf8_next(const char **text)
{
	const unsigned char *const bytes = (const unsigned char *)*text;
	const struct lead *const lead = lead_of(bytes[0]);
	(*text)++;
	if (!lead)
		return -1;
	int32_t code = bytes[0] & (unsigned char)~lead->mask;
	for (unsigned int i = 1; i <= lead->n_more; i++) {
		if ((bytes[i] & 0xc0) != 0x80)
			return -1;
		code = code << 6 | (bytes[i] & 0x3f);
	}
	const bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
	if (code < lead->min || is_surrogate || code > 0x10ffff)
		return -1;
	*text += lead->n_more;
	return code;
}

bool rs_utf8_is_valid(const char *text)
{
	while (*text) {
		if (rs_utf8_next(&text) < 0)
			return false;
	}
	return true;
}

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

char *rs_utf8_repair(const char *text)
{
	const size_t growth = sizeof(REPLACEMENT) - 1;
	char *const out = malloc(strlen(text) * growth + 1);
	if (!out)
		return NULL;
	char *end = out;
	while (*text) {
		const char *const start = text;
		const bool ok = rs_utf8_next(&text) >= 0;
		const size_t n = ok ? (size_t)(text - start) : growth;
		memcpy(end, ok ? start : REPLACEMENT, n);
		end += n;
	}
	*end = '\0';
	return out;
}

/* '\0': show the character as it is. */
static char stand_in(int32_t code)
{
	if (code == '\n' || code == '\t')
		return ' ';
	if (code < 0 || wcwidth((wchar_t)code) <= 0)
		return '?';
	return '\0';
}

char *rs_utf8_clean(const char *text)
{
	char *const out = malloc(strlen(text) + 1);
	if (!out)
		return NULL;
	char *end = out;
	while (*text) {
		const char *const start = text;
		const char other = stand_in(rs_utf8_next(&text));
		const size_t n = other ? 1 : (size_t)(text - start);
		memcpy(end, other ? &other : start, n);
		end += n;
	}
	*end = '\0';
	return out;
}

static size_t width_of(int32_t code)
{
	const int width = wcwidth((wchar_t)code);
	return width > 0 ? (size_t)width : 1;
}

size_t rs_utf8_width(const char *text)
{
	size_t width = 0;
	while (*text)
		width += width_of(rs_utf8_next(&text));
	return width;
}

size_t rs_utf8_fit(const char *text, size_t width)
{
	const char *end = text;
	size_t used = 0;
	while (*end) {
		const char *next = end;
		used += width_of(rs_utf8_next(&next));
		if (used > width)
			break;
		end = next;
	}
	return (size_t)(end - text);
}

char *rs_utf8_cut(const char *text, size_t width)
{
	static const char dots[] = "...";
	char *const clean = rs_utf8_clean(text);
	if (!clean || rs_utf8_width(clean) <= width)
		return clean;
	const size_t kept = width - (sizeof(dots) - 1);
	const size_t tail_width = kept / 2;
	const size_t head = rs_utf8_fit(clean, kept - tail_width);
	const char *tail = clean + head;
	while (rs_utf8_width(tail) > tail_width)
		rs_utf8_next(&tail);
	/* What is cut out may be shorter in bytes than the dots: move via a copy. */
	char *const out = malloc(head + sizeof(dots) + strlen(tail));
	if (out) {
		memcpy(out, clean, head);
		strcpy(stpcpy(out + head, dots), tail);
	}
	free(clean);
	return out;
}
