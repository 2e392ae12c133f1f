/*
 * Which general registers an instruction writes, after the encoding tables of the Arm
 * Architecture Reference Manual ("A64 instruction set encoding"). Only what is neither
 * a branch nor a whole-register copy is asked about. Bit 31 of sets is the stack
 * pointer.
 */

#include "arch/decoders.h"

#define R31 31U /* the zero register, or the stack pointer */

struct form {
	uint32_t mask;
	uint32_t bits;
	bool is_load;
	bool is_pair;
	bool may_be_stack; /* register 31 is the stack pointer */
};

/* The first that matches counts. */
static const struct form forms[] = {
    {0x1f000000, 0x11000000, false, false, true},  /* add, sub with an immediate */
    {0x1c000000, 0x10000000, false, false, false}, /* other immediates, adr */
    {0x0e000000, 0x0a000000, false, false, false}, /* registers */
    {0x3e400000, 0x28400000, true, true, false},   /* ldp, ldnp */
    {0x3f400000, 0x08400000, true, false, false},  /* exclusive, ordered */
    {0x3f000000, 0x18000000, true, false, false},  /* from a literal */
    {0x3fc00000, 0x39400000, true, false, false},  /* zero-extended */
    {0x3f800000, 0x39800000, true, false, false},  /* sign-extended */
    {0x3fc00000, 0x38400000, true, false, false},
    {0x3f800000, 0x38800000, true, false, false},
};

#define LITERAL       0x18000000U
#define LITERAL_MASK  0x3f000000U
#define PREFETCH      0xf8800000U /* of size 3 and opc 2: writes nothing */
#define PREFETCH_MASK 0xfec00000U
#define FLAGS_ONLY    0x20000000U /* adds, subs with register 31: the zero register */
#define MRS           0xd5300000U
#define MRS_MASK      0xfff00000U

static void set(struct rs_insn *insn, uint32_t reg, bool may_be_stack)
{
	if (reg != R31 || may_be_stack)
		insn->sets |= UINT64_C(1) << reg;
}

static void take(const struct form *form, uint32_t word, struct rs_insn *insn)
{
	set(insn, rs_bits(word, 0, 5), form->may_be_stack && !(word & FLAGS_ONLY));
	if (form->is_pair)
		set(insn, rs_bits(word, 10, 5), false);
	insn->is_load = form->is_load;
	if (form->is_load && (word & LITERAL_MASK) != LITERAL)
		insn->base = RS_REG(rs_bits(word, 5, 5));
}

#define MOV_SP      0x9100001fU /* add sp, xn, 0 */
#define MOV_SP_MASK 0xfffffc1fU

void rs_writes_a64(uint32_t word, struct rs_insn *insn)
{
	if ((word & MOV_SP_MASK) == MOV_SP) {
		insn->move_from = RS_REG(rs_bits(word, 5, 5));
		insn->move_to = RS_REG(R31);
		return;
	}
	if ((word & PREFETCH_MASK) == PREFETCH)
		return;
	if ((word & MRS_MASK) == MRS)
		set(insn, rs_bits(word, 0, 5), false);
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if ((word & forms[i].mask) != forms[i].bits)
			continue;
		take(&forms[i], word, insn);
		return;
	}
}
