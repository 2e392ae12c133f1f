#ifndef SRC_FINDINGS_H
#define SRC_FINDINGS_H

/* What an audit has to say, and the words for it. */

#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"

enum rs_finding_kind {
	/* Findings. */
	RS_PUSH_WITHOUT_POP, /* a call that is pushed, only to read the PC */
	RS_POP_WITHOUT_PUSH, /* a return that goes elsewhere */
	RS_CALL_POPS,        /* a call that pops first: the same kind to a reader */
	RS_RETURN_BY_JUMP,   /* a jump to where the function returns */
	RS_UNBALANCED_PATH,  /* paths that meet, or return, at different depths */
	/* Notes. */
	RS_NOTE_EXEMPT,     /* a call that is not pushed, to read the PC */
	RS_NOTE_THUNK,      /* a function that tells where it was called from */
	RS_NOTE_RETPOLINE,  /* a return whose address was exchanged, below a call */
	RS_NOTE_SWITCH,     /* a return or jump after the stack was exchanged */
	RS_NOTE_TRAMPOLINE, /* signal handlers return to it */
	RS_UNDECODED,       /* bytes of a function that are no instruction */
	RS_N_FINDING_KINDS
};

enum rs_grade {
	RS_GRADE_FINDING,
	RS_GRADE_NOTE,
	RS_GRADE_UNDECODED
};

#define RS_FINDING_MAX_BYTES 16

struct rs_finding {
	enum rs_finding_kind kind;
	uint64_t address;
	uint64_t n_bytes; /* of the instruction, or of what is undecoded */
	unsigned char bytes[RS_FINDING_MAX_BYTES]; /* the first of them */
};

struct rs_findings {
	struct rs_finding *rows;
	size_t n_rows;
	size_t max_rows;
};

/* Returns 0 or -ENOMEM. */
int rs_findings_add(struct rs_findings *findings, const struct rs_finding *finding);

/* By address. */
void rs_findings_sort(struct rs_findings *findings);

/* Accepts an empty object and leaves it empty. */
void rs_findings_free(struct rs_findings *findings);

enum rs_grade rs_finding_grade(enum rs_finding_kind kind);

/* "finding", "note", "undecoded". */
const char *rs_grade_name(enum rs_grade grade);

/* "push-without-pop". */
const char *rs_finding_name(enum rs_finding_kind kind);

/* One clause on what it is. */
const char *rs_finding_text(enum rs_finding_kind kind);

/*
 * Mispredicted returns for each execution in a function that one other has called: the
 * published rules applied (docs/method.md); 0 for what costs none.
 */
unsigned int rs_finding_mispredicts(enum rs_finding_kind kind);

/* "high": the ISA's rules are published; "possible": conventions say so; NULL: none. */
const char *rs_finding_severity(enum rs_finding_kind kind,
				const struct rs_decoder *decoder);

/* What to write instead; NULL: nothing is to be replaced. */
const char *rs_finding_replacement(enum rs_finding_kind kind,
				   const struct rs_decoder *decoder);

#endif
