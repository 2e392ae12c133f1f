#include "arch/rows.h"

/* clang-format off */

/* Symbol, name, instructions of the form (clockread.inc), what it is. */
#define FORMS(X)                                                                       \
	X(stckf, "stckf", 2, "stckf, which does not serialise")                        \
	X(bcr15_stckf, "bcr15+stckf", 3,                                               \
	  "bcr 15,0; stckf: the read waits for what precedes it")                      \
	X(stck, "stck", 2, "stck, which serialises and gives no value twice")          \
	X(stcke, "stcke", 2, "stcke, the same with 128 bits")

#define DECLARED(id, name, n, text)                                                    \
	RS_K_PLAIN(clockread_##id);                                                    \
	RS_K_PLAIN(clockday_##id);                                                     \
	extern const unsigned char rs_k_clockday_##id##_data_word[];

#define KERNELS(id, name, n, text)                                                     \
	static const struct rs_kernel clockread_##id = {                               \
	    RS_K_PLAIN_CODE(clockread_##id),                                           \
	    .result = RS_RESULT_TICKS,                                                 \
	    .counts = {.instructions = {1 + (n), 0}, .branches = {1, 0}},              \
	    .counts_are_exact = true,                                                  \
	};                                                                             \
	static const struct rs_kernel clockday_##id = {                                \
	    RS_K_PLAIN_CODE(clockday_##id),                                            \
	    .data_word = rs_k_clockday_##id##_data_word,                               \
	    .counts = {                                                                \
		.instructions = {32 + (n), 0},                                         \
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
FORMS(DECLARED)
#pragma GCC visibility pop

FORMS(KERNELS)

const struct rs_variant rs_clockread_rows[] = {
    FORMS(READ_ROW)
    {.name = NULL},
};

const struct rs_variant rs_clockday_rows[] = {
    FORMS(DAY_ROW)
    {.name = NULL},
};
