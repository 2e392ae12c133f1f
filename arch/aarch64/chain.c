#include "arch/rows.h"

/* clang-format off */

/*      in all: instructions, branches; of one of the n calls: the same (chain.S) */
RS_CHAIN_KERNELS(2, 8, 0, 3)
RS_RECURSION_KERNELS(1, 8, 1, 3)

const struct rs_chain rs_chain_rows[] = RS_CHAIN_LIST;
