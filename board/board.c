#include "board/board.h"

#include <stdio.h>

#include "src/base/text.h"

int rs_board_fail(enum rs_board_exit code, const char *sentence)
{
	fprintf(stderr, "rs-kernels: %s\n", sentence);
	return code;
}

uint64_t rs_board_number(const char *arg, const char *option, uint64_t min,
			 uint64_t max, struct argp_state *state)
{
	char clip[RS_CLIP_BYTES];
	uint64_t value = min;
	if (rs_text_u64(arg, min, max, &value))
		argp_error(state, "--%s takes a number from %llu to %llu, not '%s'",
			   option, (unsigned long long)min, (unsigned long long)max,
			   rs_text_clip(clip, arg));
	return value;
}
