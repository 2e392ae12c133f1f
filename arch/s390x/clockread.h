#ifndef ARCH_S390X_CLOCKREAD_H
#define ARCH_S390X_CLOCKREAD_H

/* The forms of clockread.inc as rows, for the families that are made of them. */

/* clang-format off */

/* Symbol, name, instructions of the form (clockread.inc), what it is. */
#define RS_CLOCKREAD_FORMS(X)                                                          \
	X(stckf, "stckf", 2, "stckf, which does not serialise")                        \
	X(bcr15_stckf, "bcr15+stckf", 3,                                               \
	  "bcr 15,0; stckf: the read waits for what precedes it")                      \
	X(stck, "stck", 2, "stck, which serialises and gives no value twice")          \
	X(stcke, "stcke", 2, "stcke, the same with 128 bits")

/* clang-format on */

#endif
