/*
 * Which general register an instruction writes, by its opcode (Power ISA 3.1B Book I,
 * chapter 3, and appendix "Instruction Set Sorted by Opcode"). Only what is neither a
 * branch nor a whole-register copy is asked about.
 */

#include "arch/decoders.h"

#define N_ROWS(rows) (sizeof(rows) / sizeof((rows)[0]))

/* Which field names the written register, and whether it is loaded. */
enum writes {
	NOTHING,
	RT,      /* bits 6 to 10 */
	RA,      /* bits 11 to 15 */
	RT_LOAD, /* from an address that RA is the base of */
	RT_UP    /* likewise, and all registers above it */
};

static const uint8_t by_opcode[64] = {
    [7] = RT,       [8] = RT,       [12] = RT,      [13] = RT,      [14] = RT,
    [15] = RT,      [20] = RA,      [21] = RA,      [23] = RA,      [24] = RA,
    [25] = RA,      [26] = RA,      [27] = RA,      [28] = RA,      [29] = RA,
    [30] = RA,      [32] = RT_LOAD, [33] = RT_LOAD, [34] = RT_LOAD, [35] = RT_LOAD,
    [40] = RT_LOAD, [41] = RT_LOAD, [42] = RT_LOAD, [43] = RT_LOAD, [46] = RT_UP,
    [58] = RT_LOAD,
};

/* Extended opcodes of primary opcode 31, of 10 bits. */
static const uint16_t loads[] = {20,  21,  23,  53,  55,  84,  87,  119, 279, 311,
				 341, 343, 373, 375, 532, 534, 790, 52,  116, 276};
static const uint16_t to_ra[] = {24,  26,  27,  28,  58,  60,  124, 284,
				 316, 412, 476, 536, 539, 792, 794, 824,
				 826, 827, 922, 954, 986, 444, 506, 378};
/* Without their bit OE, which is the highest. */
static const uint16_t to_rt[] = {8,   9,   10,  11,  40,  73,  75,  104, 136, 138, 200,
				 202, 232, 233, 234, 235, 266, 457, 459, 489, 491, 19,
				 339, 371, 51,  307, 425, 393, 395, 265, 267};

static bool is_among(uint32_t opcode, const uint16_t *rows, size_t n_rows)
{
	for (size_t i = 0; i < n_rows; i++) {
		if (rows[i] == opcode)
			return true;
	}
	return false;
}

static enum writes of_31(uint32_t word)
{
	const uint32_t opcode = rs_bits(word, 1, 10);
	if (is_among(opcode, loads, N_ROWS(loads)))
		return RT_LOAD;
	if (is_among(opcode, to_ra, N_ROWS(to_ra)) || rs_bits(word, 2, 9) == 413)
		return RA;
	return is_among(opcode & 0x1ff, to_rt, N_ROWS(to_rt)) ? RT : NOTHING;
}

#define OPCODE_19  19U
#define OPCODE_31  31U
#define XO_ADDPCIS 2U

#define NOP 0x60000000U /* ori 0,0,0 */

void rs_writes_power(uint32_t word, struct rs_insn *insn)
{
	if (word == NOP)
		return;
	const uint32_t opcode = rs_bits(word, 26, 6);
	const uint32_t rt = rs_bits(word, 21, 5);
	const uint32_t ra = rs_bits(word, 16, 5);
	enum writes writes = by_opcode[opcode];
	if (opcode == OPCODE_31)
		writes = of_31(word);
	else if (opcode == OPCODE_19 && rs_bits(word, 1, 5) == XO_ADDPCIS)
		writes = RT;
	if (writes == NOTHING)
		return;
	insn->sets = UINT64_C(1) << (writes == RA ? ra : rt);
	if (writes == RT_UP)
		insn->sets = UINT32_MAX & ~(insn->sets - 1);
	insn->is_load = writes == RT_LOAD || writes == RT_UP;
	if (insn->is_load && ra)
		insn->base = RS_REG(ra);
	if (writes == RA)
		insn->base = RS_REG(rt);
}
