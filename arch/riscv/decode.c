/*
 * RV64GC: encodings and the rules of push and pop from the unprivileged specification
 * ("Unconditional Jumps", the table of return-address-stack hints, and chapter C).
 * Cores deviate: some take x1 alone for a link register, one takes any odd one. No core
 * that could be read exempts a jal to the next instruction.
 *
 * Zcmp's cm.popret and cm.popretz, which pop, and Zcmt's cm.jt and cm.jalt are not told
 * from c.fsdsp, whose encodings they take, as cores with C and D may not have them
 * (chapters Zcmp and Zcmt). The landing pad of Zicfilp and the shadow stack of Zicfiss
 * take encodings that do nothing elsewhere, and neither moves the link stack.
 */

#include "arch/decoders.h"

#include <errno.h>

#define X0 0U
#define X1 1U
#define X5 5U

#define UNIMP 0xc0001073U /* csrrw x0, cycle, x0: cycle cannot be written */

enum {
	OP_IMM = 0x13,
	OP_BRANCH = 0x63,
	OP_JALR = 0x67,
	OP_JAL = 0x6f,
	OP_SYSTEM = 0x73
};

static bool is_link(uint32_t reg)
{
	return reg == X1 || reg == X5;
}

static uint8_t reg_unless_zero(uint32_t reg)
{
	return reg == X0 ? RS_REG_NONE : RS_REG(reg);
}

static void set_target(struct rs_insn *insn, uint64_t address, uint32_t offset,
		       unsigned int n_bits)
{
	insn->has_target = true;
	insn->target = address + rs_sign_extend(offset, n_bits);
}

static void set_move(struct rs_insn *insn, uint32_t from, uint32_t to)
{
	if (from == X0 || to == X0)
		return;
	insn->move_from = RS_REG(from);
	insn->move_to = RS_REG(to);
}

/* jal: pushed if rd is a link register; any other rd but x0 keeps the address too. */
static void set_jal(struct rs_insn *insn, uint32_t rd)
{
	insn->link = reg_unless_zero(rd);
	insn->flow = is_link(rd)  ? RS_FLOW_PUSH
		     : insn->link ? RS_FLOW_EXEMPT
				  : RS_FLOW_JUMP;
}

static void set_jalr(struct rs_insn *insn, uint32_t rd, uint32_t rs1)
{
	insn->link = reg_unless_zero(rd);
	insn->through = reg_unless_zero(rs1);
	if (is_link(rd))
		insn->flow =
		    is_link(rs1) && rs1 != rd ? RS_FLOW_POP_PUSH : RS_FLOW_PUSH;
	else if (is_link(rs1))
		insn->flow = RS_FLOW_POP;
	else
		insn->flow = insn->link ? RS_FLOW_EXEMPT : RS_FLOW_INDIRECT;
}

static void decode_jal(struct rs_insn *insn, uint32_t word, uint64_t address)
{
	const uint32_t offset = rs_bits(word, 31, 1) << 20 |
				rs_bits(word, 12, 8) << 12 |
				rs_bits(word, 20, 1) << 11 | rs_bits(word, 21, 10) << 1;
	set_jal(insn, rs_bits(word, 7, 5));
	set_target(insn, address, offset, 21);
}

static int decode_jalr(struct rs_insn *insn, uint32_t word)
{
	if (rs_bits(word, 12, 3) != 0)
		return -EINVAL;
	set_jalr(insn, rs_bits(word, 7, 5), rs_bits(word, 15, 5));
	if (insn->through)
		return 0;
	set_target(insn, 0, rs_bits(word, 20, 12) & ~1U, 12);
	if (insn->flow == RS_FLOW_INDIRECT)
		insn->flow = RS_FLOW_JUMP;
	return 0;
}

static int decode_branch(struct rs_insn *insn, uint32_t word, uint64_t address)
{
	const uint32_t funct3 = rs_bits(word, 12, 3);
	const uint32_t offset = rs_bits(word, 31, 1) << 12 | rs_bits(word, 7, 1) << 11 |
				rs_bits(word, 25, 6) << 5 | rs_bits(word, 8, 4) << 1;
	if (funct3 == 2 || funct3 == 3)
		return -EINVAL;
	insn->flow = RS_FLOW_JUMP;
	insn->is_conditional = true;
	set_target(insn, address, offset, 13);
	return 0;
}

static void decode_system(struct rs_insn *insn, uint32_t word)
{
	switch (word) {
	case 0x00100073: /* ebreak */
	case UNIMP:
		insn->flow = RS_FLOW_TRAP;
		break;
	case 0x10200073: /* sret */
	case 0x30200073: /* mret */
	case 0x70200073: /* mnret */
	case 0x7b200073: /* dret */
		insn->flow = RS_FLOW_INDIRECT;
		break;
	default:
		break;
	}
}

static int decode_32(struct rs_insn *insn, uint32_t word, uint64_t address)
{
	insn->n_bytes = 4;
	switch (rs_bits(word, 0, 7)) {
	case OP_IMM:
		if (rs_bits(word, 12, 3) == 0 && rs_bits(word, 20, 12) == 0) /* mv */
			set_move(insn, rs_bits(word, 15, 5), rs_bits(word, 7, 5));
		return 0;
	case OP_BRANCH:
		return decode_branch(insn, word, address);
	case OP_JALR:
		return decode_jalr(insn, word);
	case OP_JAL:
		decode_jal(insn, word, address);
		return 0;
	case OP_SYSTEM:
		decode_system(insn, word);
		return 0;
	default:
		return 0;
	}
}

/* Quadrant 1: funct3 1 is c.addiw here; it is c.jal on RV32 alone. */
static void decode_c1(struct rs_insn *insn, uint32_t half, uint64_t address)
{
	const uint32_t funct3 = rs_bits(half, 13, 3);
	const uint32_t jump = rs_bits(half, 12, 1) << 11 | rs_bits(half, 8, 1) << 10 |
			      rs_bits(half, 9, 2) << 8 | rs_bits(half, 6, 1) << 7 |
			      rs_bits(half, 7, 1) << 6 | rs_bits(half, 2, 1) << 5 |
			      rs_bits(half, 11, 1) << 4 | rs_bits(half, 3, 3) << 1;
	const uint32_t branch = rs_bits(half, 12, 1) << 8 | rs_bits(half, 5, 2) << 6 |
				rs_bits(half, 2, 1) << 5 | rs_bits(half, 10, 2) << 3 |
				rs_bits(half, 3, 2) << 1;
	if (funct3 < 5)
		return;
	insn->flow = RS_FLOW_JUMP;
	insn->is_conditional = funct3 != 5; /* c.beqz, c.bnez; else c.j */
	if (insn->is_conditional)
		set_target(insn, address, branch, 9);
	else
		set_target(insn, address, jump, 12);
}

/* Quadrant 2, funct3 4: c.jr, c.jalr, c.mv, c.add, c.ebreak. */
static int decode_c2(struct rs_insn *insn, uint32_t half)
{
	const bool is_upper = rs_bits(half, 12, 1);
	const uint32_t rs1 = rs_bits(half, 7, 5);
	const uint32_t rs2 = rs_bits(half, 2, 5);
	if (rs_bits(half, 13, 3) != 4)
		return 0;
	if (rs2 != X0) {
		if (!is_upper)
			set_move(insn, rs2, rs1);
	} else if (rs1 != X0) {
		set_jalr(insn, is_upper ? X1 : X0, rs1);
	} else {
		if (!is_upper) /* c.jr x0 is reserved */
			return -EINVAL;
		insn->flow = RS_FLOW_TRAP;
	}
	return 0;
}

static int decode_16(struct rs_insn *insn, uint32_t half, uint64_t address)
{
	insn->n_bytes = 2;
	if (half == 0) {
		insn->flow = RS_FLOW_TRAP;
		return 0;
	}
	if (rs_bits(half, 0, 2) == 1)
		decode_c1(insn, half, address);
	return rs_bits(half, 0, 2) == 2 ? decode_c2(insn, half) : 0;
}

/* Lengths beyond 4 bytes are provided for, but nothing ratified uses them. */
int rs_decode_rv64(const unsigned char *bytes, size_t n_bytes, uint64_t address,
		   struct rs_insn *insn)
{
	const uint32_t half = bytes[0] | (uint32_t)bytes[1] << 8;
	const bool is_short = rs_bits(half, 0, 2) != 3;
	if (!is_short && (rs_bits(half, 0, 5) == 0x1f || n_bytes < 4))
		return -EINVAL;
	const int ret = is_short ? decode_16(insn, half, address)
				 : decode_32(insn, rs_word_le(bytes), address);
	if (ret || insn->flow != RS_FLOW_OTHER || insn->move_to)
		return ret;
	if (is_short)
		rs_writes_rv16bit(half, insn);
	else
		rs_writes_rv32bit(rs_word_le(bytes), insn);
	return 0;
}
