#ifndef SRC_GRAPH_H
#define SRC_GRAPH_H

/*
 * The control flow of a piece of code: which of its bytes are instructions, and which
 * of those begin a line, a run that is entered at its first instruction only. Followed
 * from the entries of functions; what no entry leads to, such as the branches of a
 * jump table, is followed from where the instructions before it end.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"
#include "src/relocs.h"
#include "src/symbols.h"

#define RS_PIECE_MAX_BYTES (1U << 20)

struct rs_piece {
	const struct rs_decoder *decoder;
	const unsigned char *bytes;
	uint64_t address;
	uint32_t n_bytes;                 /* at most RS_PIECE_MAX_BYTES */
	const struct rs_symbols *symbols; /* NULL: none */
	const struct rs_relocs *relocs;   /* NULL: none */
};

enum rs_role {
	RS_ROLE_PLAIN,
	RS_ROLE_CALL,    /* goes on behind it once it has returned */
	RS_ROLE_READ_PC, /* a call that goes on at its target, for the address it keeps
			  */
	RS_ROLE_GO,      /* a jump inside the piece */
	RS_ROLE_LEAVE,   /* a jump out of it */
};

/* How a line is reached; a set of bits. 0: the instruction begins none. */
enum {
	RS_LINE_INNER = 1,  /* by a jump, or as what follows one */
	RS_LINE_ENTRY = 2,  /* as the entry of a function */
	RS_LINE_LOCAL = 4,  /* by a call from within the piece */
	RS_LINE_SWEPT = 8,  /* in no way that was seen */
	RS_LINE_GUESS = 16, /* likewise, where nothing tells functions: it may be one */
};

struct rs_step {
	struct rs_insn insn; /* target: where it goes once relocated */
	uint32_t at;         /* from the start of the piece */
	uint8_t role;        /* enum rs_role */
	uint8_t line;
	uint8_t called; /* LOCAL: the register in which its caller left the address */
};

struct rs_graph {
	const struct rs_piece *piece;
	struct rs_step *steps;
	size_t n_steps;
	uint32_t n_decoded; /* bytes that are part of an instruction */
	/* Room that is used again for each piece. */
	size_t max_steps;
	uint32_t *at_unit; /* step of the unit that starts here, + 1; 0: none */
	uint8_t *covered;  /* by unit */
	size_t max_units;
	uint32_t *queue;
	size_t n_queued;
	size_t max_queued;
};

/*
 * Follows the flow of a piece that begins at one of its n_entries entries, offsets in
 * it. flow is empty or was used before; piece is borrowed until the next call. Returns
 * 0 or -ENOMEM.
 */
int rs_graph_follow(struct rs_graph *graph, const struct rs_piece *piece,
		    const uint32_t *entries, size_t n_entries);

/* Accepts an empty object and leaves it empty. */
void rs_graph_close(struct rs_graph *graph);

/* The step at an offset; NULL: no instruction was found to begin there. */
struct rs_step *rs_graph_at(const struct rs_graph *graph, uint64_t at);

/* The step that a jump inside the piece, or a read of the PC, goes to. */
struct rs_step *rs_graph_target(const struct rs_graph *graph,
				const struct rs_step *step);

/* Whether it may go on with the instruction behind it. */
bool rs_graph_continues(const struct rs_step *step);

/* Whether bytes at an offset are part of an instruction. */
bool rs_graph_covers(const struct rs_graph *graph, uint32_t at);

#endif
