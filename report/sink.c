#include "report/sink.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "report/utf8.h"

void rs_sink_begin(struct rs_sink *sink, FILE *out)
{
	*sink = (struct rs_sink){.out = out};
	sink->locale = newlocale(LC_ALL_MASK, "C.UTF-8", (locale_t)0);
	if (!sink->locale)
		sink->locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	if (sink->locale)
		sink->previous = uselocale(sink->locale);
	else
		sink->code = -ENOMEM;
}

int rs_sink_end(struct rs_sink *sink)
{
	if (!sink->code) {
		errno = 0;
		if (fflush(sink->out) || ferror(sink->out))
			sink->code = errno ? -errno : -EIO;
	}
	if (sink->locale) {
		uselocale(sink->previous);
		freelocale(sink->locale);
		sink->locale = (locale_t)0;
	}
	return sink->code;
}

void rs_sink_fail(struct rs_sink *sink, int code)
{
	if (!sink->code)
		sink->code = code;
}

void rs_sink_write(struct rs_sink *sink, const char *bytes, size_t n_bytes)
{
	if (sink->code)
		return;
	errno = 0;
	if (fwrite(bytes, 1, n_bytes, sink->out) != n_bytes)
		sink->code = errno ? -errno : -EIO;
}

void rs_sink_text(struct rs_sink *sink, const char *text)
{
	rs_sink_write(sink, text, strlen(text));
}

void rs_sink_spaces(struct rs_sink *sink, size_t n)
{
	while (n-- > 0)
		rs_sink_write(sink, " ", 1);
}

void rs_sink_printf(struct rs_sink *sink, const char *fmt, ...)
{
	if (sink->code)
		return;
	va_list args;
	va_start(args, fmt);
	errno = 0;
	if (vfprintf(sink->out, fmt, args) < 0)
		sink->code = errno ? -errno : -EIO;
	va_end(args);
}

void rs_sink_line(struct rs_sink *sink, const char *text, size_t n_bytes)
{
	while (n_bytes > 0 && text[n_bytes - 1] == ' ')
		n_bytes--;
	rs_sink_write(sink, text, n_bytes);
	rs_sink_text(sink, "\n");
}

size_t rs_wrap_next(const char **text, size_t width)
{
	const char *const start = *text;
	size_t n = rs_utf8_fit(start, width);
	if (n == 0 && *start) {
		const char *next = start;
		rs_utf8_next(&next);
		n = (size_t)(next - start);
	}
	const char *end = start + n;
	if (*end && *end != ' ') {
		while (end > start && end[-1] != ' ')
			end--;
		if (end == start)
			end = start + n; /* one word fills the line: it is broken */
	}
	*text = end;
	while (**text == ' ')
		(*text)++;
	while (end > start && end[-1] == ' ')
		end--;
	return (size_t)(end - start);
}

void rs_sink_wrap(struct rs_sink *sink, const struct rs_wrap *wrap, const char *text)
{
	char *const clean = rs_utf8_clean(text);
	if (!clean) {
		rs_sink_fail(sink, -ENOMEM);
		return;
	}
	const char *rest = clean;
	size_t used = wrap->first;
	do {
		const char *const start = rest;
		const size_t room = wrap->width > used ? wrap->width - used : 1;
		const size_t n = rs_wrap_next(&rest, room);
		rs_sink_write(sink, start, n);
		rs_sink_text(sink, "\n");
		used = wrap->hang;
		if (*rest)
			rs_sink_spaces(sink, used);
	} while (*rest && !sink->code);
	free(clean);
}

void rs_sink_wrapf(struct rs_sink *sink, size_t width, const char *fmt, ...)
{
	char *text = NULL;
	va_list args;
	va_start(args, fmt);
	const int wanted = vasprintf(&text, fmt, args);
	va_end(args);
	if (wanted < 0) {
		rs_sink_fail(sink, -ENOMEM);
		return;
	}
	rs_sink_wrap(sink, &(const struct rs_wrap){.width = width, .hang = 2}, text);
	free(text);
}
