#include "arch/rows.h"

/* R - 1 and t of datapage.S, without the form. */
#ifdef __powerpc64__
#define TICKS_INSTRUCTIONS 1
#define TICKS_BRANCHES     0
#define READ_INSTRUCTIONS  33
#define READ_BRANCHES      3
#else
#define TICKS_INSTRUCTIONS 5
#define TICKS_BRANCHES     1
#define READ_INSTRUCTIONS  72
#define READ_BRANCHES      3
#endif

/* clang-format off */

/* Symbol, name, instructions beyond mftb itself (clockread.inc), what it is. */
#define FORMS(X)                                                                       \
	X(mftb, "mftb", 0, "mftb alone, as in the vDSO")                               \
	X(isync_mftb, "isync+mftb", 1,                                                 \
	  "isync; mftb: the read waits for what precedes it")                          \
	X(sync_mftb, "sync+mftb", 1,                                                   \
	  "sync; mftb: the read waits for earlier loads and stores, too")

#define DECLARED(id, name, n, text)                                                    \
	RS_K_PLAIN(clockread_##id);                                                    \
	RS_K_PLAIN(clockday_##id);                                                     \
	extern const unsigned char rs_k_clockday_##id##_data_word[];

#define KERNELS(id, name, n, text)                                                     \
	static const struct rs_kernel clockread_##id = {                               \
	    RS_K_PLAIN_CODE(clockread_##id),                                           \
	    .result = RS_RESULT_TICKS,                                                 \
	    .counts = {                                                                \
		.instructions = {3 + TICKS_INSTRUCTIONS + (n), 0},                     \
		.branches = {1 + TICKS_BRANCHES, 0},                                   \
	    },                                                                         \
	    .counts_are_exact = true,                                                  \
	};                                                                             \
	static const struct rs_kernel clockday_##id = {                                \
	    RS_K_PLAIN_CODE(clockday_##id),                                            \
	    .data_word = rs_k_clockday_##id##_data_word,                               \
	    .counts = {                                                                \
		.instructions = {14 + READ_INSTRUCTIONS + TICKS_INSTRUCTIONS + (n), 0},\
		.branches = {4 + READ_BRANCHES + TICKS_BRANCHES, 0},                   \
		.pushes = {1, 0},                                                      \
		.pops = {1, 0},                                                        \
		.exempt = {1, 0},                                                      \
	    },                                                                         \
	    .counts_are_exact = true,                                                  \
	};

#define READ_ROW(id, row_name, n, row_text)                                            \
	{.name = row_name, .text = row_text, .kernel = &clockread_##id},
#define DAY_ROW(id, row_name, n, row_text)                                             \
	{.name = row_name, .text = row_text, .kernel = &clockday_##id,                 \
	 .effect = RS_EFFECT_EXEMPT},

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
