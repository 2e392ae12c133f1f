#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include "report/sink.h"

/* Markup for the page; texts from outside go through rs_html_text, always. */

/* Escapes text for elements and quoted attributes; what cannot be shown becomes '?'. */
void rs_html_text(struct rs_sink *sink, const char *text);

/* <TAG ATTRIBUTES>text</TAG>; attributes is ours, "" for none; text NULL is a dash. */
void rs_html_element(struct rs_sink *sink, const char *tag, const char *attributes,
		     const char *text);

/*
 * Lines, such as a text writer gave, as the items of a list; nothing for no lines.
 * text may be NULL, as from a memory stream that failed: then the sink fails.
 */
void rs_html_list(struct rs_sink *sink, const char *text);

/* Drawings. A picture says in words what it shows: title and desc. */
struct rs_svg {
	struct rs_sink *sink;
	unsigned int width; /* both in user units */
	unsigned int height;
};

void rs_svg_begin(const struct rs_svg *svg, const char *title, const char *desc);
void rs_svg_end(const struct rs_svg *svg);

/* css is a class of page.css. */
void rs_svg_line(const struct rs_svg *svg, const char *css, double x1, double y1,
		 double x2, double y2);
void rs_svg_dot(const struct rs_svg *svg, const char *css, double x, double y,
		double radius);
void rs_svg_box(const struct rs_svg *svg, const char *css, double x, double y,
		double width, double height);

/* Text cut to max columns, whole as the tooltip; its anchor is of the class. */
void rs_svg_text(const struct rs_svg *svg, const char *css, double x, double y,
		 const char *text, unsigned int max);

#endif
