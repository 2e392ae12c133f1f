#ifndef SRC_ORACLE_H
#define SRC_ORACLE_H

#include "arch/arch.h"
#include "src/base/err.h"
#include "src/vdso.h"

/* A clock id of clock_gettime(2), by the name used in selections. */
struct rs_clock {
	const char *name; /* "monotonic_raw"; NULL ends the list */
	int id;
};

const struct rs_clock *rs_clocks(void);

/* Accepts "monotonic", "CLOCK_MONOTONIC" and "1"; NULL for what is none of them. */
const struct rs_clock *rs_clock_find(const char *text);

/* How a vDSO function answers here. */
enum rs_answer {
	RS_ANSWER_IN_VDSO,     /* without entering the kernel */
	RS_ANSWER_VIA_SYSCALL, /* it falls back to the system call */
	RS_ANSWER_ABSENT,      /* no such symbol */
	RS_ANSWER_BROKEN,      /* disagrees with the system call, or crashes */
	RS_ANSWER_ERROR,       /* both report an error, such as EINVAL for a clock id */
	RS_ANSWER_UNKNOWN,     /* the oracle itself could not run; reason says why */
	RS_N_ANSWER
};

/* "in-vdso", "via-syscall", "absent", "broken", "error", "unknown". */
const char *rs_answer_name(enum rs_answer answer);

struct rs_verdict {
	enum rs_answer answer;
	char reason[256]; /* one sentence; "" for in-vdso */
};

/*
 * Compares one result of the function with its system call, then calls it in a child
 * whose system call is trapped by seccomp. clock is looked at only where the workload
 * takes one. The caller's process keeps its seccomp state.
 */
void rs_oracle_ask(const struct rs_vdso *vdso, const struct rs_isa *isa,
		   const struct rs_workload *workload, int clock,
		   struct rs_verdict *out);

#endif
