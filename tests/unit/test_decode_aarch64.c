#include "tests/unit/decode_cases.h"

#define INSN(...)                                                                      \
	{                                                                              \
		.n_bytes = 4, __VA_ARGS__                                              \
	}
#define OTHER          INSN(.flow = RS_FLOW_OTHER)
#define TRAP           INSN(.flow = RS_FLOW_TRAP)
#define NEAR(by)       .has_target = true, .target = AT + (by)
#define TO(by)         INSN(.flow = RS_FLOW_JUMP, NEAR(by))
#define IF(by)         INSN(.flow = RS_FLOW_JUMP, .is_conditional = true, NEAR(by))
#define BL(by)         INSN(.flow = RS_FLOW_PUSH, .link = RS_REG(30), NEAR(by))
#define BLR(n)         INSN(.flow = RS_FLOW_PUSH, .link = RS_REG(30), .through = RS_REG(n))
#define BR(n)          INSN(.flow = RS_FLOW_INDIRECT, .through = RS_REG(n))
#define RET(n)         INSN(.flow = RS_FLOW_POP, .through = RS_REG(n))
#define MOVE(from, to) INSN(.move_from = RS_REG(from), .move_to = RS_REG(to))

static const struct decode_case cases[] = {
    {"bl .+4", "94000001", BL(4)},
    {"bl .+8", "94000002", BL(8)},
    {"bl .-4", "97ffffff", BL(-4)},
    {"bl .+0x7fffffc", "95ffffff", BL(0x7fffffc)},
    {"bl .-0x8000000", "96000000", BL(-0x8000000)},
    {"b .+8", "14000002", TO(8)},
    {"b .-4", "17ffffff", TO(-4)},
    {"b.eq .+8", "54000040", IF(8)},
    {"bc.eq .+8", "54000050", IF(8)},
    {"b.le .-4", "54ffffed", IF(-4)},
    {"b.al .-8", "54ffffce", TO(-8)},
    {"b.nv .-8", "54ffffcf", TO(-8)},
    {"cbz x3,.+16", "b4000083", IF(16)},
    {"cbnz w3,.-16", "35ffff83", IF(-16)},
    {"tbz x3,#33,.+8", "b6080043", IF(8)},
    {"tbnz w3,#1,.-8", "370fffc3", IF(-8)},
    {"cbgt w5,w3,.+8", "74030045", IF(8)},
    {"cbne x5,x30,.-4", "f4fe3fe5", IF(-4)},
    {"cbhs x5,x3,.+1020", "f4631fe5", IF(1020)},
    {"cbbge w5,w3,.-1024", "7423a005", IF(-1024)},
    {"cbbne w5,w5,.-1024", "74e5a005", IF(-1024)},
    {"cbhge w5,w3,.-1024", "7423e005", IF(-1024)},
    {"cbheq w5,w3,.+8", "74c3c045", IF(8)},
    {"cbgt w5,#63,.+1020", "751f9fe5", IF(1020)},
    {"cbgt x5,#0,.-1024", "f5002005", IF(-1024)},
    {"cbhi x5,#63,.-1024", "f55fa005", IF(-1024)},
    {"cblt w5,#32,.+8", "75300045", IF(8)},
    {"between cb and cbb: unallocated", "74034045", OTHER},
    {"cbb of 64 bits: unallocated", "f4038045", OTHER},
    {"cb of seven bits: unallocated", "75004045", OTHER},
    {"br x30", "d61f03c0", BR(30)},
    {"br x16", "d61f0200", BR(16)},
    {"braaz x3", "d61f087f", BR(3)},
    {"brabz x3", "d61f0c7f", BR(3)},
    {"braa x3,x4", "d71f0864", BR(3)},
    {"brab x3,x4", "d71f0c64", BR(3)},
    {"blr x8", "d63f0100", BLR(8)},
    {"blr x30", "d63f03c0", BLR(30)},
    {"blraaz x3", "d63f087f", BLR(3)},
    {"blrabz x3", "d63f0c7f", BLR(3)},
    {"blraa x3,x4", "d73f0864", BLR(3)},
    {"blrab x3,sp", "d73f0c7f", BLR(3)},
    {"ret", "d65f03c0", RET(30)},
    {"ret x3", "d65f0060", RET(3)},
    {"retaa", "d65f0bff", RET(30)},
    {"retab", "d65f0fff", RET(30)},
    {"retaasppcr x5", "d65f0be5", RET(30)},
    {"retabsppcr x30", "d65f0ffe", RET(30)},
    {"retaasppc .-4", "5500003f", RET(30)},
    {"retabsppc .-4", "5520003f", RET(30)},
    {"eret", "d69f03e0", INSN(.flow = RS_FLOW_INDIRECT)},
    {"eretaa", "d69f0bff", INSN(.flow = RS_FLOW_INDIRECT)},
    {"eretab", "d69f0fff", INSN(.flow = RS_FLOW_INDIRECT)},
    {"brk #0x3e8", "d4207d00", TRAP},
    {"hlt #1", "d4400020", TRAP},
    {"udf #0", "00000000", TRAP},
    {"udf #0xffff", "0000ffff", TRAP},
    {"svc #0", "d4000001", OTHER},
    {"mov x3,x30", "aa1e03e3", MOVE(30, 3)},
    {"mov x30,x3", "aa0303fe", MOVE(3, 30)},
    {"mov w3,w30", "2a1e03e3", OTHER},
    {"mov x3,xzr", "aa1f03e3", OTHER},
    {"orr x3,x4,x30", "aa1e0083", OTHER},
    {"orr x3,xzr,x30,lsl #1", "aa1e07e3", OTHER},
    {"adr x3,.+4", "10000023", OTHER},
    {"bti c", "d503245f", OTHER},
    {"paciasp", "d503233f", OTHER},
    {.text = NULL},
};

static void aarch64_instructions(void **state)
{
	(void)state;
	check_cases("aarch64", cases);
	check_sees_differences(&cases[0]);
}

static void any_bytes(void **state)
{
	(void)state;
	check_random("aarch64", 0x64);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(aarch64_instructions),
	    cmocka_unit_test(any_bytes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
