/* Prints a fixture: golden_dump FORMAT KIND [WIDTH]. For tests in other languages. */

#include <stdio.h>
#include <stdlib.h>

#include "tests/golden/render.h"

int main(int argc, char **argv)
{
	if (argc < 3) {
		fputs("usage: golden_dump FORMAT KIND [WIDTH]\n", stderr);
		return 2;
	}
	const struct rs_rendering rendering = {
	    .format = argv[1],
	    .kind = argv[2],
	    .width = argc > 3 ? (unsigned int)strtoul(argv[3], NULL, 10) : 80,
	};
	return rs_render(&rendering, stdout) ? 1 : 0;
}
