/*
 * What an instruction moves and writes: copies between registers and the top of the
 * stack, other writes of general registers as far as they are cheap to tell, and moves
 * of the stack pointer.
 */

#include "arch/x86/parts.h"

#include <errno.h>

#include <Zydis/Register.h>

#define SP 4 /* the number of the stack pointer */
#define BP 5 /* of the register that points to the frame */

int rs_x86_find_operands(struct rs_x86_parts *parts)
{
	const ZyanStatus status =
	    ZydisDecoderDecodeOperands(&parts->decoder, &parts->context, &parts->insn,
				       parts->operands, parts->insn.operand_count);
	return ZYAN_SUCCESS(status) ? 0 : -EINVAL;
}

static bool is_top_of_stack(const ZydisDecodedOperand *operand)
{
	return operand->type == ZYDIS_OPERAND_TYPE_MEMORY &&
	       (operand->mem.base == ZYDIS_REGISTER_RSP ||
		operand->mem.base == ZYDIS_REGISTER_ESP) &&
	       operand->mem.index == ZYDIS_REGISTER_NONE &&
	       operand->mem.disp.value == 0;
}

/* A general register or the top of the stack in full width; else NONE. */
uint8_t rs_x86_place_of(const struct rs_x86_parts *parts,
			const ZydisDecodedOperand *operand)
{
	if (operand->size != parts->word_bits)
		return RS_REG_NONE;
	if (is_top_of_stack(operand))
		return RS_REG_STACK;
	if (operand->type != ZYDIS_OPERAND_TYPE_REGISTER)
		return RS_REG_NONE;
	const ZydisRegister reg = operand->reg.value;
	const ZydisRegisterClass kind = ZydisRegisterGetClass(reg);
	if (kind != ZYDIS_REGCLASS_GPR64 && kind != ZYDIS_REGCLASS_GPR32)
		return RS_REG_NONE;
	return (uint8_t)RS_REG(ZydisRegisterGetId(reg));
}

/* The number of a register of any width but 8 bits; -1: it is none. */
static int number_of(ZydisRegister reg)
{
	switch (ZydisRegisterGetClass(reg)) {
	case ZYDIS_REGCLASS_GPR64:
	case ZYDIS_REGCLASS_GPR32:
	case ZYDIS_REGCLASS_GPR16:
		return ZydisRegisterGetId(reg);
	default:
		return -1;
	}
}

static void set_register(struct rs_insn *insn, const ZydisDecodedOperand *to,
			 const ZydisDecodedOperand *from)
{
	const int number =
	    to->type == ZYDIS_OPERAND_TYPE_REGISTER ? number_of(to->reg.value) : -1;
	if (number < 0)
		return;
	insn->sets = UINT64_C(1) << number;
	insn->is_load = from->type == ZYDIS_OPERAND_TYPE_MEMORY;
	const int base = insn->is_load ? number_of(from->mem.base) : -1;
	if (base >= 0)
		insn->base = (uint8_t)RS_REG(base);
}

static void set_stack_bytes(struct rs_insn *insn, const struct rs_x86_parts *parts,
			    bool is_push, bool is_pop)
{
	const int n = parts->insn.operand_width / 8;
	const ZydisDecodedOperand *const first = &parts->operands[0];
	insn->stack_bytes = is_push ? -n : is_pop ? n : 0;
	if (!is_push && first->type == ZYDIS_OPERAND_TYPE_REGISTER &&
	    number_of(first->reg.value) == SP)
		insn->stack_bytes = RS_STACK_LOST;
}

/*
 * add, sub (sign -1) or and (sign 0): what it does to the stack pointer if that is its
 * first operand. The raw fields tell, which is faster than to decode all operands.
 */
static void take_arithmetic(struct rs_insn *insn, const struct rs_x86_parts *parts,
			    int sign)
{
	const ZydisDecodedInstructionRaw *const raw = &parts->insn.raw;
	const uint8_t opcode = parts->insn.opcode;
	const bool has_immediate = opcode == 0x83 || opcode == 0x81;
	const bool is_to_memory = (opcode & 0xc7) == 0x01; /* OP r/m, r */
	if (raw->modrm.mod != 3 || raw->modrm.rm != SP || raw->rex.B)
		return;
	if (has_immediate && sign)
		insn->stack_bytes = sign * (int32_t)raw->imm[0].value.s;
	else if (has_immediate || is_to_memory)
		insn->stack_bytes = RS_STACK_LOST;
}

static void take_lea(struct rs_insn *insn, const struct rs_x86_parts *parts)
{
	const ZydisDecodedInstructionRaw *const raw = &parts->insn.raw;
	insn->sets = UINT64_C(1) << (raw->modrm.reg | raw->rex.R << 3);
	if (insn->sets != UINT64_C(1) << SP)
		return;
	const bool is_own = raw->modrm.rm == SP && raw->sib.base == SP &&
			    raw->sib.index == SP && !raw->rex.B && !raw->rex.X;
	insn->is_from_frame = raw->modrm.rm == BP && raw->modrm.mod != 0 && !raw->rex.B;
	insn->stack_bytes =
	    is_own || insn->is_from_frame ? (int32_t)raw->disp.value : RS_STACK_LOST;
}

/* The top of the stack and a register; the register's new value is not followed. */
static int decode_exchange(struct rs_insn *insn, struct rs_x86_parts *parts)
{
	const int ret = rs_x86_find_operands(parts);
	if (ret || rs_x86_place_of(parts, &parts->operands[0]) != RS_REG_STACK)
		return ret;
	insn->move_from = rs_x86_place_of(parts, &parts->operands[1]);
	insn->move_to = RS_REG_STACK;
	set_register(insn, &parts->operands[1], &parts->operands[0]);
	return 0;
}

static int decode_move(struct rs_insn *insn, struct rs_x86_parts *parts)
{
	const bool is_pop = parts->insn.mnemonic == ZYDIS_MNEMONIC_POP;
	const bool is_push = parts->insn.mnemonic == ZYDIS_MNEMONIC_PUSH;
	const int ret = rs_x86_find_operands(parts);
	if (ret)
		return ret;
	const ZydisDecodedOperand *const first = &parts->operands[0];
	const uint8_t to = is_push ? RS_REG_STACK : rs_x86_place_of(parts, first);
	const uint8_t from = is_pop    ? RS_REG_STACK
			     : is_push ? rs_x86_place_of(parts, first)
				       : rs_x86_place_of(parts, &parts->operands[1]);
	set_stack_bytes(insn, parts, is_push, is_pop);
	if (!from || !to) {
		insn->is_load = is_push;
		if (!is_push)
			set_register(insn, first, &parts->operands[1]);
		return 0;
	}
	insn->move_from = from;
	insn->move_to = to;
	if (to == RS_REG(SP) && from == RS_REG(BP)) {
		insn->is_from_frame = true;
		insn->stack_bytes = 0;
	}
	return 0;
}

int rs_writes_x86(struct rs_x86_parts *parts, struct rs_insn *insn)
{
	switch (parts->insn.mnemonic) {
	case ZYDIS_MNEMONIC_ADD:
		take_arithmetic(insn, parts, 1);
		return 0;
	case ZYDIS_MNEMONIC_SUB:
		take_arithmetic(insn, parts, -1);
		return 0;
	case ZYDIS_MNEMONIC_AND:
		take_arithmetic(insn, parts, 0);
		return 0;
	case ZYDIS_MNEMONIC_LEA:
		take_lea(insn, parts);
		return 0;
	case ZYDIS_MNEMONIC_LEAVE:
		insn->is_from_frame = true;
		insn->stack_bytes = parts->word_bits / 8;
		insn->sets = UINT64_C(1) << BP;
		insn->is_load = true;
		insn->base = RS_REG(BP);
		return 0;
	case ZYDIS_MNEMONIC_ENTER:
		insn->stack_bytes = RS_STACK_LOST;
		insn->sets = UINT64_C(1) << BP;
		return 0;
	case ZYDIS_MNEMONIC_XCHG:
		return decode_exchange(insn, parts);
	case ZYDIS_MNEMONIC_PUSHF:
	case ZYDIS_MNEMONIC_PUSHFD:
	case ZYDIS_MNEMONIC_PUSHFQ:
		insn->stack_bytes = -(int32_t)parts->insn.operand_width / 8;
		return 0;
	case ZYDIS_MNEMONIC_POPF:
	case ZYDIS_MNEMONIC_POPFD:
	case ZYDIS_MNEMONIC_POPFQ:
		insn->stack_bytes = parts->insn.operand_width / 8;
		return 0;
	case ZYDIS_MNEMONIC_MOV:
	case ZYDIS_MNEMONIC_PUSH:
	case ZYDIS_MNEMONIC_POP:
		return decode_move(insn, parts);
	default:
		return 0;
	}
}
