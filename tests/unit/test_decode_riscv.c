#include "tests/unit/decode_cases.h"

#define WORD(...)                                                                      \
	{                                                                              \
		.n_bytes = 4, __VA_ARGS__                                              \
	}
#define HALF(...)                                                                      \
	{                                                                              \
		.n_bytes = 2, __VA_ARGS__                                              \
	}
#define RA                  RS_REG(1)
#define T0                  RS_REG(5)
#define T1                  RS_REG(6)
#define T2                  RS_REG(7)
#define A0                  RS_REG(10)
#define NEAR(by)            .has_target = true, .target = AT + (by)
#define JAL(what, rd, by)   WORD(.flow = (what), .link = (rd), NEAR(by))
#define JALR(what, rd, rs1) WORD(.flow = (what), .link = (rd), .through = (rs1))
#define IF(by)              .flow = RS_FLOW_JUMP, .is_conditional = true, NEAR(by)
#define MOVE(from, to)      .move_from = (from), .move_to = (to)

static const struct decode_case cases[] = {
    {"jal ra,.+4", "004000ef", JAL(RS_FLOW_PUSH, RA, 4)},
    {"jal ra,.+8", "008000ef", JAL(RS_FLOW_PUSH, RA, 8)},
    {"jal t0,.+4", "004002ef", JAL(RS_FLOW_PUSH, T0, 4)},
    {"jal t1,.+4", "0040036f", JAL(RS_FLOW_EXEMPT, T1, 4)},
    {"j .-4", "ffdff06f", JAL(RS_FLOW_JUMP, RS_REG_NONE, -4)},
    {"jal ra,.-0x100000", "800000ef", JAL(RS_FLOW_PUSH, RA, -0x100000)},
    {"jal ra,.+0xffffe", "7ffff0ef", JAL(RS_FLOW_PUSH, RA, 0xffffe)},
    {"jal ra,.+0x800", "001000ef", JAL(RS_FLOW_PUSH, RA, 0x800)},
    {"ret", "00008067", JALR(RS_FLOW_POP, RS_REG_NONE, RA)},
    {"jr t0", "00028067", JALR(RS_FLOW_POP, RS_REG_NONE, T0)},
    {"jr t2", "00038067", JALR(RS_FLOW_INDIRECT, RS_REG_NONE, T2)},
    {"jalr ra,t2", "000380e7", JALR(RS_FLOW_PUSH, RA, T2)},
    {"jalr ra,ra", "000080e7", JALR(RS_FLOW_PUSH, RA, RA)},
    {"jalr ra,t0", "000280e7", JALR(RS_FLOW_POP_PUSH, RA, T0)},
    {"jalr t0,ra", "000082e7", JALR(RS_FLOW_POP_PUSH, T0, RA)},
    {"jalr t0,t0", "000282e7", JALR(RS_FLOW_PUSH, T0, T0)},
    {"jalr t0,a0", "000502e7", JALR(RS_FLOW_PUSH, T0, A0)},
    {"jalr t1,ra", "00008367", JALR(RS_FLOW_POP, T1, RA)},
    {"jalr t1,a0", "00050367", JALR(RS_FLOW_EXEMPT, T1, A0)},
    {"jr 8(ra)", "00808067", JALR(RS_FLOW_POP, RS_REG_NONE, RA)},
    {"jr 16(zero)", "01000067",
     WORD(.flow = RS_FLOW_JUMP, .has_target = true, .target = 16)},
    {"jalr ra,-8(zero)", "ff8000e7",
     WORD(.flow = RS_FLOW_PUSH, .link = RA, .has_target = true, .target = -8ULL)},
    {"jalr with funct3 1", "00009067", {0}},
    {"beq a0,a1,.+8", "00b50463", WORD(IF(8))},
    {"bgeu a0,a1,.-8", "feb57ce3", WORD(IF(-8))},
    {"branch with funct3 2", "00b52463", {0}},
    {"ebreak", "00100073", WORD(.flow = RS_FLOW_TRAP)},
    {"unimp", "c0001073", WORD(.flow = RS_FLOW_TRAP)},
    {"ecall", "00000073", WORD(.flow = RS_FLOW_OTHER)},
    {"sret", "10200073", WORD(.flow = RS_FLOW_INDIRECT)},
    {"mret", "30200073", WORD(.flow = RS_FLOW_INDIRECT)},
    {"mnret", "70200073", WORD(.flow = RS_FLOW_INDIRECT)},
    {"dret", "7b200073", WORD(.flow = RS_FLOW_INDIRECT)},
    {"lpad 0", "00000017", WORD(.flow = RS_FLOW_OTHER)},
    {"lpad 0xfffff", "fffff017", WORD(.flow = RS_FLOW_OTHER)},
    {"sspush ra", "ce104073", WORD(.flow = RS_FLOW_OTHER)},
    {"sspush t0", "ce504073", WORD(.flow = RS_FLOW_OTHER)},
    {"sspopchk ra", "cdc0c073", WORD(.flow = RS_FLOW_OTHER)},
    {"sspopchk t0", "cdc2c073", WORD(.flow = RS_FLOW_OTHER)},
    {"ssrdp a0", "cdc04573", WORD(.flow = RS_FLOW_OTHER)},
    {"ssamoswap.d a0,a1,(a2)", "48b6352f", WORD(.flow = RS_FLOW_OTHER)},
    {"c.sspush ra", "6081", HALF(.flow = RS_FLOW_OTHER)},
    {"c.sspopchk t0", "6281", HALF(.flow = RS_FLOW_OTHER)},
    {"c.fsdsp fa6,312(sp) (cm.popret {ra},16 without D)", "be42",
     HALF(.flow = RS_FLOW_OTHER)},
    {"c.fsdsp fa6,56(sp) (cm.popretz {ra},16 without D)", "bc42",
     HALF(.flow = RS_FLOW_OTHER)},
    {"c.fsdsp ft0,0(sp) (cm.jt 0 without D)", "a002", HALF(.flow = RS_FLOW_OTHER)},
    {"c.fsdsp ft0,64(sp) (cm.jalt 32 without D)", "a082", HALF(.flow = RS_FLOW_OTHER)},
    {"mv a0,ra", "00008513", WORD(MOVE(RA, A0))},
    {"li a0,0", "00000513", WORD(.flow = RS_FLOW_OTHER)},
    {"addi a0,ra,1", "00108513", WORD(.flow = RS_FLOW_OTHER)},
    {"auipc t2,0", "00000397", WORD(.flow = RS_FLOW_OTHER)},
    {"c.j .+4", "a011", HALF(.flow = RS_FLOW_JUMP, NEAR(4))},
    {"c.j .-2", "bffd", HALF(.flow = RS_FLOW_JUMP, NEAR(-2))},
    {"c.jr ra", "8082", HALF(.flow = RS_FLOW_POP, .through = RA)},
    {"c.jr t0", "8282", HALF(.flow = RS_FLOW_POP, .through = T0)},
    {"c.jr t2", "8382", HALF(.flow = RS_FLOW_INDIRECT, .through = T2)},
    {"c.jr zero", "8002", {0}},
    {"c.jalr ra", "9082", HALF(.flow = RS_FLOW_PUSH, .link = RA, .through = RA)},
    {"c.jalr t0", "9282", HALF(.flow = RS_FLOW_POP_PUSH, .link = RA, .through = T0)},
    {"c.jalr t2", "9382", HALF(.flow = RS_FLOW_PUSH, .link = RA, .through = T2)},
    {"c.beqz a0,.+6", "c119", HALF(IF(6))},
    {"c.bnez a0,.-6", "fd6d", HALF(IF(-6))},
    {"c.ebreak", "9002", HALF(.flow = RS_FLOW_TRAP)},
    {"c.unimp", "0000", HALF(.flow = RS_FLOW_TRAP)},
    {"c.mv a0,ra", "8506", HALF(MOVE(RA, A0))},
    {"c.add a0,ra", "9506", HALF(.flow = RS_FLOW_OTHER)},
    {"c.addiw a0,1 (c.jal on RV32)", "2505", HALF(.flow = RS_FLOW_OTHER)},
    {"c.nop", "0001", HALF(.flow = RS_FLOW_OTHER)},
    {"first half of 6 bytes", "001f 0000 0000", {0}},
    {"first half of 8 bytes", "003f 0000 0000 0000", {0}},
    {.text = NULL},
};

/* The compressed jumps' scattered bits, one at a time, against the table of the C
 * chapter: instruction bit, offset bit. */
struct scattered {
	unsigned int insn_bit;
	unsigned int offset_bit;
};

static void check_scattered(unsigned int half, const struct scattered *bits, size_t n)
{
	const struct rs_decoder *const decoder = find_decoder("riscv64");
	for (size_t i = 0; i < n; i++) {
		const unsigned int coded = half | 1U << bits[i].insn_bit;
		const unsigned char bytes[2] = {coded & 0xff, coded >> 8};
		const uint64_t offset = UINT64_C(1) << bits[i].offset_bit;
		struct rs_insn got;
		print_message("%04x\n", coded);
		assert_int_equal(decode_exact(decoder, bytes, 2, &got), 0);
		/* The highest is the sign. */
		assert_true(got.has_target);
		assert_true(got.target == (i == 0 ? AT - offset : AT + offset));
	}
}

static void compressed_offsets(void **state)
{
	(void)state;
	static const struct scattered jump[] = {{12, 11}, {11, 4}, {10, 9}, {9, 8},
						{8, 10},  {7, 6},  {6, 7},  {5, 3},
						{4, 2},   {3, 1},  {2, 5}};
	static const struct scattered branch[] = {{12, 8}, {11, 4}, {10, 3}, {6, 7},
						  {5, 6},  {4, 2},  {3, 1},  {2, 5}};
	check_scattered(0xa001, jump, sizeof(jump) / sizeof(jump[0]));
	check_scattered(0xc101, branch, sizeof(branch) / sizeof(branch[0]));
}

/* The table of return-address-stack hints, for jalr, and what is made of it elsewhere.
 */
static enum rs_flow hinted(unsigned int rd, unsigned int rs1)
{
	static const struct {
		bool rd_is_link;
		bool rs1_is_link;
		bool are_equal;
		enum rs_flow flow; /* where rd is x0, else EXEMPT for INDIRECT */
	} hints[] = {
	    {false, false, false, RS_FLOW_INDIRECT},
	    {false, false, true, RS_FLOW_INDIRECT},
	    {false, true, false, RS_FLOW_POP},
	    {true, false, false, RS_FLOW_PUSH},
	    {true, true, false, RS_FLOW_POP_PUSH},
	    {true, true, true, RS_FLOW_PUSH},
	};
	for (size_t i = 0; i < sizeof(hints) / sizeof(hints[0]); i++) {
		if (hints[i].rd_is_link != (rd == 1 || rd == 5) ||
		    hints[i].rs1_is_link != (rs1 == 1 || rs1 == 5) ||
		    hints[i].are_equal != (rd == rs1))
			continue;
		return hints[i].flow == RS_FLOW_INDIRECT && rd ? RS_FLOW_EXEMPT
							       : hints[i].flow;
	}
	fail_msg("no hint for x%u, x%u", rd, rs1);
	return RS_FLOW_OTHER;
}

static void check_hint(const char *what, unsigned int code, size_t n_bytes,
		       enum rs_flow flow, unsigned int rd, unsigned int rs1)
{
	const struct rs_decoder *const decoder = find_decoder("riscv64");
	const unsigned char bytes[4] = {code & 0xff, code >> 8 & 0xff,
					code >> 16 & 0xff, code >> 24};
	struct rs_insn got;
	assert_int_equal(decode_exact(decoder, bytes, n_bytes, &got), 0);
	if (got.flow != flow || got.link != (rd ? RS_REG(rd) : RS_REG_NONE) ||
	    got.through != (rs1 ? RS_REG(rs1) : RS_REG_NONE) ||
	    got.n_bytes != n_bytes || got.is_conditional)
		fail_msg("%s x%u, x%u: flow %d, not %d, link %u, through %u", what, rd,
			 rs1, got.flow, flow, got.link, got.through);
}

/* Every register as rd and rs1. */
static void hints_of_every_register(void **state)
{
	(void)state;
	for (unsigned int rd = 0; rd < 32; rd++) {
		/* A jal is a jalr whose rs1 is no link register; x0 reads no register.
		 */
		const enum rs_flow direct = rd ? hinted(rd, 0) : RS_FLOW_JUMP;
		check_hint("jal", 0x0080006f | rd << 7, 4, direct, rd, 0);
		check_hint("jalr", 0x67 | rd << 7, 4, direct, rd, 0);
		for (unsigned int rs1 = 1; rs1 < 32; rs1++)
			check_hint("jalr", 0x67 | rd << 7 | rs1 << 15, 4,
				   hinted(rd, rs1), rd, rs1);
	}
	for (unsigned int rs1 = 1; rs1 < 32; rs1++) {
		check_hint("c.jr", 0x8002 | rs1 << 7, 2, hinted(0, rs1), 0, rs1);
		check_hint("c.jalr", 0x9002 | rs1 << 7, 2, hinted(1, rs1), 1, rs1);
	}
}

static void riscv_instructions(void **state)
{
	(void)state;
	check_cases("riscv64", cases);
	check_sees_differences(&cases[0]);
}

static void any_bytes(void **state)
{
	(void)state;
	check_random("riscv64", 0x5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(riscv_instructions),
	    cmocka_unit_test(hints_of_every_register),
	    cmocka_unit_test(compressed_offsets),
	    cmocka_unit_test(any_bytes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
