/* In the place of board_check.c where the instruction set has no kernels. */

#include <stdio.h>

#include "board/board.h"

int rs_board_check(int argc, char **argv)
{
	static const struct argp parser = {
	    .doc = "Call every kernel and look at what it left behind. Exit status: 77 "
		   "there are none.",
	};
	if (argp_parse(&parser, argc, argv, 0, NULL, NULL))
		return RS_BOARD_USAGE;
	printf("not checked: %s\n", rs_isa_host()->absent);
	return RS_BOARD_UNMEASURABLE;
}
