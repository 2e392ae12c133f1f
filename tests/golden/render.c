#include "tests/golden/render.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/golden/fixture.h"

const struct rs_rendering rs_renderings[] = {
    {"text", "results", 80, false},
    {"text", "plain", 80, false},
    {"text", "sheet", 80, false},
    {"text", "empty-sheet", 80, false},
    {"text", "checkup", 80, false},
    {"csv", "results", 0, false},
    {"csv", "plain", 0, false},
    {"csv", "sheet", 0, false},
    {"csv", "empty-sheet", 0, false},
    {"csv", "checkup", 0, false},
    {"summary-csv", "results", 0, false},
    {"summary-csv", "plain", 0, false},
    {"json", "results", 0, false},
    {"json", "plain", 0, false},
    {"json", "sheet", 0, false},
    {"json", "empty-sheet", 0, false},
    {"json", "checkup", 0, false},
    {"tap", "checkup", 0, false},
    {NULL, NULL, 0, false},
};

int rs_render(const struct rs_rendering *rendering, FILE *out)
{
	const struct rs_format *const format = rs_format_find(rendering->format);
	const struct rs_style style = {
	    .width = rendering->width,
	    .use_colour = rendering->use_colour,
	};
	const char *const kind = rendering->kind;
	if (!format)
		return -EINVAL;
	if (strcmp(kind, "results") == 0 && format->results)
		return format->results(rs_fixture_results(), &style, out);
	if (strcmp(kind, "plain") == 0 && format->results)
		return format->results(rs_fixture_plain(), &style, out);
	if (strcmp(kind, "sheet") == 0 && format->sheet)
		return format->sheet(rs_fixture_sheet(), &style, out);
	if (strcmp(kind, "empty-sheet") == 0 && format->sheet)
		return format->sheet(rs_fixture_empty_sheet(), &style, out);
	if (strcmp(kind, "checkup") == 0 && format->checkup)
		return format->checkup(rs_fixture_checkup(), &style, out);
	return -EINVAL;
}

char *rs_render_text(const struct rs_rendering *rendering)
{
	char *text = NULL;
	size_t n_bytes = 0;
	FILE *const out = open_memstream(&text, &n_bytes);
	if (!out)
		return NULL;
	const int ret = rs_render(rendering, out);
	if (fclose(out) == 0 && ret == 0)
		return text;
	free(text);
	return NULL;
}
