#ifndef ARCH_X86_PARTS_H
#define ARCH_X86_PARTS_H

/* One instruction as Zydis has it, for the two files that take it apart. */

#include <Zydis/Decoder.h>

#include "arch/decoders.h"

struct rs_x86_parts {
	ZydisDecoder decoder;
	ZydisDecoderContext context;
	ZydisDecodedInstruction insn;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	unsigned int word_bits; /* of an address and of a stack slot */
};

/* Fills operands. Returns 0 or -EINVAL. */
int rs_x86_find_operands(struct rs_x86_parts *parts);

/* A general register or the top of the stack in full width; else NONE. */
uint8_t rs_x86_place_of(const struct rs_x86_parts *parts,
			const ZydisDecodedOperand *operand);

/* What an instruction that is no transfer moves and writes. Returns 0 or -EINVAL. */
int rs_writes_x86(struct rs_x86_parts *parts, struct rs_insn *insn);

#endif
