#ifndef TESTS_GOLDEN_RENDER_H
#define TESTS_GOLDEN_RENDER_H

#include <stdio.h>

#include "report/report.h"

/* One output of the fixtures. */
struct rs_rendering {
	const char *format; /* "text" */
	const char *kind;   /* "results", "plain", "sheet", "empty-sheet", "checkup" */
	unsigned int width; /* for text */
	bool use_colour;
};

/*
 * Every format with every kind that it has, text 80 columns wide; ended by a row
 * whose format is NULL.
 */
extern const struct rs_rendering rs_renderings[];

/* Returns what the writer returned; -EINVAL for an unknown format or kind. */
int rs_render(const struct rs_rendering *rendering, FILE *out);

/* The same as text that the caller frees; NULL when the writer failed. */
char *rs_render_text(const struct rs_rendering *rendering);

#endif
