#include "tests/unit/decode_cases.h"

#define INSN(...)                                                                      \
	{                                                                              \
		.n_bytes = 4, __VA_ARGS__                                              \
	}
#define CALL(distance)                                                                 \
	INSN(.flow = RS_FLOW_PUSH, .has_target = true, .target = AT + (distance),      \
	     .link = RS_REG_LR)
#define TO(address)     INSN(.flow = RS_FLOW_JUMP, .has_target = true, .target = (address))
#define MOVE(from, to)  INSN(.move_from = (from), .move_to = (to))
#define LR_BRANCH(what) INSN(.flow = (what), .through = RS_REG_LR)
#define TRAP            INSN(.flow = RS_FLOW_TRAP)

/* In every byte order and class. */
static const struct decode_case cases[] = {
    {"bl .+4", "48000005", CALL(4)},
    {"bl .+8", "48000009", CALL(8)},
    {"bl .-0x8000", "4bff8001", CALL(-0x8000)},
    {"bl .+0x1fffffc", "49fffffd", CALL(0x1fffffc)},
    {"b .+8", "48000008", TO(AT + 8)},
    {"ba 0x1000", "48001002", TO(0x1000)},
    {"bla 0x1000", "48001003",
     INSN(.flow = RS_FLOW_PUSH, .has_target = true, .target = 0x1000,
	  .link = RS_REG_LR)},
    {"bcl 20,31,.+4", "429f0005",
     INSN(.flow = RS_FLOW_EXEMPT, .has_target = true, .target = AT + 4,
	  .link = RS_REG_LR)},
    {"bcl 20,31,.+8", "429f0009", CALL(8)},
    {"bcl 20,31,.-4", "429ffffd", CALL(-4)},
    {"bcl 20,30,.+4", "429e0005", CALL(4)},
    {"bcl 21,31,.+4", "42bf0005", CALL(4)},
    {"bcla 20,31,4", "429f0007",
     INSN(.flow = RS_FLOW_PUSH, .has_target = true, .target = 4, .link = RS_REG_LR)},
    {"bcl 12,31,.+4", "419f0005",
     INSN(.flow = RS_FLOW_PUSH, .is_conditional = true, .has_target = true,
	  .target = AT + 4, .link = RS_REG_LR)},
    {"beq .+8", "41820008",
     INSN(.flow = RS_FLOW_JUMP, .is_conditional = true, .has_target = true,
	  .target = AT + 8)},
    {"bdnz .-4", "4200fffc",
     INSN(.flow = RS_FLOW_JUMP, .is_conditional = true, .has_target = true,
	  .target = AT - 4)},
    {"bc 20,0,.+8", "42800008", TO(AT + 8)},
    {"blr", "4e800020", LR_BRANCH(RS_FLOW_POP)},
    {"bclr 20,0,1", "4e800820", LR_BRANCH(RS_FLOW_INDIRECT)},
    {"bclr 20,0,3", "4e801820", LR_BRANCH(RS_FLOW_INDIRECT)},
    {"beqlr", "4d820020",
     INSN(.flow = RS_FLOW_POP, .is_conditional = true, .through = RS_REG_LR)},
    {"bdnzlr", "4e000020",
     INSN(.flow = RS_FLOW_POP, .is_conditional = true, .through = RS_REG_LR)},
    {"blrl", "4e800021",
     INSN(.flow = RS_FLOW_POP_PUSH, .through = RS_REG_LR, .link = RS_REG_LR)},
    {"bclrl 20,0,1", "4e800821",
     INSN(.flow = RS_FLOW_PUSH, .through = RS_REG_LR, .link = RS_REG_LR)},
    {"bctr", "4e800420", INSN(.flow = RS_FLOW_INDIRECT, .through = RS_REG_CTR)},
    {"bctrl", "4e800421",
     INSN(.flow = RS_FLOW_PUSH, .through = RS_REG_CTR, .link = RS_REG_LR)},
    {"beqctr", "4d820420",
     INSN(.flow = RS_FLOW_INDIRECT, .is_conditional = true, .through = RS_REG_CTR)},
    {"bctar", "4e800460", INSN(.flow = RS_FLOW_INDIRECT, .through = RS_REG_TAR)},
    {"bctarl", "4e800461",
     INSN(.flow = RS_FLOW_PUSH, .through = RS_REG_TAR, .link = RS_REG_LR)},
    {"rfid", "4c000024", INSN(.flow = RS_FLOW_INDIRECT)},
    {"rfebb", "4c000924", INSN(.flow = RS_FLOW_INDIRECT)},
    {"crclr 6", "4cc63182", INSN(.flow = RS_FLOW_OTHER)},
    {"isync", "4c00012c", INSN(.flow = RS_FLOW_OTHER)},
    {"sc", "44000002", INSN(.flow = RS_FLOW_OTHER)},
    {"nop", "60000000", INSN(.flow = RS_FLOW_OTHER)},
    {"addpcis r3,0", "4c600004", INSN(.flow = RS_FLOW_OTHER)},
    {"mflr r3", "7c6802a6", MOVE(RS_REG_LR, RS_REG(3))},
    {"mtlr r0", "7c0803a6", MOVE(RS_REG(0), RS_REG_LR)},
    {"mfctr r12", "7d8902a6", MOVE(RS_REG_CTR, RS_REG(12))},
    {"mtctr r12", "7d8903a6", MOVE(RS_REG(12), RS_REG_CTR)},
    {"mttar r5", "7cafcba6", MOVE(RS_REG(5), RS_REG_TAR)},
    {"mftar r5", "7cafcaa6", MOVE(RS_REG_TAR, RS_REG(5))},
    {"mfxer r3", "7c6102a6", INSN(.flow = RS_FLOW_OTHER)},
    {"mr r31,r3", "7c7f1b78", MOVE(RS_REG(3), RS_REG(31))},
    {"or r31,r3,r4", "7c7f2378", INSN(.flow = RS_FLOW_OTHER)},
    {"trap", "7fe00008", TRAP},
    {"tweqi r3,0", "0c830000", INSN(.flow = RS_FLOW_OTHER)},
    {"twui r3,0", "0fe30000", TRAP},
    {"tdui r3,0", "0be30000", TRAP},
    {"tweq r3,r4", "7c832008", INSN(.flow = RS_FLOW_OTHER)},
    {"tdu r3,r4", "7fe32088", TRAP},
    {".long 0", "00000000", TRAP},
    {".long 0x200", "00000200", {0}},
    {"paddi r3,0,8,1", "06100000 38600008", {.n_bytes = 8, .flow = RS_FLOW_OTHER}},
    {"pld r3,8(0),1", "04100000 e4600008", {.n_bytes = 8, .flow = RS_FLOW_OTHER}},
    {.text = NULL},
};

/* The least displacement from AT goes below 0, which only 32 bits wrap at 4 GiB. */
static const struct decode_case wrapped[] = {
    {"b .-0x2000000", "4a000000", TO(0xfe010000)},
    {"ba 0xfe000000", "4a000002", TO(0xfe000000)},
    {.text = NULL},
};

static const struct decode_case not_wrapped[] = {
    {"b .-0x2000000", "4a000000", TO(UINT64_C(0xfffffffffe010000))},
    {"ba 0xfffffffffe000000", "4a000002", TO(UINT64_C(0xfffffffffe000000))},
    {.text = NULL},
};

static void powerpc_instructions(void **state)
{
	(void)state;
	static const char *const names[] = {"ppc64le", "ppc64", "ppc"};
	for (size_t i = 0; i < 3; i++)
		check_cases(names[i], cases);
	check_sees_differences(&cases[0]);
	check_cases("ppc", wrapped);
	check_cases("ppc64", not_wrapped);
	check_cases("ppc64le", not_wrapped);
}

static void any_bytes(void **state)
{
	(void)state;
	check_random("ppc64le", 0x31);
	check_random("ppc64", 0x32);
	check_random("ppc", 0x33);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(powerpc_instructions),
	    cmocka_unit_test(any_bytes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
