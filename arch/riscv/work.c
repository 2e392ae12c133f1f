#include "arch/riscv/clockread.h"

#include "arch/rows.h"

/* clang-format off */

/* Lower bounds: the counts are those of one line and one read (work.S). */
#define WORK(id, n_instructions, n_branches, n_calls)                                  \
	static const struct rs_kernel work_##id = {                                    \
	    RS_K_PLAIN_CODE(work_##id),                                                \
	    .counts = {                                                                \
		.instructions = {(n_instructions), 0},                                 \
		.branches = {(n_branches), 0},                                         \
		.pushes = {(n_calls), 0},                                              \
		.pops = {(n_calls), 0},                                                \
	    },                                                                         \
	}

#define DECLARED(id, name, n, text)                                                    \
	RS_K_PLAIN(work_##id);                                                         \
	extern const unsigned char rs_k_work_##id##_data_word[];

#define KERNEL(id, name, n, text)                                                      \
	static const struct rs_kernel work_##id = {                                    \
	    RS_K_PLAIN_CODE(work_##id),                                                \
	    .data_word = rs_k_work_##id##_data_word,                                   \
	    .counts = {                                                                \
		.instructions = {53 + (n), 0},                                         \
		.branches = {8, 0},                                                    \
		.pushes = {1, 0},                                                      \
		.pops = {1, 0},                                                        \
	    },                                                                         \
	};

#define ROW(id, row_name, n, row_text)                                                 \
	{.name = row_name, .text = row_text, .kernel = &work_##id},

#pragma GCC visibility push(hidden)
RS_K_PLAIN(work_none);
RS_K_PLAIN(work_target);
RS_K_PLAIN(work_syscall);
RS_CLOCKREAD_FORMS(DECLARED)
#pragma GCC visibility pop

WORK(none, 15, 2, 0);
WORK(target, 23, 4, 1);
WORK(syscall, 23, 3, 0);

RS_CLOCKREAD_FORMS(KERNEL)

const struct rs_variant rs_work_rows[] = {
    {
	.name = "none",
	.text = "reads the block and no clock",
	.kernel = &work_none,
    },
    {
	.name = "vdso",
	.text = "reads the clock through the vDSO",
	.target = RS_TARGET_VDSO,
	.kernel = &work_target,
    },
    {
	.name = "libc",
	.text = "reads the clock through the C library",
	.target = RS_TARGET_LIBC,
	.kernel = &work_target,
    },
    {
	.name = "syscall",
	.text = "reads the clock by the system call",
	.target = RS_TARGET_SYSCALL,
	.kernel = &work_syscall,
    },
    RS_CLOCKREAD_FORMS(ROW)
    {.name = NULL},
};
