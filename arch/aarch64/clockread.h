#ifndef ARCH_AARCH64_CLOCKREAD_H
#define ARCH_AARCH64_CLOCKREAD_H

/* The forms of clockread.inc as rows, for the families that are made of them. */

/* Why cntvctss cannot run here; NULL: it can. */
const char *rs_no_cntvctss(void);

/* clang-format off */

/* Symbol, name, instructions of the form (clockread.inc), what it is, condition. */
#define RS_CLOCKREAD_FORMS(X)                                                          \
	X(isb_isb, "isb+isb", 3,                                                       \
	  "isb; mrs; isb: both wait, the vDSO of Linux 5.4 to 5.12", NULL)             \
	X(isb_hazard, "isb+hazard", 5,                                                 \
	  "isb; mrs; a load that depends on the value: the fix of 2021", NULL)         \
	X(hazard, "hazard", 4, "mrs; a load that depends on the value", NULL)          \
	X(isb, "isb", 2, "isb; mrs: the read waits for what precedes it", NULL)        \
	X(bare, "bare", 1, "mrs alone, which may run early", NULL)                     \
	X(cntvctss, "cntvctss", 1,                                                     \
	  "the counter that orders its own read (FEAT_ECV)", rs_no_cntvctss)

/* clang-format on */

#endif
