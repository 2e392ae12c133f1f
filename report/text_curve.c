#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/number.h"
#include "report/report.h"
#include "report/sink.h"
#include "report/writers.h"

#define HEIGHT    12
#define MAX_WIDTH 100
#define MARGIN    10 /* columns of the labels at the left */

struct canvas {
	char cells[HEIGHT][MAX_WIDTH];
	size_t width;
};

static size_t column_of(const struct canvas *canvas, const struct rs_curve *curve,
			double x)
{
	const double first = curve->x[0];
	const double last = curve->x[curve->n - 1];
	return (size_t)lround((x - first) / (last - first) *
			      (double)(canvas->width - 1));
}

static double largest(const struct rs_curve *curve)
{
	double top = 0;
	for (size_t i = 0; i < curve->n; i++)
		top = fmax(top, curve->y[i]);
	return top;
}

static void draw(struct canvas *canvas, const struct rs_curve *curve, double top)
{
	memset(canvas->cells, ' ', sizeof(canvas->cells));
	if (curve->mark.known) {
		const size_t column = column_of(canvas, curve, curve->mark.value);
		for (size_t row = 0; row < HEIGHT; row++)
			canvas->cells[row][column] = ':';
	}
	for (size_t i = 0; i < curve->n; i++) {
		const size_t row =
		    HEIGHT - 1 - (size_t)lround(curve->y[i] / top * (HEIGHT - 1));
		canvas->cells[row][column_of(canvas, curve, curve->x[i])] = '*';
	}
}

static void put_row(const struct canvas *canvas, struct rs_sink *sink, size_t row,
		    double top)
{
	char line[MARGIN + 3 + MAX_WIDTH];
	char number[RS_NUMBER_BYTES] = "";
	if (row % 4 == 0 || row == HEIGHT - 1)
		rs_number_brief(number,
				top * (double)(HEIGHT - 1 - row) / (HEIGHT - 1));
	const int n = snprintf(line, sizeof(line), "%*.*s |", MARGIN, MARGIN, number);
	memcpy(line + n, canvas->cells[row], canvas->width);
	rs_sink_line(sink, line, (size_t)n + canvas->width);
}

int rs_curve_write(const struct rs_curve *curve, const struct rs_style *style,
		   FILE *out)
{
	struct rs_sink sink;
	const size_t width = rs_style_width(style) - MARGIN - 3;
	struct canvas canvas = {.width = width < MAX_WIDTH ? width : MAX_WIDTH};
	const double top = largest(curve);
	if (curve->n < 2 || !isfinite(top) || top <= 0)
		return 0;
	rs_sink_begin(&sink, out);
	draw(&canvas, curve, top);
	rs_sink_printf(&sink, "%s\n", curve->title);
	for (size_t row = 0; row < HEIGHT; row++)
		put_row(&canvas, &sink, row, top);
	rs_sink_printf(&sink, "%*s%-*g%s%*g\n", MARGIN + 2, "",
		       (int)(canvas.width - strlen(curve->x_title)) / 2, curve->x[0],
		       curve->x_title,
		       (int)(canvas.width - strlen(curve->x_title) + 1) / 2,
		       curve->x[curve->n - 1]);
	return rs_sink_end(&sink);
}
