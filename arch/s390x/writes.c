/*
 * Which general registers an instruction writes: those forms of the Principles of
 * Operation, chapter 7, that compilers restore registers or make addresses with. Only
 * what is neither a branch nor a whole-register copy is asked about. An instruction is
 * the highest of 48 bits.
 */

#include "arch/decoders.h"

enum form {
	COMPUTED,   /* r1 */
	LOADED,     /* r1; base in bits 16 to 19 */
	RANGE,      /* r1 to r3, around the end; base likewise */
	FROM_FLOAT, /* r1, in bits 24 to 27: where leaf functions keep %r14 */
	POOL        /* r1, from an address relative to the instruction */
};

struct row {
	uint64_t mask;
	uint64_t bits;
	enum form form;
};

#define OP8(op)           UINT64_C(0xff0000000000), UINT64_C(0x##op##0000000000)
#define OP12(op, last)    UINT64_C(0xff0f00000000), UINT64_C(0x##op##0##last##00000000)
#define OP16(op)          UINT64_C(0xffff00000000), UINT64_C(0x##op##00000000)
#define OP_ENDS(op, last) UINT64_C(0xff00000000ff), UINT64_C(0x##op##00000000##last)

static const struct row rows[] = {
    {OP8(18), COMPUTED},         /* lr: half of a register is no return address */
    {OP8(1a), COMPUTED},         /* ar */
    {OP8(41), COMPUTED},         /* la */
    {OP8(58), LOADED},           /* l */
    {OP8(98), RANGE},            /* lm */
    {OP12(a7, 8), COMPUTED},     /* lhi */
    {OP12(a7, 9), COMPUTED},     /* lghi */
    {OP12(a7, a), COMPUTED},     /* ahi */
    {OP12(a7, b), COMPUTED},     /* aghi */
    {OP16(b3cd), FROM_FLOAT},    /* lgdr */
    {OP12(c0, 0), COMPUTED},     /* larl */
    {OP12(c0, 1), COMPUTED},     /* lgfi */
    {OP12(c4, 8), POOL},         /* lgrl */
    {OP_ENDS(e3, 02), LOADED},   /* ltg */
    {OP_ENDS(e3, 04), LOADED},   /* lg */
    {OP_ENDS(e3, 14), LOADED},   /* lgf */
    {OP_ENDS(e3, 16), LOADED},   /* llgf */
    {OP_ENDS(e3, 58), LOADED},   /* ly */
    {OP_ENDS(e3, 71), COMPUTED}, /* lay */
    {OP_ENDS(eb, 04), RANGE},    /* lmg */
    {OP_ENDS(eb, 98), RANGE},    /* lmy */
};

static uint32_t field(uint64_t bits, unsigned int first)
{
	return (uint32_t)(bits >> (44 - first)) & 15;
}

static uint64_t range(uint32_t first, uint32_t last)
{
	uint64_t all = 0;
	for (uint32_t reg = first;; reg = (reg + 1) & 15) {
		all |= UINT64_C(1) << reg;
		if (reg == last)
			return all;
	}
}

static void take(enum form form, uint64_t bits, struct rs_insn *insn)
{
	const uint32_t first = field(bits, form == FROM_FLOAT ? 24 : 8);
	const uint32_t base = field(bits, 16);
	insn->sets =
	    form == RANGE ? range(first, field(bits, 12)) : UINT64_C(1) << first;
	insn->is_load = form != COMPUTED;
	if ((form == LOADED || form == RANGE) && base)
		insn->base = RS_REG(base);
	if (form == FROM_FLOAT)
		insn->base = RS_REG(15);
}

void rs_writes_z(uint64_t bits, struct rs_insn *insn)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if ((bits & rows[i].mask) != rows[i].bits)
			continue;
		take(rows[i].form, bits, insn);
		return;
	}
}
