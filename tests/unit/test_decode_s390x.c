#include "tests/unit/decode_cases.h"

#define OF(n, ...)                                                                     \
	{                                                                              \
		.n_bytes = (n), __VA_ARGS__                                            \
	}
#define PLAIN(n)       OF(n, .flow = RS_FLOW_OTHER)
#define NEAR(by)       .has_target = true, .target = AT + (by)
#define TO(n, by)      OF(n, .flow = RS_FLOW_JUMP, NEAR(by))
#define IF(n, by)      OF(n, .flow = RS_FLOW_JUMP, .is_conditional = true, NEAR(by))
#define CALL(n, r, by) OF(n, .flow = RS_FLOW_PUSH, .link = RS_REG(r), NEAR(by))
#define CALL_BY(n, r, by)                                                              \
	OF(n, .flow = RS_FLOW_PUSH, .link = RS_REG(r), .through = RS_REG(by))
#define VIA(n, r) OF(n, .flow = RS_FLOW_INDIRECT, .through = RS_REG(r))
#define VIA_IF(n, r)                                                                   \
	OF(n, .flow = RS_FLOW_INDIRECT, .is_conditional = true, .through = RS_REG(r))
#define RETURN(n) OF(n, .flow = RS_FLOW_POP, .through = RS_REG(14))
#define RETURN_IF(n)                                                                   \
	OF(n, .flow = RS_FLOW_POP, .is_conditional = true, .through = RS_REG(14))

static const struct decode_case calls[] = {
    {"bras %r14,.+4", "a7e50002", CALL(4, 14, 4)},
    {"bras %r13,.+8", "a7d50004", CALL(4, 13, 8)},
    {"bras %r0,.-4", "a705fffe", CALL(4, 0, -4)},
    {"bras %r14,.+0xfffe", "a7e57fff", CALL(4, 14, 0xfffe)},
    {"brasl %r14,.+6", "c0e500000003", CALL(6, 14, 6)},
    {"brasl %r14,.+10", "c0e500000005", CALL(6, 14, 10)},
    {"brasl %r0,.+6", "c00500000003", CALL(6, 0, 6)},
    {"brasl %r14,.-10", "c0e5fffffffb", CALL(6, 14, -10)},
    {"brasl %r14,.-0x100000000", "c0e580000000", CALL(6, 14, -UINT64_C(0x100000000))},
    {"basr %r13,0", "0dd0", OF(2, .link = RS_REG(13))},
    {"basr %r14,0", "0de0", OF(2, .link = RS_REG(14))},
    {"basr %r0,0", "0d00", OF(2, .link = RS_REG(0))},
    {"basr %r14,%r1", "0de1", CALL_BY(2, 14, 1)},
    {"basr %r0,%r1", "0d01", CALL_BY(2, 0, 1)},
    {"basr %r14,%r14", "0dee", CALL_BY(2, 14, 14)},
    {"balr %r14,0", "05e0", OF(2, .link = RS_REG(14))},
    {"balr %r14,%r1", "05e1", CALL_BY(2, 14, 1)},
    {"bassm %r14,%r1", "0ce1", CALL_BY(2, 14, 1)},
    {"bassm %r14,0", "0ce0", OF(2, .link = RS_REG(14))},
    {"bas %r14,0(%r1)", "4de01000", CALL_BY(4, 14, 1)},
    {"bal %r14,8(%r1)", "45e01008", OF(4, .flow = RS_FLOW_PUSH, .link = RS_REG(14))},
    {"bas %r14,0(%r2,%r1)", "4de21000",
     OF(4, .flow = RS_FLOW_PUSH, .link = RS_REG(14))},
    {.text = NULL},
};

static const struct decode_case returns[] = {
    {"br %r14", "07fe", RETURN(2)},
    {"ber %r14", "078e", RETURN_IF(2)},
    {"bcr 0,%r14", "070e", PLAIN(2)},
    {"b 0(%r14)", "47f0e000", RETURN(4)},
    {"bnor %r14", "07ee", RETURN_IF(2)},
    {"be 0(%r14)", "4780e000", RETURN_IF(4)},
    {"bsm 0,%r14", "0b0e", RETURN(2)},
    {"crbe %r1,%r2,0(%r14)", "ec12e00080f6", RETURN_IF(6)},
    {"clrbe %r1,%r2,0(%r14)", "ec12e00080f7", RETURN_IF(6)},
    {"cgrbe %r1,%r2,0(%r14)", "ec12e00080e4", RETURN_IF(6)},
    {"clgrbe %r1,%r2,0(%r14)", "ec12e00080e5", RETURN_IF(6)},
    {"cgibe %r1,5,0(%r14)", "ec18e00005fc", RETURN_IF(6)},
    {"clgibe %r1,5,0(%r14)", "ec18e00005fd", RETURN_IF(6)},
    {"cib %r1,5,14,0(%r14)", "ec1ee00005fe", RETURN(6)},
    {"clib %r1,5,14,0(%r14)", "ec1ee00005ff", RETURN(6)},
    {"clib %r1,5,0,0(%r14)", "ec10e00005ff", PLAIN(6)},
    {.text = NULL},
};

static const struct decode_case indirect[] = {
    {"br %r1", "07f1", VIA(2, 1)},
    {"ber %r1", "0781", VIA_IF(2, 1)},
    {"nopr %r7", "0707", PLAIN(2)},
    {"bcr 15,%r0", "07f0", PLAIN(2)},
    {"bcr 14,%r0", "07e0", PLAIN(2)},
    {"bsm %r1,0", "0b10", PLAIN(2)},
    {"bsm %r1,%r2", "0b12", VIA(2, 2)},
    {"b 4(%r14)", "47f0e004", OF(4, .flow = RS_FLOW_INDIRECT)},
    {"b 0(%r1,%r14)", "47f1e000", OF(4, .flow = RS_FLOW_INDIRECT)},
    {"nop 0(%r1)", "47001000", PLAIN(4)},
    {"bctr %r1,0", "0610", PLAIN(2)},
    {"bctr %r1,%r2", "0612", VIA_IF(2, 2)},
    {"bctgr %r1,0", "b9460010", PLAIN(4)},
    {"bctgr %r1,%r2", "b9460012", VIA_IF(4, 2)},
    {"bct %r1,0(%r2)", "46102000", VIA_IF(4, 2)},
    {"bctg %r1,0(%r2)", "e31020000046",
     OF(6, .flow = RS_FLOW_INDIRECT, .is_conditional = true)},
    {"bxh %r1,%r2,0(%r3)", "86123000", VIA_IF(4, 3)},
    {"bxle %r1,%r2,0(%r3)", "87123000", VIA_IF(4, 3)},
    {"bxhg %r1,%r2,0(%r14)", "eb12e0000044",
     OF(6, .flow = RS_FLOW_INDIRECT, .is_conditional = true)},
    {"bxleg %r1,%r2,0(%r14)", "eb12e0000045",
     OF(6, .flow = RS_FLOW_INDIRECT, .is_conditional = true)},
    {"cgrbe %r1,%r2,0(%r3)", "ec12300080e4", VIA_IF(6, 3)},
    {"bi 0(%r1)", "e3f010000047", OF(6, .flow = RS_FLOW_INDIRECT)},
    {"bie 0(%r1)", "e38010000047",
     OF(6, .flow = RS_FLOW_INDIRECT, .is_conditional = true)},
    {"bic 0,0(%r1)", "e30010000047", PLAIN(6)},
    {"pr", "0101", OF(2, .flow = RS_FLOW_INDIRECT)},
    {"lpswe 0(%r1)", "b2b21000", OF(4, .flow = RS_FLOW_INDIRECT)},
    {"lpsw 0(%r1)", "82001000", OF(4, .flow = RS_FLOW_INDIRECT)},
    {"lpswey 0(%r1)", "eb0010000071", OF(6, .flow = RS_FLOW_INDIRECT)},
    {.text = NULL},
};

static const struct decode_case jumps[] = {
    {"j .+8", "a7f40004", TO(4, 8)},
    {"j .+2 (a compiler's trap)", "a7f40001", TO(4, 2)},
    {"je .-8", "a784fffc", IF(4, -8)},
    {"jnop .+8", "a7040004", PLAIN(4)},
    {"jg .+8", "c0f400000004", TO(6, 8)},
    {"jge .-8", "c084fffffffc", IF(6, -8)},
    {"jgnop .+8", "c00400000004", PLAIN(6)},
    {"brct %r1,.-8", "a716fffc", IF(4, -8)},
    {"brctg %r1,.-8", "a717fffc", IF(4, -8)},
    {"brcth %r1,.-8", "cc16fffffffc", IF(6, -8)},
    {"brxh %r1,%r2,.+8", "84120004", IF(4, 8)},
    {"brxle %r1,%r2,.+8", "85120004", IF(4, 8)},
    {"brxhg %r1,%r2,.+8", "ec1200040044", IF(6, 8)},
    {"brxlg %r1,%r2,.+8", "ec1200040045", IF(6, 8)},
    {"crje %r1,%r2,.+8", "ec1200048076", IF(6, 8)},
    {"clrje %r1,%r2,.+8", "ec1200048077", IF(6, 8)},
    {"cgrjne %r1,%r2,.-8", "ec12fffc6064", IF(6, -8)},
    {"clgrj %r1,%r2,14,.-8", "ec12fffce065", TO(6, -8)},
    {"clgrj %r1,%r2,0,.-8", "ec12fffc0065", PLAIN(6)},
    {"cije %r1,5,.+8", "ec180004057e", IF(6, 8)},
    {"clije %r1,5,.+8", "ec180004057f", IF(6, 8)},
    {"clgij %r1,5,14,.+8", "ec1e0004057d", TO(6, 8)},
    {"cgij %r1,5,0,.+8", "ec100004057c", PLAIN(6)},
    {.text = NULL},
};

static const struct decode_case others[] = {
    {"exrl %r1,.+12", "c61000000006", OF(6, NEAR(12))},
    {"exrl %r0,.-6", "c600fffffffd", OF(6, NEAR(-6))},
    {"ex %r0,0(%r1)", "44001000", PLAIN(4)},
    {"bprp 14,.+6,.+10", "c5e003000005", PLAIN(6)},
    {"bpp 14,.+6,0(%r1)", "c7e010000003", PLAIN(6)},
    {"cgrte %r1,%r2", "b9608012", PLAIN(4)},
    {"larl %r1,.+8", "c01000000004", PLAIN(6)},
    {"lgr %r1,%r14", "b904001e", OF(4, .move_from = RS_REG(14), .move_to = RS_REG(1))},
    {"lr %r1,%r14", "181e", PLAIN(2)},
    {"svc 1", "0a01", PLAIN(2)},
    {"risbg %r1,%r2,0,63,0", "ec12003f0055", PLAIN(6)},
    {".short 0", "0000", OF(2, .flow = RS_FLOW_TRAP)},
    {".short 1 (a debugger's breakpoint)", "0001", OF(2, .flow = RS_FLOW_TRAP)},
    {.text = NULL},
};

static void s390x_instructions(void **state)
{
	(void)state;
	static const struct decode_case *const lists[] = {calls, returns, indirect,
							  jumps, others};
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		check_cases("s390x", lists[i]);
	check_sees_differences(&calls[0]);
}

static void any_bytes(void **state)
{
	(void)state;
	check_random("s390x", 0x390);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(s390x_instructions),
	    cmocka_unit_test(any_bytes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
