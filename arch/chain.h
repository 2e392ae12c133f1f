#ifndef ARCH_CHAIN_H
#define ARCH_CHAIN_H

/* What the kernels of chain.S agree upon; read by C and by assembly alike. */

#define RS_MAX_CHAIN      128 /* nested calls; one bit of a row for each */
#define RS_CHAIN_ROW_BITS 12
#define RS_CHAIN_ROWS     (1 << RS_CHAIN_ROW_BITS) /* each is two 64-bit words */

#endif
