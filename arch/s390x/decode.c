/*
 * z/Architecture: encodings from the Principles of Operation, chapter 7. It has no
 * architected call or return, and no rules of prediction are published: what saves a
 * return address and branches counts as a push, and a branch to %r14 as a pop, after
 * the ABI. A basr with r2=0 reads the PC and branches nowhere.
 */

#include "arch/decoders.h"

#include <errno.h>

#define LINK 14U

/* Where the target is. */
enum target {
	NO_TARGET,
	MEMORY,    /* at an address, or in an operand, that registers make up */
	REL16,     /* in halfwords, bits 16 to 31 */
	REL32,     /* in halfwords, bits 16 to 47 */
	R2,        /* bits 12 to 15; register 0: there is no branch */
	R2_RRE,    /* bits 28 to 31, likewise */
	BASE,      /* bits 16 to 31: base and displacement */
	BASE_INDEX /* the same, and the index in bits 12 to 15 */
};

/* When it branches. */
enum when {
	ALWAYS,
	SOMETIMES,
	MASK4_AT_8,  /* by the condition code: none never, all always */
	MASK3_AT_12, /* by a comparison: likewise, without the lowest bit */
	MASK3_AT_32,
};

/* An instruction is the first bytes of 48 bits, numbered from 0 as the manual does. */
struct row {
	uint64_t mask;
	uint64_t bits;
	enum rs_flow flow;
	enum target target;
	enum when when;
};

#define OP8(op)           UINT64_C(0xff0000000000), UINT64_C(0x##op##0000000000)
#define OP12(op, last)    UINT64_C(0xff0f00000000), UINT64_C(0x##op##0##last##00000000)
#define OP16(op)          UINT64_C(0xffff00000000), UINT64_C(0x##op##00000000)
#define OP_ENDS(op, last) UINT64_C(0xff00000000ff), UINT64_C(0x##op##00000000##last)

static const struct row rows[] = {
    {OP8(00), RS_FLOW_TRAP, NO_TARGET, ALWAYS},
    {OP16(0101), RS_FLOW_INDIRECT, MEMORY, ALWAYS},          /* pr */
    {OP8(05), RS_FLOW_PUSH, R2, ALWAYS},                     /* balr */
    {OP8(06), RS_FLOW_INDIRECT, R2, SOMETIMES},              /* bctr */
    {OP8(07), RS_FLOW_INDIRECT, R2, MASK4_AT_8},             /* bcr */
    {OP8(0b), RS_FLOW_INDIRECT, R2, ALWAYS},                 /* bsm */
    {OP8(0c), RS_FLOW_PUSH, R2, ALWAYS},                     /* bassm */
    {OP8(0d), RS_FLOW_PUSH, R2, ALWAYS},                     /* basr */
    {OP8(45), RS_FLOW_PUSH, BASE_INDEX, ALWAYS},             /* bal */
    {OP8(46), RS_FLOW_INDIRECT, BASE_INDEX, SOMETIMES},      /* bct */
    {OP8(47), RS_FLOW_INDIRECT, BASE_INDEX, MASK4_AT_8},     /* bc */
    {OP8(4d), RS_FLOW_PUSH, BASE_INDEX, ALWAYS},             /* bas */
    {OP8(82), RS_FLOW_INDIRECT, MEMORY, ALWAYS},             /* lpsw */
    {OP8(84), RS_FLOW_JUMP, REL16, SOMETIMES},               /* brxh */
    {OP8(85), RS_FLOW_JUMP, REL16, SOMETIMES},               /* brxle */
    {OP8(86), RS_FLOW_INDIRECT, BASE, SOMETIMES},            /* bxh */
    {OP8(87), RS_FLOW_INDIRECT, BASE, SOMETIMES},            /* bxle */
    {OP12(a7, 4), RS_FLOW_JUMP, REL16, MASK4_AT_8},          /* brc */
    {OP12(a7, 5), RS_FLOW_PUSH, REL16, ALWAYS},              /* bras */
    {OP12(a7, 6), RS_FLOW_JUMP, REL16, SOMETIMES},           /* brct */
    {OP12(a7, 7), RS_FLOW_JUMP, REL16, SOMETIMES},           /* brctg */
    {OP16(b2b2), RS_FLOW_INDIRECT, MEMORY, ALWAYS},          /* lpswe */
    {OP16(b946), RS_FLOW_INDIRECT, R2_RRE, SOMETIMES},       /* bctgr */
    {OP12(c0, 4), RS_FLOW_JUMP, REL32, MASK4_AT_8},          /* brcl */
    {OP12(c0, 5), RS_FLOW_PUSH, REL32, ALWAYS},              /* brasl */
    {OP12(c6, 0), RS_FLOW_OTHER, REL32, ALWAYS},             /* exrl */
    {OP12(cc, 6), RS_FLOW_JUMP, REL32, SOMETIMES},           /* brcth */
    {OP_ENDS(e3, 46), RS_FLOW_INDIRECT, MEMORY, SOMETIMES},  /* bctg */
    {OP_ENDS(e3, 47), RS_FLOW_INDIRECT, MEMORY, MASK4_AT_8}, /* bic */
    {OP_ENDS(eb, 44), RS_FLOW_INDIRECT, MEMORY, SOMETIMES},  /* bxhg */
    {OP_ENDS(eb, 45), RS_FLOW_INDIRECT, MEMORY, SOMETIMES},  /* bxleg */
    {OP_ENDS(eb, 71), RS_FLOW_INDIRECT, MEMORY, ALWAYS},     /* lpswey */
    {OP_ENDS(ec, 44), RS_FLOW_JUMP, REL16, SOMETIMES},       /* brxhg */
    {OP_ENDS(ec, 45), RS_FLOW_JUMP, REL16, SOMETIMES},       /* brxlg */
    {OP_ENDS(ec, 64), RS_FLOW_JUMP, REL16, MASK3_AT_32},     /* cgrj */
    {OP_ENDS(ec, 65), RS_FLOW_JUMP, REL16, MASK3_AT_32},     /* clgrj */
    {OP_ENDS(ec, 76), RS_FLOW_JUMP, REL16, MASK3_AT_32},     /* crj */
    {OP_ENDS(ec, 77), RS_FLOW_JUMP, REL16, MASK3_AT_32},     /* clrj */
    {OP_ENDS(ec, 7c), RS_FLOW_JUMP, REL16, MASK3_AT_12},     /* cgij */
    {OP_ENDS(ec, 7d), RS_FLOW_JUMP, REL16, MASK3_AT_12},     /* clgij */
    {OP_ENDS(ec, 7e), RS_FLOW_JUMP, REL16, MASK3_AT_12},     /* cij */
    {OP_ENDS(ec, 7f), RS_FLOW_JUMP, REL16, MASK3_AT_12},     /* clij */
    {OP_ENDS(ec, e4), RS_FLOW_INDIRECT, BASE, MASK3_AT_32},  /* cgrb */
    {OP_ENDS(ec, e5), RS_FLOW_INDIRECT, BASE, MASK3_AT_32},  /* clgrb */
    {OP_ENDS(ec, f6), RS_FLOW_INDIRECT, BASE, MASK3_AT_32},  /* crb */
    {OP_ENDS(ec, f7), RS_FLOW_INDIRECT, BASE, MASK3_AT_32},  /* clrb */
    {OP_ENDS(ec, fc), RS_FLOW_INDIRECT, BASE, MASK3_AT_12},  /* cgib */
    {OP_ENDS(ec, fd), RS_FLOW_INDIRECT, BASE, MASK3_AT_12},  /* clgib */
    {OP_ENDS(ec, fe), RS_FLOW_INDIRECT, BASE, MASK3_AT_12},  /* cib */
    {OP_ENDS(ec, ff), RS_FLOW_INDIRECT, BASE, MASK3_AT_12},  /* clib */
};

#define LGR      UINT64_C(0xb90400000000)
#define LGR_MASK UINT64_C(0xffff00000000)

/* n_bits from bit first, in the manual's numbering. */
static uint32_t field(uint64_t insn_bits, unsigned int first, unsigned int n_bits)
{
	return (uint32_t)(insn_bits >> (48 - first - n_bits)) &
	       (uint32_t)((UINT64_C(1) << n_bits) - 1);
}

static void set_relative(struct rs_insn *insn, uint64_t address, uint32_t halfwords,
			 unsigned int n_bits)
{
	insn->has_target = true;
	insn->target = address + 2 * rs_sign_extend(halfwords, n_bits);
}

static void set_through(struct rs_insn *insn, uint32_t reg)
{
	insn->through = RS_REG(reg);
	if (insn->flow == RS_FLOW_INDIRECT && reg == LINK)
		insn->flow = RS_FLOW_POP;
}

/* Told only where the register alone is the address. */
static void set_base(struct rs_insn *insn, uint64_t bits, uint32_t index)
{
	const uint32_t base = field(bits, 16, 4);
	if (index == 0 && base != 0 && field(bits, 20, 12) == 0)
		set_through(insn, base);
}

static void set_register(struct rs_insn *insn, uint32_t reg)
{
	if (reg)
		set_through(insn, reg);
	else
		insn->flow = RS_FLOW_OTHER;
}

static void take_target(struct rs_insn *insn, enum target target, uint64_t bits,
			uint64_t address)
{
	switch (target) {
	case NO_TARGET:
	case MEMORY:
		break;
	case REL16:
		set_relative(insn, address, field(bits, 16, 16), 16);
		break;
	case REL32:
		set_relative(insn, address, field(bits, 16, 32), 32);
		break;
	case R2:
		set_register(insn, field(bits, 12, 4));
		break;
	case R2_RRE:
		set_register(insn, field(bits, 28, 4));
		break;
	case BASE:
		set_base(insn, bits, 0);
		break;
	case BASE_INDEX:
		set_base(insn, bits, field(bits, 12, 4));
		break;
	}
}

/* One that never branches is nothing but its length. */
static void take_mask(struct rs_insn *insn, uint32_t mask, uint32_t all)
{
	if (mask == 0)
		*insn = (struct rs_insn){.n_bytes = insn->n_bytes};
	else
		insn->is_conditional = insn->flow != RS_FLOW_OTHER && mask != all;
}

static void take_condition(struct rs_insn *insn, enum when when, uint64_t bits)
{
	switch (when) {
	case ALWAYS:
		break;
	case SOMETIMES:
		insn->is_conditional = insn->flow != RS_FLOW_OTHER;
		break;
	case MASK4_AT_8:
		take_mask(insn, field(bits, 8, 4), 15);
		break;
	case MASK3_AT_12:
		take_mask(insn, field(bits, 12, 3), 7);
		break;
	case MASK3_AT_32:
		take_mask(insn, field(bits, 32, 3), 7);
		break;
	}
}

static void take_row(struct rs_insn *insn, const struct row *row, uint64_t bits,
		     uint64_t address)
{
	insn->flow = row->flow;
	if (row->flow == RS_FLOW_PUSH)
		insn->link = RS_REG(field(bits, 8, 4));
	take_target(insn, row->target, bits, address);
	take_condition(insn, row->when, bits);
}

int rs_decode_z(const unsigned char *bytes, size_t n_bytes, uint64_t address,
		struct rs_insn *insn)
{
	static const uint8_t lengths[] = {2, 4, 4, 6}; /* by the first two bits */
	insn->n_bytes = lengths[bytes[0] >> 6];
	if (n_bytes < insn->n_bytes)
		return -EINVAL;
	uint64_t bits = 0;
	for (unsigned int i = 0; i < 6; i++)
		bits = bits << 8 | (i < insn->n_bytes ? bytes[i] : 0);
	if ((bits & LGR_MASK) == LGR) {
		insn->move_from = RS_REG(field(bits, 28, 4));
		insn->move_to = RS_REG(field(bits, 24, 4));
		return 0;
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if ((bits & rows[i].mask) == rows[i].bits) {
			take_row(insn, &rows[i], bits, address);
			return 0;
		}
	}
	rs_writes_z(bits, insn);
	return 0;
}
