/*
 * In place of decode.c where there is no Zydis: it is for little-endian machines, so
 * Debian has it on all that it supports but s390x.
 */

#include <errno.h>

#include "arch/decoders.h"

int rs_decode_x86_64(const unsigned char *bytes, size_t n_bytes, uint64_t address,
		     struct rs_insn *insn)
{
	(void)bytes;
	(void)n_bytes;
	(void)address;
	(void)insn;
	return -ENOTSUP;
}

int rs_decode_i386(const unsigned char *bytes, size_t n_bytes, uint64_t address,
		   struct rs_insn *insn)
{
	return rs_decode_x86_64(bytes, n_bytes, address, insn);
}
