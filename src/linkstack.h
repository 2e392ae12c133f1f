#ifndef SRC_LINKSTACK_H
#define SRC_LINKSTACK_H

/*
 * A model of the link stack: what a stack with these rules predicts when it sees the
 * calls and returns that a program executed, in program order. Speculation past a
 * mispredict and its repair are not part of it.
 */

#include <stdbool.h>
#include <stdint.h>

#include "arch/arch.h"
#include "src/base/err.h"

#define RS_LINKSTACK_MAX_ENTRIES 65536U

/* What a push does to a full stack. */
enum rs_overflow {
	RS_OVERFLOW_CIRCULAR,     /* a pointer goes round: the oldest is overwritten */
	RS_OVERFLOW_DROP_OLDEST,  /* the same, and the stack knows when it is empty */
	RS_OVERFLOW_REFUSE,       /* the push is lost */
	RS_OVERFLOW_REFUSE_COUNT, /* lost but counted: its return pops nothing */
	RS_N_OVERFLOW
};

/* What a pop of an empty stack predicts. */
enum rs_underflow {
	RS_UNDERFLOW_STALE, /* what is left there: a circular pointer goes on backwards,
			     * the others repeat the entry that was popped last */
	RS_UNDERFLOW_NONE,  /* nothing, which is a mispredict */
	RS_N_UNDERFLOW
};

/* Which forms that keep a return address are not pushed; bits. */
#define RS_EXEMPT_ISA  1U /* "isa": what arch/decode.h calls exempt: bcl+4, call+0 */
#define RS_EXEMPT_NEXT 2U /* "next": any call to the next instruction */
#define RS_EXEMPT_BLRL 4U /* "blrl": powerpc's bclrl only pops */

/* RISC-V: which rd makes a jump a call. Then it does not pop. */
enum rs_linkreg {
	RS_LINKREG_ISA, /* the hints of the specification: x1 and x5 */
	RS_LINKREG_X1,  /* x1 alone */
	RS_LINKREG_ODD, /* any odd register */
	RS_N_LINKREG
};

struct rs_linkstack_rules {
	uint32_t entries; /* 1 to RS_LINKSTACK_MAX_ENTRIES */
	enum rs_overflow overflow;
	enum rs_underflow underflow;
	uint32_t merge; /* so many pushes in a row of one address share an entry; 1 */
	unsigned int exempt; /* RS_EXEMPT_* */
	enum rs_linkreg linkreg;
};

/* The words of the enums in text: "drop-oldest"; NULL outside the enum. */
const char *rs_overflow_name(enum rs_overflow overflow);
const char *rs_underflow_name(enum rs_underflow underflow);
const char *rs_linkreg_name(enum rs_linkreg linkreg);
/* The word of one bit of RS_EXEMPT_*; NULL for others. */
const char *rs_exempt_name(unsigned int bit);

#define RS_NO_SITE UINT32_MAX

/* What a pop made of the stack. */
struct rs_guess {
	bool is_right;    /* else the return is mispredicted */
	bool is_made;     /* false: there was no prediction */
	bool was_empty;   /* no call was held: a prediction is what was left there */
	uint64_t address; /* that was predicted */
	uint32_t site;    /* of the push that left it there; RS_NO_SITE without one */
};

/* Counts since rs_linkstack_open or rs_linkstack_reset_counts. */
struct rs_linkstack_counts {
	uint64_t pushes; /* calls that the stack saw, lost ones included */
	uint64_t pops;
	uint64_t exempt; /* calls in a form that is not pushed */
	uint64_t mispredicts;
};

struct rs_linkstack_slot;

/* Zero-initialise. Read counts; the rest is private. */
struct rs_linkstack {
	struct rs_linkstack_counts counts;
	struct rs_linkstack_rules rules;
	struct rs_linkstack_slot *slots;
	uint32_t top;       /* index of the newest */
	uint32_t n_held;    /* at most rules.entries */
	uint64_t n_refused; /* pushes lost above the newest, where they are counted */
};

/* An empty stack. Returns 0, -EINVAL for rules out of range, or -ENOMEM. */
int rs_linkstack_open(struct rs_linkstack *stack,
		      const struct rs_linkstack_rules *rules, struct rs_err *err);
/* Accepts an empty object and leaves it empty. */
void rs_linkstack_close(struct rs_linkstack *stack);
/* Forgets what was counted but not what is on the stack. */
void rs_linkstack_reset_counts(struct rs_linkstack *stack);

/* A call from site, whose return address is address. site is any number of the
 * caller's.
 */
void rs_linkstack_push(struct rs_linkstack *stack, uint64_t address, uint32_t site);
/* A return that went to target. */
struct rs_guess rs_linkstack_pop(struct rs_linkstack *stack, uint64_t target);
/* A call in a form that is not pushed: it is only counted. */
void rs_linkstack_exempt(struct rs_linkstack *stack);

/* One executed instruction. */
struct rs_executed {
	const struct rs_insn *insn;
	uint64_t address;
	uint64_t next; /* the address that was executed after it */
	uint32_t site; /* for pushes */
};

/*
 * Shows the stack an executed instruction of any kind. Returns what it was to this
 * stack: RS_FLOW_PUSH, EXEMPT, POP, POP_PUSH, or OTHER. After the two that pop, guess
 * says what was predicted; otherwise it is not written.
 */
enum rs_flow rs_linkstack_step(struct rs_linkstack *stack,
			       const struct rs_executed *executed,
			       struct rs_guess *guess);

#endif
