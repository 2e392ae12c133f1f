/* Apart from report.c, whose rows need every writer and their libraries. */

#include "report/writers.h"

#define DEFAULT_WIDTH 80
#define NARROWEST     40 /* below it nothing is readable; lines then run over */

size_t rs_style_width(const struct rs_style *style)
{
	const unsigned int width = style->width ? style->width : DEFAULT_WIDTH;
	return width < NARROWEST ? NARROWEST : width;
}
