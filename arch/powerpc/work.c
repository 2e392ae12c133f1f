#include "arch/powerpc/clockread.h"

#include "arch/rows.h"

#ifdef __powerpc64__
#define MORE_LOADS 0
#else
#define MORE_LOADS 8 /* of a line */
#endif

#if defined(_CALL_ELF) && _CALL_ELF == 1
#define DESCRIPTOR_LOADS 3
#else
#define DESCRIPTOR_LOADS 0
#endif

/* clang-format off */

/* Lower bounds: the counts are those of one line and one read (work.S). */
#define WORK(id, n_instructions, n_branches, n_calls)                                  \
	static const struct rs_kernel work_##id = {                                    \
	    RS_K_PLAIN_CODE(work_##id),                                                \
	    .counts = {                                                                \
		.instructions = {(n_instructions) + MORE_LOADS, 0},                    \
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
		.instructions = {32 + READ_INSTRUCTIONS + TICKS_INSTRUCTIONS + (n)     \
				 + MORE_LOADS, 0},                                     \
		.branches = {6 + READ_BRANCHES + TICKS_BRANCHES, 0},                   \
		.pushes = {1, 0},                                                      \
		.pops = {1, 0},                                                        \
		.exempt = {1, 0},                                                      \
	    },                                                                         \
	};

#define ROW(id, row_name, n, row_text)                                                 \
	{.name = row_name, .text = row_text, .kernel = &work_##id,                     \
	 .effect = RS_EFFECT_EXEMPT},

#pragma GCC visibility push(hidden)
RS_K_PLAIN(work_none);
RS_K_PLAIN(work_vdso);
RS_K_PLAIN(work_libc);
RS_K_PLAIN(work_syscall);
RS_CLOCKREAD_FORMS(DECLARED)
#pragma GCC visibility pop

WORK(none, 17, 2, 0);
WORK(vdso, 27, 4, 1);
WORK(libc, 27 + DESCRIPTOR_LOADS, 4, 1);
WORK(syscall, 26, 3, 0);

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
	.kernel = &work_vdso,
    },
    {
	.name = "libc",
	.text = "reads the clock through the C library",
	.target = RS_TARGET_LIBC,
	.kernel = &work_libc,
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
