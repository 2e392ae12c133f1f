#include "arch/rows.h"

/* clang-format off */

/*      in all: instructions, branches; of one of the n calls: the same (chain.S) */
#ifdef __powerpc64__
RS_CHAIN_KERNELS(0, 11, 0, 3)
#else
RS_CHAIN_KERNELS(2, 11, 0, 3)
#endif
RS_RECURSION_KERNELS(-1, 11, 1, 3)

const struct rs_chain rs_chain_rows[] = RS_CHAIN_LIST;
