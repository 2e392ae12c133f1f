#ifndef SRC_ORACLE_H
#define SRC_ORACLE_H

#include "arch/arch.h"
#include "src/clockid.h"
#include "src/random_state.h"
#include "src/vdso.h"

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
	char reason[256]; /* one sentence without a full stop; "" for in-vdso */
	struct rs_random_params random; /* of getrandom that works; else zeros */
};

/*
 * In a child process, which may crash or hang: compares one result of the function
 * with its system call, then calls it where every system call is trapped by seccomp.
 * clock is looked at only where the workload takes one. Takes well below a
 * millisecond of CPU time, a quarter of a second where the function hangs.
 */
void rs_oracle_ask(const struct rs_vdso *vdso, const struct rs_isa *isa,
		   const struct rs_workload *workload, int clock,
		   struct rs_verdict *out);

/* The same for the C library's getrandom: does it call the vDSO? */
void rs_oracle_ask_libc(const struct rs_vdso *vdso, const struct rs_workload *workload,
			struct rs_verdict *out);

struct rs_trial_plan;

/*
 * How a function is called and compared: fills plan and returns 0, or -ENOENT where
 * the workload's function has no system call, or none that it can be compared with.
 */
int rs_oracle_plan(const struct rs_vdso *vdso, const struct rs_vdso_symbol *symbol,
		   const struct rs_workload *workload, int clock,
		   struct rs_trial_plan *plan);

#endif
