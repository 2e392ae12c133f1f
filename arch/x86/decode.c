/*
 * x86, 64 and 32 bit, by Zydis. A near call is pushed unless it goes to the next
 * instruction, as on the cores whose behaviour has been published (Wong,
 * "Microbenchmarking Return Address Branch Prediction"). Far transfers go through
 * descriptors and have no part in the link stack.
 */

#include "arch/x86/parts.h"

#include <errno.h>

static bool is_far(const struct rs_x86_parts *parts)
{
	return parts->insn.meta.branch_type == ZYDIS_BRANCH_TYPE_FAR;
}

/* An operand of 16 bits, which 64-bit code does not have, cuts the target to as many.
 */
static void set_relative(struct rs_insn *insn, const struct rs_x86_parts *parts,
			 uint64_t address)
{
	const uint64_t next = address + insn->n_bytes;
	insn->has_target = true;
	insn->target = next + (uint64_t)parts->insn.raw.imm[0].value.s;
	if (parts->insn.operand_width == 16)
		insn->target &= UINT16_MAX;
}

static int decode_call(struct rs_insn *insn, struct rs_x86_parts *parts,
		       uint64_t address)
{
	insn->flow = is_far(parts) ? RS_FLOW_EXEMPT : RS_FLOW_PUSH;
	insn->link = RS_REG_STACK;
	if (is_far(parts))
		return 0;
	if (!parts->insn.raw.imm[0].is_relative) {
		const int ret = rs_x86_find_operands(parts);
		insn->through =
		    ret ? RS_REG_NONE : rs_x86_place_of(parts, &parts->operands[0]);
		return ret;
	}
	set_relative(insn, parts, address);
	if (insn->target == address + insn->n_bytes)
		insn->flow = RS_FLOW_EXEMPT;
	return 0;
}

static int decode_jump(struct rs_insn *insn, struct rs_x86_parts *parts,
		       uint64_t address)
{
	insn->flow = RS_FLOW_INDIRECT;
	if (is_far(parts))
		return 0;
	if (!parts->insn.raw.imm[0].is_relative) {
		const int ret = rs_x86_find_operands(parts);
		insn->through =
		    ret ? RS_REG_NONE : rs_x86_place_of(parts, &parts->operands[0]);
		return ret;
	}
	insn->flow = RS_FLOW_JUMP;
	set_relative(insn, parts, address);
	return 0;
}

static int decode_flow(struct rs_insn *insn, struct rs_x86_parts *parts,
		       uint64_t address)
{
	switch (parts->insn.mnemonic) {
	case ZYDIS_MNEMONIC_CALL:
		return decode_call(insn, parts, address);
	case ZYDIS_MNEMONIC_JMP:
		return decode_jump(insn, parts, address);
	case ZYDIS_MNEMONIC_RET:
		insn->flow = is_far(parts) ? RS_FLOW_INDIRECT : RS_FLOW_POP;
		insn->through = is_far(parts) ? RS_REG_NONE : RS_REG_STACK;
		return 0;
	case ZYDIS_MNEMONIC_IRET:
	case ZYDIS_MNEMONIC_IRETD:
	case ZYDIS_MNEMONIC_IRETQ:
	case ZYDIS_MNEMONIC_SYSRET:
	case ZYDIS_MNEMONIC_SYSEXIT:
	case ZYDIS_MNEMONIC_UIRET:
	case ZYDIS_MNEMONIC_RSM:
		insn->flow = RS_FLOW_INDIRECT;
		return 0;
	case ZYDIS_MNEMONIC_INT1:
	case ZYDIS_MNEMONIC_INT3:
	case ZYDIS_MNEMONIC_UD0:
	case ZYDIS_MNEMONIC_UD1:
	case ZYDIS_MNEMONIC_UD2:
	case ZYDIS_MNEMONIC_HLT:
		insn->flow = RS_FLOW_TRAP;
		return 0;
	default:
		break;
	}
	if (parts->insn.meta.category != ZYDIS_CATEGORY_COND_BR ||
	    !parts->insn.raw.imm[0].is_relative)
		return rs_writes_x86(parts, insn);
	insn->flow = RS_FLOW_JUMP;
	insn->is_conditional = true;
	set_relative(insn, parts, address);
	return 0;
}

static int decode(ZydisMachineMode mode, const unsigned char *bytes, size_t n_bytes,
		  uint64_t address, struct rs_insn *insn)
{
	const bool is_long = mode == ZYDIS_MACHINE_MODE_LONG_64;
	struct rs_x86_parts parts;
	parts.word_bits = is_long ? 64 : 32;
	ZyanStatus status =
	    ZydisDecoderInit(&parts.decoder, mode,
			     is_long ? ZYDIS_STACK_WIDTH_64 : ZYDIS_STACK_WIDTH_32);
	if (ZYAN_SUCCESS(status))
		status = ZydisDecoderDecodeInstruction(&parts.decoder, &parts.context,
						       bytes, n_bytes, &parts.insn);
	if (!ZYAN_SUCCESS(status))
		return -EINVAL;
	insn->n_bytes = parts.insn.length;
	return decode_flow(insn, &parts, address);
}

int rs_decode_x86_64(const unsigned char *bytes, size_t n_bytes, uint64_t address,
		     struct rs_insn *insn)
{
	return decode(ZYDIS_MACHINE_MODE_LONG_64, bytes, n_bytes, address, insn);
}

int rs_decode_i386(const unsigned char *bytes, size_t n_bytes, uint64_t address,
		   struct rs_insn *insn)
{
	return decode(ZYDIS_MACHINE_MODE_LEGACY_32, bytes, n_bytes, address, insn);
}
