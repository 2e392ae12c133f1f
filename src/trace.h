#ifndef SRC_TRACE_H
#define SRC_TRACE_H

/*
 * What the link-stack model makes of an executed program: totals, and the instructions
 * that unbalance the stack or suffer from it. Each thread has a link stack of its own,
 * which is empty when it begins; that other threads use the same processor, and the
 * kernel's own calls and returns, are not part of it.
 */

#include <stdbool.h>
#include <stdint.h>

#include "arch/arch.h"
#include "src/base/err.h"
#include "src/linkstack.h"
#include "src/shadow.h"
#include "src/tracesites.h"

struct rs_trace_totals {
	uint64_t instructions;
	uint64_t undecoded; /* of them: they could not be read */
	uint64_t calls;     /* pushed */
	uint64_t returns;
	uint64_t exempt; /* calls in a form that is not pushed */
	uint64_t mispredicts;
	uint64_t deepest; /* calls in flight at once, in one thread */
	uint64_t threads; /* that were begun */
};

struct rs_trace {
	struct rs_linkstack_rules rules;
	struct rs_tracesites sites;
	struct rs_trace_totals totals;
};

/* One thread's stacks. Must stay where it was begun. */
struct rs_trace_thread {
	struct rs_trace *trace; /* borrowed; must outlive this */
	struct rs_linkstack stack;
	struct rs_shadow shadow;
	/* The last site that unbalanced the stack, and how. */
	uint32_t culprit;
	enum rs_trace_kind culprit_kind;
	bool has_culprit;
};

/* One executed instruction, and where it is kept. */
struct rs_trace_step {
	const struct rs_insn *insn;
	bool is_decoded;
	bool is_in_memory; /* a call keeps its return address on the stack */
	uint64_t address;
	uint64_t next;  /* the address that was executed after it */
	uint64_t stack; /* the stack pointer before it; 0: not known */
	uint32_t image; /* the next two only where rs_trace_wants_site */
	uint64_t offset;
};

/* max_sites as in src/tracesites.h. Returns 0, -EINVAL for rules out of range, -ENOMEM.
 */
int rs_trace_open(struct rs_trace *out, const struct rs_linkstack_rules *rules,
		  uint32_t max_sites, struct rs_err *err);

/* Accepts an empty object and leaves it empty. */
void rs_trace_close(struct rs_trace *trace);

/* Returns 0 or -ENOMEM. */
int rs_trace_begin(struct rs_trace *trace, struct rs_trace_thread *thread,
		   struct rs_err *err);

/* It executes another program: its calls are gone, and nobody is to blame for it. */
void rs_trace_exec(struct rs_trace_thread *thread);

/* Adds what the thread did to the totals. Accepts an empty object. */
void rs_trace_end(struct rs_trace_thread *thread);

/* Whether an instruction calls or returns, so that its place is asked for. */
bool rs_trace_wants_site(const struct rs_insn *insn);

/* Returns 0 or -ENOMEM. */
int rs_trace_step(struct rs_trace_thread *thread, const struct rs_trace_step *step,
		  struct rs_err *err);

#endif
