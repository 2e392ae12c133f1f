#include "arch/riscv/clockread.h"

#include "arch/rows.h"

/* clang-format off */

#define DECLARED(id, name, n, text)                                                    \
	RS_K_PLAIN(clockread_##id);                                                    \
	RS_K_PLAIN(clockday_##id);                                                     \
	extern const unsigned char rs_k_clockday_##id##_data_word[];

#define KERNELS(id, name, n, text)                                                     \
	static const struct rs_kernel clockread_##id = {                               \
	    RS_K_PLAIN_CODE(clockread_##id),                                           \
	    .result = RS_RESULT_TICKS,                                                 \
	    .counts = {.instructions = {2 + (n), 0}, .branches = {1, 0}},              \
	    .counts_are_exact = true,                                                  \
	};                                                                             \
	static const struct rs_kernel clockday_##id = {                                \
	    RS_K_PLAIN_CODE(clockday_##id),                                            \
	    .data_word = rs_k_clockday_##id##_data_word,                               \
	    .counts = {                                                                \
		.instructions = {37 + (n), 0},                                         \
		.branches = {6, 0},                                                    \
		.pushes = {1, 0},                                                      \
		.pops = {1, 0},                                                        \
	    },                                                                         \
	    .counts_are_exact = true,                                                  \
	};

#define READ_ROW(id, row_name, n, row_text)                                            \
	{.name = row_name, .text = row_text, .kernel = &clockread_##id},
#define DAY_ROW(id, row_name, n, row_text)                                             \
	{.name = row_name, .text = row_text, .kernel = &clockday_##id},

#pragma GCC visibility push(hidden)
RS_CLOCKREAD_FORMS(DECLARED)
#pragma GCC visibility pop

RS_CLOCKREAD_FORMS(KERNELS)

const struct rs_variant rs_clockread_rows[] = {
    RS_CLOCKREAD_FORMS(READ_ROW)
    {.name = NULL},
};

const struct rs_variant rs_clockday_rows[] = {
    RS_CLOCKREAD_FORMS(DAY_ROW)
    {.name = NULL},
};
