#include "report/html.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "report/utf8.h"

static const char *entity_of(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

static void put_escaped(struct rs_sink *sink, const char *clean)
{
	for (const char *at = clean; *at;) {
		const size_t n = strcspn(at, "&<>\"'");
		rs_sink_write(sink, at, n);
		at += n;
		if (*at)
			rs_sink_text(sink, entity_of(*at++));
	}
}

/* Prints what rs_utf8_clean or rs_utf8_cut allocated, and frees it. */
static void put_owned(struct rs_sink *sink, char *clean)
{
	if (clean)
		put_escaped(sink, clean);
	else
		rs_sink_fail(sink, -ENOMEM);
	free(clean);
}

void rs_html_text(struct rs_sink *sink, const char *text)
{
	put_owned(sink, rs_utf8_clean(text));
}

void rs_html_element(struct rs_sink *sink, const char *tag, const char *attributes,
		     const char *text)
{
	rs_sink_printf(sink, "<%s%s%s>", tag, *attributes ? " " : "", attributes);
	rs_html_text(sink, text ? text : "-");
	rs_sink_printf(sink, "</%s>\n", tag);
}

void rs_html_list(struct rs_sink *sink, const char *text)
{
	if (!text) {
		rs_sink_fail(sink, -ENOMEM);
		return;
	}
	char *const lines = strdup(text);
	if (!lines)
		rs_sink_fail(sink, -ENOMEM);
	char *rest = NULL;
	char *line = lines ? strtok_r(lines, "\n", &rest) : NULL;
	if (line)
		rs_sink_text(sink, "<ul>\n");
	const bool has_lines = line != NULL;
	for (; line; line = strtok_r(NULL, "\n", &rest))
		rs_html_element(sink, "li", "", line);
	if (has_lines)
		rs_sink_text(sink, "</ul>\n");
	free(lines);
}

void rs_svg_begin(const struct rs_svg *svg, const char *title, const char *desc)
{
	rs_sink_printf(svg->sink,
		       "<svg role=\"img\" viewBox=\"0 0 %u %u\" width=\"%u\" "
		       "height=\"%u\">\n",
		       svg->width, svg->height, svg->width, svg->height);
	rs_html_element(svg->sink, "title", "", title);
	rs_html_element(svg->sink, "desc", "", desc);
}

void rs_svg_end(const struct rs_svg *svg)
{
	rs_sink_text(svg->sink, "</svg>\n");
}

void rs_svg_line(const struct rs_svg *svg, const char *css, double x1, double y1,
		 double x2, double y2)
{
	rs_sink_printf(
	    svg->sink,
	    "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
	    css, x1, y1, x2, y2);
}

void rs_svg_dot(const struct rs_svg *svg, const char *css, double x, double y,
		double radius)
{
	rs_sink_printf(svg->sink,
		       "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>\n",
		       css, x, y, radius);
}

void rs_svg_box(const struct rs_svg *svg, const char *css, double x, double y,
		double width, double height)
{
	rs_sink_printf(svg->sink,
		       "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
		       "height=\"%.1f\"/>\n",
		       css, x, y, width, height);
}

void rs_svg_text(const struct rs_svg *svg, const char *css, double x, double y,
		 const char *text, unsigned int max)
{
	rs_sink_printf(svg->sink, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", css, x,
		       y);
	rs_sink_text(svg->sink, "<title>");
	rs_html_text(svg->sink, text);
	rs_sink_text(svg->sink, "</title>");
	put_owned(svg->sink, rs_utf8_cut(text, max));
	rs_sink_text(svg->sink, "</text>\n");
}
