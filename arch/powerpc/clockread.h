#ifndef ARCH_POWERPC_CLOCKREAD_H
#define ARCH_POWERPC_CLOCKREAD_H

/* The forms of clockread.inc as rows, for the families that are made of them. */

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
#define RS_CLOCKREAD_FORMS(X)                                                          \
	X(mftb, "mftb", 0, "mftb alone, as in the vDSO")                               \
	X(isync_mftb, "isync+mftb", 1,                                                 \
	  "isync; mftb: the read waits for what precedes it")                          \
	X(sync_mftb, "sync+mftb", 1,                                                   \
	  "sync; mftb: the read waits for earlier loads and stores, too")

/* clang-format on */

#endif
