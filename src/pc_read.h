#ifndef SRC_PC_READ_H
#define SRC_PC_READ_H

/* Does a call only want the address that it leaves behind? */

#include <stdbool.h>

#include "src/graph.h"

/*
 * Whether a call to a place in the piece goes on there for good. On x86: what is called
 * discards the return address. Elsewhere, where a callee may keep it in ways that are
 * not seen: the call skips nothing, or a few words that are no code that could be
 * returned to, and what it goes on with does not return through the link register.
 */
bool rs_is_pc_read(const struct rs_piece *piece, const struct rs_step *step);

#endif
