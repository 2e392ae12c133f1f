#include "tests/unit/decode_cases.h"

#define OF(n, ...)                                                                     \
	{                                                                              \
		.n_bytes = (n), __VA_ARGS__                                            \
	}
#define PLAIN(n)    OF(n, .flow = RS_FLOW_OTHER)
#define TRAP(n)     OF(n, .flow = RS_FLOW_TRAP)
#define NEAR(by)    .has_target = true, .target = AT + (by)
#define TO(n, by)   OF(n, .flow = RS_FLOW_JUMP, NEAR(by))
#define IF(n, by)   OF(n, .flow = RS_FLOW_JUMP, .is_conditional = true, NEAR(by))
#define CALL(n, by) OF(n, .flow = RS_FLOW_PUSH, .link = RS_REG_STACK, NEAR(by))
#define CALL_BY(n, by)                                                                 \
	OF(n, .flow = RS_FLOW_PUSH, .link = RS_REG_STACK, .through = (by))
#define CALL_0(n)         OF(n, .flow = RS_FLOW_EXEMPT, .link = RS_REG_STACK, NEAR(n))
#define CALL_FAR(n)       OF(n, .flow = RS_FLOW_EXEMPT, .link = RS_REG_STACK)
#define VIA(n, by)        OF(n, .flow = RS_FLOW_INDIRECT, .through = (by))
#define RET(n)            OF(n, .flow = RS_FLOW_POP, .through = RS_REG_STACK)
#define MOVE(n, from, to) OF(n, .move_from = (from), .move_to = (to))

/* The same bytes mean the same in 64 and 32 bit. */
static const struct decode_case both[] = {
    {"call .+5", "e8 00 00 00 00", CALL_0(5)},
    {"call .+9", "e8 04 00 00 00", CALL(5, 9)},
    {"call .+13", "e8 08 00 00 00", CALL(5, 13)},
    {"call .", "e8 fb ff ff ff", CALL(5, 0)},
    {"call *%eax or *%rax", "ff d0", CALL_BY(2, RS_REG(0))},
    {"call *(%eax or %rax)", "ff 10", CALL_BY(2, RS_REG_NONE)},
    {"notrack call *%eax or *%rax", "3e ff d0", CALL_BY(3, RS_REG(0))},
    {"bnd call .+6", "f2 e8 00 00 00 00", CALL_0(6)},
    {"bnd call .+10", "f2 e8 04 00 00 00", CALL(6, 10)},
    {"lcall *(%eax or %rax)", "ff 18", CALL_FAR(2)},
    {"ret", "c3", RET(1)},
    {"ret $8", "c2 08 00", RET(3)},
    {"repz ret", "f3 c3", RET(2)},
    {"bnd ret", "f2 c3", RET(2)},
    {"lret", "cb", OF(1, .flow = RS_FLOW_INDIRECT)},
    {"lret $8", "ca 08 00", OF(3, .flow = RS_FLOW_INDIRECT)},
    {"iret", "cf", OF(1, .flow = RS_FLOW_INDIRECT)},
    {"jmp .+4", "eb 02", TO(2, 4)},
    {"jmp .", "eb fe", TO(2, 0)},
    {"jmp .+0x105", "e9 00 01 00 00", TO(5, 0x105)},
    {"jmp *%ecx or *%rcx", "ff e1", VIA(2, RS_REG(1))},
    {"jmp *(%ecx or %rcx)", "ff 21", VIA(2, RS_REG_NONE)},
    {"ljmp *(%ecx or %rcx)", "ff 29", OF(2, .flow = RS_FLOW_INDIRECT)},
    {"je .+4", "74 02", IF(2, 4)},
    {"jne .-2", "75 fc", IF(2, -2)},
    {"jg .+0x106", "0f 8f 00 01 00 00", IF(6, 0x106)},
    {"je,pt .+5", "3e 74 02", IF(3, 5)},
    {"loop .-2", "e2 fc", IF(2, -2)},
    {"loopne .-2", "e0 fc", IF(2, -2)},
    {"jecxz or jrcxz .+4", "e3 02", IF(2, 4)},
    {"xbegin .+6", "c7 f8 00 00 00 00", IF(6, 6)},
    {"ud2", "0f 0b", TRAP(2)},
    {"ud1 (%eax or %rax),%eax", "0f b9 00", TRAP(3)},
    {"int3", "cc", TRAP(1)},
    {"int1", "f1", TRAP(1)},
    {"hlt", "f4", TRAP(1)},
    {"int $0x80", "cd 80", PLAIN(2)},
    {"endbr64", "f3 0f 1e fa", PLAIN(4)},
    {"endbr32", "f3 0f 1e fb", PLAIN(4)},
    {"nopw 0(..)", "66 2e 0f 1f 84 00 00 00 00 00", PLAIN(10)},
    {"pop %ecx or %rcx", "59", MOVE(1, RS_REG_STACK, RS_REG(1))},
    {"pop %cx", "66 59", PLAIN(2)},
    {"push %ecx or %rcx", "51", MOVE(1, RS_REG(1), RS_REG_STACK)},
    {"push $8", "6a 08", PLAIN(2)},
    {"push (%eax or %rax)", "ff 30", PLAIN(2)},
    {"mov %cx,%ax", "66 89 c8", PLAIN(3)},
    {.text = NULL},
};

static const struct decode_case long_mode[] = {
    {"data16 call .+6", "66 e8 00 00 00 00", CALL_0(6)},
    {"rex.W call .+6", "48 e8 00 00 00 00", CALL_0(6)},
    {"call *%r11", "41 ff d3", CALL_BY(3, RS_REG(11))},
    {"call *0x100(%rip)", "ff 15 00 01 00 00", CALL_BY(6, RS_REG_NONE)},
    {"jmp *%r11", "41 ff e3", VIA(3, RS_REG(11))},
    {"notrack jmp *%rax", "3e ff e0", VIA(3, RS_REG(0))},
    {"jecxz .+5", "67 e3 02", IF(3, 5)},
    {"iretq", "48 cf", OF(2, .flow = RS_FLOW_INDIRECT)},
    {"sysretq", "48 0f 07", OF(3, .flow = RS_FLOW_INDIRECT)},
    {"syscall", "0f 05", PLAIN(2)},
    {"pop %r11", "41 5b", MOVE(2, RS_REG_STACK, RS_REG(11))},
    {"mov %rcx,%rax", "48 89 c8", MOVE(3, RS_REG(1), RS_REG(0))},
    {"mov (%rsp),%rax", "48 8b 04 24", MOVE(4, RS_REG_STACK, RS_REG(0))},
    {"mov %rax,(%rsp)", "48 89 04 24", MOVE(4, RS_REG(0), RS_REG_STACK)},
    {"mov 8(%rsp),%rax", "48 8b 44 24 08", PLAIN(5)},
    {"mov %ecx,%eax", "89 c8", PLAIN(2)},
    {"mov (%rsp),%eax", "8b 04 24", PLAIN(3)},
    {"lcall $7,$0", "9a 00 00 00 00 07 00", {0}},
    {.text = NULL},
};

static const struct decode_case protected_mode[] = {
    {"callw .+4", "66 e8 00 00",
     OF(4, .flow = RS_FLOW_PUSH, .link = RS_REG_STACK, .has_target = true,
	.target = 4)},
    {"call .-0x20000", "e8 fb ff fd ff",
     OF(5, .flow = RS_FLOW_PUSH, .link = RS_REG_STACK, .has_target = true,
	.target = 0xffff0000)},
    {"lcall $7,$0", "9a 00 00 00 00 07 00", CALL_FAR(7)},
    {"ljmp $7,$0", "ea 00 00 00 00 07 00", OF(7, .flow = RS_FLOW_INDIRECT)},
    {"jcxz .+5", "67 e3 02", IF(3, 5)},
    {"sysenter", "0f 34", PLAIN(2)},
    {"mov (%esp),%ebx", "8b 1c 24", MOVE(3, RS_REG_STACK, RS_REG(3))},
    {"mov %ecx,%eax", "89 c8", MOVE(2, RS_REG(1), RS_REG(0))},
    {.text = NULL},
};

static void x86_instructions(void **state)
{
	(void)state;
	check_cases("x86_64", both);
	check_cases("i386", both);
	check_cases("x86_64", long_mode);
	check_cases("i386", protected_mode);
	check_sees_differences(&both[0]);
}

static void any_bytes(void **state)
{
	(void)state;
	check_random("x86_64", 0x8664);
	check_random("i386", 0x386);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(x86_instructions),
	    cmocka_unit_test(any_bytes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
