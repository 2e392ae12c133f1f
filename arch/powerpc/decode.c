/*
 * Power ISA: encodings from Book I (3.1B), chapters 1.6 and 2.4. What is pushed and
 * popped is as POWER9's user's manual and the open A2 cores have it: every taken branch
 * with LK=1 pushes but for one exact form of bcl, and bclr with BH=0 pops.
 */

#include "arch/decoders.h"

#include <errno.h>

#define BCL_EXEMPT 0x429f0005U /* bcl 20,31,$+4; with any other field it is pushed */
#define BO_ALWAYS  0x14U       /* these two bits of BO: neither CTR nor CR decides */
#define TO_ALWAYS  31U

/* Extended opcodes of primary opcodes 19 and 31. */
enum {
	XO_BCLR = 16,
	XO_RFID = 18,
	XO_RFI = 50,
	XO_RFSCV = 82,
	XO_RFEBB = 146
};
enum {
	XO_HRFID = 274,
	XO_BCCTR = 528,
	XO_BCTAR = 560
};
enum {
	XO_TW = 4,
	XO_TD = 68,
	XO_MFSPR = 339,
	XO_OR = 444,
	XO_MTSPR = 467
};

static bool may_fall_through(uint32_t word)
{
	return (rs_bits(word, 21, 5) & BO_ALWAYS) != BO_ALWAYS;
}

static void set_branch(struct rs_insn *insn, uint32_t word, uint64_t offset,
		       uint64_t address)
{
	const bool is_absolute = rs_bits(word, 1, 1);
	const bool is_call = rs_bits(word, 0, 1);
	insn->flow = is_call ? RS_FLOW_PUSH : RS_FLOW_JUMP;
	insn->link = is_call ? RS_REG_LR : RS_REG_NONE;
	insn->has_target = true;
	insn->target = is_absolute ? offset : address + offset;
}

static void decode_b(struct rs_insn *insn, uint32_t word, uint64_t address)
{
	set_branch(insn, word, rs_sign_extend(word & 0x03fffffcU, 26), address);
}

static void decode_bc(struct rs_insn *insn, uint32_t word, uint64_t address)
{
	set_branch(insn, word, rs_sign_extend(word & 0xfffcU, 16), address);
	insn->is_conditional = may_fall_through(word);
	if (word == BCL_EXEMPT)
		insn->flow = RS_FLOW_EXEMPT;
}

/*
 * bclrl falls under both rules, so it pops and pushes. The A2 cores do not push it,
 * which is what makes a bl to the blrl of an old GOT balanced there.
 */
static void decode_bclr(struct rs_insn *insn, uint32_t word)
{
	const bool is_return = rs_bits(word, 11, 2) == 0;
	if (insn->link)
		insn->flow = is_return ? RS_FLOW_POP_PUSH : RS_FLOW_PUSH;
	else
		insn->flow = is_return ? RS_FLOW_POP : RS_FLOW_INDIRECT;
	insn->through = RS_REG_LR;
}

static void decode_19(struct rs_insn *insn, uint32_t word)
{
	const uint32_t xo = rs_bits(word, 1, 10);
	switch (xo) {
	case XO_BCLR:
	case XO_BCCTR:
	case XO_BCTAR:
		insn->is_conditional = may_fall_through(word);
		insn->link = rs_bits(word, 0, 1) ? RS_REG_LR : RS_REG_NONE;
		insn->flow = insn->link ? RS_FLOW_PUSH : RS_FLOW_INDIRECT;
		insn->through = xo == XO_BCCTR ? RS_REG_CTR : RS_REG_TAR;
		if (xo == XO_BCLR)
			decode_bclr(insn, word);
		break;
	case XO_RFID:
	case XO_HRFID:
	case XO_RFI:
	case XO_RFSCV:
	case XO_RFEBB:
		insn->flow = RS_FLOW_INDIRECT;
		break;
	default:
		break;
	}
}

/* The register behind the split field of mfspr and mtspr, if branches use it. */
static uint8_t special_register(uint32_t word)
{
	const uint32_t spr = rs_bits(word, 16, 5) | rs_bits(word, 11, 5) << 5;
	switch (spr) {
	case 8:
		return RS_REG_LR;
	case 9:
		return RS_REG_CTR;
	case 815:
		return RS_REG_TAR;
	default:
		return RS_REG_NONE;
	}
}

static void set_move(struct rs_insn *insn, uint8_t from, uint8_t to)
{
	if (!from || !to)
		return;
	insn->move_from = from;
	insn->move_to = to;
}

static void decode_31(struct rs_insn *insn, uint32_t word)
{
	const uint8_t first = RS_REG(rs_bits(word, 21, 5));
	switch (rs_bits(word, 1, 10)) {
	case XO_TW:
	case XO_TD:
		if (rs_bits(word, 21, 5) == TO_ALWAYS)
			insn->flow = RS_FLOW_TRAP;
		break;
	case XO_MFSPR:
		set_move(insn, special_register(word), first);
		break;
	case XO_MTSPR:
		set_move(insn, first, special_register(word));
		break;
	case XO_OR:
		if (first == RS_REG(rs_bits(word, 11, 5)))
			set_move(insn, first, RS_REG(rs_bits(word, 16, 5)));
		break;
	default:
		break;
	}
}

/*
 * Illegal primary opcode 0 is left undecoded but for the word 0, which the architecture
 * reserves as an illegal instruction. The suffix of a prefixed instruction (opcode 1)
 * is never a branch.
 */
static int decode(uint32_t word, size_t n_bytes, uint64_t address, struct rs_insn *insn)
{
	insn->n_bytes = 4;
	switch (rs_bits(word, 26, 6)) {
	case 0:
		insn->flow = RS_FLOW_TRAP;
		return word ? -EINVAL : 0;
	case 1:
		insn->n_bytes = 8;
		return n_bytes < 8 ? -EINVAL : 0;
	case 2: /* tdi */
	case 3: /* twi */
		if (rs_bits(word, 21, 5) == TO_ALWAYS)
			insn->flow = RS_FLOW_TRAP;
		return 0;
	case 16:
		decode_bc(insn, word, address);
		return 0;
	case 18:
		decode_b(insn, word, address);
		return 0;
	case 19:
		decode_19(insn, word);
		return 0;
	case 31:
		decode_31(insn, word);
		return 0;
	default:
		return 0;
	}
}

static int decode_all(uint32_t word, size_t n_bytes, uint64_t address,
		      struct rs_insn *insn)
{
	const int ret = decode(word, n_bytes, address, insn);
	if (!ret && insn->flow == RS_FLOW_OTHER && !insn->move_to)
		rs_writes_power(word, insn);
	return ret;
}

int rs_decode_power_le(const unsigned char *bytes, size_t n_bytes, uint64_t address,
		       struct rs_insn *insn)
{
	return decode_all(rs_word_le(bytes), n_bytes, address, insn);
}

int rs_decode_power_be(const unsigned char *bytes, size_t n_bytes, uint64_t address,
		       struct rs_insn *insn)
{
	return decode_all(rs_word_be(bytes), n_bytes, address, insn);
}
