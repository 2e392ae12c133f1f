#ifndef SRC_EH_FRAME_H
#define SRC_EH_FRAME_H

/*
 * The functions that the unwind tables of an image tell, which also stripped images
 * keep (Linux Standard Base, "Exception Frames").
 */

#include <stdbool.h>
#include <stdint.h>

#include "src/sections.h"

/* Takes the range of one; returns 0 to go on. */
typedef int rs_eh_frame_take(void *user, uint64_t address, uint64_t n_bytes,
			     bool is_signal);

/*
 * Calls take for each entry of .eh_frame. What cannot be read is passed over, and
 * relocatable objects have none that is of use. Returns 0 or what take returned.
 */
int rs_eh_frame_each(const struct rs_sections *sections, rs_eh_frame_take *take,
		     void *user);

#endif
