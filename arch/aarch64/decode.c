/*
 * A64: encodings from the Arm Architecture Reference Manual, "Branches, Exception
 * Generating and System instructions". Instructions are little-endian on every machine.
 * No core's rules are published in full; bl and blr push and ret pops as the manual's
 * hints say, and br x30 is an indirect jump. No core is known to exempt bl .+4.
 */

#include "arch/decoders.h"

#define COND_ALWAYS 14U /* b.al; 15, b.nv, is the same */
#define LR          RS_REG(30)
#define ZERO        31U /* as a register of a move: xzr */

/* Where a row's instructions have what. */
enum fields {
	NO_FIELDS,
	IMM26,
	IMM19,
	IMM19_COND,
	IMM14,
	IMM9,
	RN,     /* the register that is branched through */
	RETURN, /* to x30, which the encoding does not name */
	RM_RD,
};

struct row {
	uint32_t mask;
	uint32_t bits;
	enum rs_flow flow;
	enum fields fields;
};

static const struct row rows[] = {
    {0xfc000000, 0x14000000, RS_FLOW_JUMP, IMM26},         /* b */
    {0xfc000000, 0x94000000, RS_FLOW_PUSH, IMM26},         /* bl */
    {0xff000000, 0x54000000, RS_FLOW_JUMP, IMM19_COND},    /* b.cond, bc.cond */
    {0x7e000000, 0x34000000, RS_FLOW_JUMP, IMM19},         /* cbz, cbnz */
    {0x7e000000, 0x36000000, RS_FLOW_JUMP, IMM14},         /* tbz, tbnz */
    {0x7f00c000, 0x74000000, RS_FLOW_JUMP, IMM9},          /* cbgt x,x.. */
    {0xff008000, 0x74008000, RS_FLOW_JUMP, IMM9},          /* cbbgt.., cbhgt.. */
    {0x7f004000, 0x75000000, RS_FLOW_JUMP, IMM9},          /* cbgt x,#.. */
    {0xfffffc1f, 0xd61f0000, RS_FLOW_INDIRECT, RN},        /* br */
    {0xfffff81f, 0xd61f081f, RS_FLOW_INDIRECT, RN},        /* braaz, brabz */
    {0xfffff800, 0xd71f0800, RS_FLOW_INDIRECT, RN},        /* braa, brab */
    {0xfffffc1f, 0xd63f0000, RS_FLOW_PUSH, RN},            /* blr */
    {0xfffff81f, 0xd63f081f, RS_FLOW_PUSH, RN},            /* blraaz, blrabz */
    {0xfffff800, 0xd73f0800, RS_FLOW_PUSH, RN},            /* blraa, blrab */
    {0xfffffc1f, 0xd65f0000, RS_FLOW_POP, RN},             /* ret */
    {0xfffffbe0, 0xd65f0be0, RS_FLOW_POP, RETURN},         /* retaa, retaasppcr, .. */
    {0xffc0001f, 0x5500001f, RS_FLOW_POP, RETURN},         /* retaasppc, retabsppc */
    {0xffffffff, 0xd69f03e0, RS_FLOW_INDIRECT, NO_FIELDS}, /* eret */
    {0xfffffbff, 0xd69f0bff, RS_FLOW_INDIRECT, NO_FIELDS}, /* eretaa, eretab */
    {0xffffffff, 0xd6bf03e0, RS_FLOW_INDIRECT, NO_FIELDS}, /* drps */
    {0xffff0000, 0x00000000, RS_FLOW_TRAP, NO_FIELDS},     /* udf */
    {0xffe0001f, 0xd4200000, RS_FLOW_TRAP, NO_FIELDS},     /* brk */
    {0xffe0001f, 0xd4400000, RS_FLOW_TRAP, NO_FIELDS},     /* hlt */
    {0xffe0ffe0, 0xaa0003e0, RS_FLOW_OTHER, RM_RD},        /* mov xd, xm */
};

static void set_target(struct rs_insn *insn, uint64_t address, uint32_t field,
		       unsigned int n_bits)
{
	insn->has_target = true;
	insn->target = address + 4 * rs_sign_extend(field, n_bits);
}

static void set_move(struct rs_insn *insn, uint32_t from, uint32_t to)
{
	if (from == ZERO || to == ZERO)
		return;
	insn->move_from = RS_REG(from);
	insn->move_to = RS_REG(to);
}

static void take_fields(struct rs_insn *insn, enum fields fields, uint32_t word,
			uint64_t address)
{
	switch (fields) {
	case NO_FIELDS:
		break;
	case IMM26:
		set_target(insn, address, rs_bits(word, 0, 26), 26);
		break;
	case IMM19:
		insn->is_conditional = true;
		set_target(insn, address, rs_bits(word, 5, 19), 19);
		break;
	case IMM19_COND:
		insn->is_conditional = rs_bits(word, 0, 4) < COND_ALWAYS;
		set_target(insn, address, rs_bits(word, 5, 19), 19);
		break;
	case IMM14:
		insn->is_conditional = true;
		set_target(insn, address, rs_bits(word, 5, 14), 14);
		break;
	case IMM9:
		insn->is_conditional = true;
		set_target(insn, address, rs_bits(word, 5, 9), 9);
		break;
	case RN:
		insn->through = RS_REG(rs_bits(word, 5, 5));
		break;
	case RETURN:
		insn->through = LR;
		break;
	case RM_RD:
		set_move(insn, rs_bits(word, 16, 5), rs_bits(word, 0, 5));
		break;
	}
}

int rs_decode_a64(const unsigned char *bytes, size_t n_bytes, uint64_t address,
		  struct rs_insn *insn)
{
	(void)n_bytes;
	const uint32_t word = rs_word_le(bytes);
	insn->n_bytes = 4;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if ((word & rows[i].mask) != rows[i].bits)
			continue;
		insn->flow = rows[i].flow;
		insn->link = rows[i].flow == RS_FLOW_PUSH ? LR : RS_REG_NONE;
		take_fields(insn, rows[i].fields, word, address);
		break;
	}
	if (insn->flow == RS_FLOW_OTHER && !insn->move_to)
		rs_writes_a64(word, insn);
	return 0;
}
