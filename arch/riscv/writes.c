/*
 * Which general register an instruction writes: the opcode map and chapter C of the
 * unprivileged specification. Only what is neither a branch nor a whole-register copy
 * is asked about.
 */

#include "arch/decoders.h"

#define SP 2U

/* Major opcodes, bits 2 to 6. */
enum {
	MAJOR_LOAD = 0x00,
	MAJOR_OP_IMM = 0x04,
	MAJOR_AUIPC = 0x05,
	MAJOR_OP_IMM_32 = 0x06,
	MAJOR_AMO = 0x0b,
	MAJOR_OP = 0x0c,
	MAJOR_LUI = 0x0d,
	MAJOR_OP_32 = 0x0e,
	MAJOR_SYSTEM = 0x1c
};

static void set(struct rs_insn *insn, uint32_t rd)
{
	if (rd)
		insn->sets = UINT64_C(1) << rd;
}

static void load(struct rs_insn *insn, uint32_t rd, uint32_t base)
{
	set(insn, rd);
	insn->is_load = true;
	insn->base = RS_REG(base);
}

void rs_writes_rv32bit(uint32_t word, struct rs_insn *insn)
{
	const uint32_t rd = rs_bits(word, 7, 5);
	switch (rs_bits(word, 2, 5)) {
	case MAJOR_LOAD:
	case MAJOR_AMO:
		load(insn, rd, rs_bits(word, 15, 5));
		break;
	case MAJOR_OP_IMM:
	case MAJOR_AUIPC:
	case MAJOR_OP_IMM_32:
	case MAJOR_OP:
	case MAJOR_LUI:
	case MAJOR_OP_32:
	case MAJOR_SYSTEM:
		set(insn, rd);
		break;
	default:
		break;
	}
}

/* Registers of 3 bits are x8 to x15. */
static uint32_t short_reg(uint32_t half, unsigned int lowest)
{
	return 8 + rs_bits(half, lowest, 3);
}

/* By quadrant and funct3, as the tables of chapter C have them. */
void rs_writes_rv16bit(uint32_t half, struct rs_insn *insn)
{
	const uint32_t rd = rs_bits(half, 7, 5);
	switch (rs_bits(half, 0, 2) << 3 | rs_bits(half, 13, 3)) {
	case 0: /* c.addi4spn */
		set(insn, short_reg(half, 2));
		break;
	case 2: /* c.lw */
	case 3: /* c.ld */
		load(insn, short_reg(half, 2), short_reg(half, 7));
		break;
	case 8:  /* c.addi */
	case 9:  /* c.addiw */
	case 10: /* c.li */
	case 11: /* c.lui, c.addi16sp */
	case 16: /* c.slli */
	case 20: /* c.add */
		set(insn, rd);
		break;
	case 12: /* c.srli, c.andi, c.sub, .. */
		set(insn, short_reg(half, 7));
		break;
	case 18: /* c.lwsp */
	case 19: /* c.ldsp */
		load(insn, rd, SP);
		break;
	default:
		break;
	}
}
