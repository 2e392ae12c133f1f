#include "src/audit.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/graph.h"
#include "tests/unit/hex.h"

#define MAX_CODE_BYTES 256
#define BASE           UINT64_C(0x10000)

/*
 * Code as groups of hex digits, and what it must give: words of findings and notes in
 * the order of their addresses. Where the ISA has words, a group is one, written with
 * the most significant digit first; x86's groups are bytes in the order of memory.
 */
struct code_case {
	const char *text;
	const char *isa;
	const char *hex;
	const char *want; /* "kind@offset kind@offset"; "" for nothing */
};

static const struct code_case flagged[] = {
    /* x86: call .+6; pop %rax; ret, with a byte between. */
    {"call+1; pop", "x86_64", "e801000000 90 58 c3", "push-without-pop@0"},
    {"call+4; pop", "x86_64", "e804000000 00000000 58 c3", "push-without-pop@0"},
    {"call+1; add $8,%rsp", "x86_64", "e801000000 cc 4883c408 c3",
     "push-without-pop@0"},
    {"call+1; pop on i386", "i386", "e801000000 90 5b c3", "push-without-pop@0"},
    {"push %rax; ret", "x86_64", "50 c3", "pop-without-push@1"},
    {"push $imm; ret", "x86_64", "6800100000 c3", "pop-without-push@5"},
    {"push (%rdi); ret", "x86_64", "ff37 c3", "pop-without-push@2"},
    {"mov %rax,(%rsp); ret", "x86_64", "48890424 c3", "pop-without-push@4"},
    {"mov %eax,(%esp); ret $12", "i386", "890424 c20c00", "pop-without-push@3"},
    {"pop %rcx; jmp *%rcx", "x86_64", "59 ffe1", "return-by-jump@1"},
    {"push %rbx; pop %rbx; pop %rdx; jmp *%rdx", "x86_64", "53 5b 5a ffe2",
     "return-by-jump@3"},
    {"xchg %rsi,(%rsp); ret", "x86_64", "48873424 c3", "pop-without-push@4"},
    {"leave; pop %rdx; jmp *%rdx", "x86_64", "55 4889e5 4883ec20 c9 5a ffe2",
     "return-by-jump@10"},
    {"call; mov %ebp,%esp; pop %ebp; pop %ecx; jmp *%ecx", "i386",
     "55 89e5 e800100000 89ec 5d 59 ffe1", "return-by-jump@12"},
    {"lea -8(%rbp),%rsp; pop; pop %rbp; pop %rcx; jmp", "x86_64",
     "55 4889e5 53 4883e4e0 488d65f8 5b 5d 59 ffe1", "return-by-jump@16"},
    {"jmp *(%rsp)", "x86_64", "ff2424", "return-by-jump@0"},
    /* test %edi,%edi; je 1f; call .+6; nop; pop %rax; ret; 1: ret */
    {"returns at two depths", "x86_64", "85ff 7408 e801000000 90 58 c3 c3",
     "push-without-pop@4 unbalanced-path@12"},
    /* test; je 1f; call .+6; nop; pop %rax; 1: ret */
    {"paths meet at two depths", "x86_64", "85ff 7407 e801000000 90 58 c3",
     "push-without-pop@4 unbalanced-path@11"},

    /* PowerPC: mflr r0; bl .+4; mflr r3; mtlr r0; blr. */
    {"bl .+4", "ppc64le", "7c0802a6 48000005 7c6802a6 7c0803a6 4e800020",
     "push-without-pop@4"},
    {"bl .+8 over data", "ppc64",
     "7c0802a6 48000009 00001234 7c6802a6 7c0803a6 4e800020", "push-without-pop@4"},
    {"bcl 20,31,.+8 over data", "ppc",
     "7c0802a6 429f0009 00001234 7c6802a6 7c0803a6 80630000 4e800020",
     "push-without-pop@4"},
    {"bcl 20,31,.+8 over negative data", "ppc64le",
     "7c0802a6 429f0009 fffff234 7c6802a6 7c0803a6 4e800020", "push-without-pop@4"},
    {"bcl 20,30,.+4, which is not exempt", "ppc64le",
     "7c0802a6 429e0005 7c6802a6 7c0803a6 4e800020", "push-without-pop@4"},
    {"mtlr r3; blr", "ppc64le", "7c6803a6 4e800020", "pop-without-push@4"},
    {"ld r12,0(r3); mtlr r12; blr", "ppc64le", "e9830000 7d8803a6 4e800020",
     "pop-without-push@8"},
    {"add r9,r9,r10; mtlr r9; blr, a jump table", "ppc",
     "7c0802a6 7d295214 7d2803a6 4e800020", "pop-without-push@12"},
    {"mtlr r12; blrl", "ppc", "7c0802a6 7d8803a6 4e800021 7c0803a6 4e800020",
     "pop-without-push@8"},
    {"mflr r12; mtctr r12; mtlr r0; bctr, as _mcount", "ppc64le",
     "7d8802a6 7d8903a6 7c0803a6 4e800420", "return-by-jump@12"},
    {"bclr with BH=1", "ppc64le", "4e800820", "return-by-jump@0"},

    /* aarch64 */
    {"bl .+4; mov x0,x30", "aarch64", "aa1e03e9 94000001 aa1e03e0 aa0903fe d65f03c0",
     "push-without-pop@4"},
    {"bl .+8 over data", "aarch64",
     "aa1e03e9 94000002 00001234 aa1e03e0 aa0903fe d65f03c0", "push-without-pop@4"},
    {"br x30", "aarch64", "d61f03c0", "return-by-jump@0"},
    {"ldp x29,x30,[sp],16; br x30", "aarch64", "a9bf7bfd a8c17bfd d61f03c0",
     "return-by-jump@8"},
    {"mov x9,x30; br x9", "aarch64", "aa1e03e9 d61f0120", "return-by-jump@4"},
    {"ret x3", "aarch64", "d65f0060", "pop-without-push@0"},
    {"ldr x30,[x0]; ret", "aarch64", "f940001e d65f03c0", "pop-without-push@4"},

    /* riscv64 */
    {"jal ra,.+4; mv a0,ra", "riscv64", "00008413 004000ef 00008513 00040093 00008067",
     "push-without-pop@4"},
    {"jal t0,.+8 over data", "riscv64", "008002ef 00000000 00028513 00008067",
     "push-without-pop@0"},
    {"ld t0,0(a0); jr t0", "riscv64", "00053283 00028067", "pop-without-push@4"},
    {"ld t0,0(a0); jalr ra,t0", "riscv64", "00053283 000280e7 00008067",
     "pop-without-push@4"},
    {"the second of two functions: mv t2,t0; jr t2", "riscv64",
     "00008067 00028393 00038067", "return-by-jump@8"},
    {"mv t1,ra; jr t1", "riscv64", "00008313 00030067", "return-by-jump@4"},
    {"ld ra,0(a0); ret", "riscv64", "00053083 00008067", "pop-without-push@4"},

    /* s390x */
    {"bras %r13,.+8 over data", "s390x", "a7d5 0004 00000000 07fe",
     "push-without-pop@0"},
    /* brasl %r0,1f; br %r14; 1: lgr %r1,%r0; br %r1 */
    {"tracer that is called through r0", "s390x", "c005 0000 0004 07fe b9040010 07f1",
     "return-by-jump@12"},
    {"the second of two functions", "s390x", "07fe b904001e 07f1", "return-by-jump@6"},
    {"lgr %r1,%r14; br %r1", "s390x", "b904001e 07f1", "return-by-jump@4"},
    {"lg %r14,0(%r2); br %r14", "s390x", "e3e0 2000 0004 07fe", "pop-without-push@6"},
    {.text = NULL},
};

static const struct code_case spared[] = {
    {"call+0; pop", "x86_64", "e800000000 58 c3", "exempt-read@0"},
    {"call+0; pop on i386", "i386", "e800000000 5b c3", "exempt-read@0"},
    {"get-pc thunk", "i386", "8b1c24 c3", "get-pc-thunk@0"},
    /* call 1f; 2: pause; lfence; jmp 2b; 1: mov %rax,(%rsp); ret */
    {"retpoline", "x86_64", "e807000000 f390 0faee8 ebf9 48890424 c3", "retpoline@16"},
    {"call *%rax; ret", "x86_64", "ffd0 c3", ""},
    {"push %rbx; call far away; pop %rbx; ret", "x86_64", "53 e800100000 5b c3", ""},
    {"tail call through what was popped last", "x86_64", "5b ffe0", ""},
    {"push %rax; call; pop %rax; jmp *%rax", "x86_64", "50 e800100000 58 ffe0", ""},
    {"PLT stub", "x86_64", "f30f1efa ff2500100000 660f1f440000", ""},
    {"PLT with lazy binding", "x86_64", "f30f1efa 6801000000 e900100000", ""},
    {"pop %rcx; push %rcx; ret", "x86_64", "59 51 c3", ""},
    {"leave; pop %r10; lea 8(%rsp),%rsp; push %r10; ret", "x86_64",
     "55 4889e5 c9 415a 488d642408 4152 c3", ""},
    {"noreturn call at the end", "x86_64", "4883ec08 e800100000", ""},
    {"a call that nothing follows, then a jump past data", "x86_64",
     "85ff 7406 e800100000 cc c3", ""},
    /* longjmp: mov 0(%rdi),%rsp; mov 8(%rdi),%rdx; jmp *%rdx */
    {"longjmp", "x86_64", "488b27 488b5708 ffe2", ""},
    /* setcontext: mov (%rdi),%rsp; push 8(%rdi); ret */
    {"setcontext", "x86_64", "488b27 ff7708 c3", "stack-switch@6"},
    /* call 1f; ret; 1: nop; ret */
    {"local subroutine", "x86_64", "e801000000 c3 90 c3", ""},

    {"bcl 20,31,.+4", "ppc64le", "7c0802a6 429f0005 7c6802a6 7c0803a6 4e800020",
     "exempt-read@4"},
    {"bcl 20,31,.+4", "ppc64", "7c0802a6 429f0005 7c6802a6 7c0803a6 4e800020",
     "exempt-read@4"},
    {"get-pc thunk", "ppc", "7c6802a6 4e800020", "get-pc-thunk@0"},
    {"blrl of a GOT", "ppc", "4e800021", ""},
    {"blrl of a GOT behind a function", "ppc", "4e800020 4e800021", ""},
    {"bl far away, as to a GOT's blrl", "ppc",
     "7c0802a6 48100001 7fc802a6 7c0803a6 4e800020", ""},
    {"frame and call", "ppc64le",
     "7c0802a6 f8010010 f821ffe1 48100001 60000000 38210020 e8010010 60000000 7c0803a6 "
     "4e800020",
     ""},
    {"bctrl; bctr", "ppc64le", "7d8903a6 4e800421 e8010010 7c0803a6 7d8903a6 4e800420",
     ""},
    {"beqlr", "ppc64le", "4d820020 4e800020", ""},
    {"local subroutine behind a branch", "ppc64le",
     "7c0802a6 48000009 4800000c 7c6802a6 4e800020 7c0803a6 4e800020",
     "get-pc-thunk@12"},
    /* __tls_get_addr stub: mflr r11; std; bctrl; ld r11,..; mtlr r11; blr */
    {"__tls_get_addr stub", "ppc64le",
     "7d6802a6 f9610020 7d8903a6 4e800421 e9610020 7d6803a6 4e800020", ""},
    {"longjmp", "ppc64le", "e8230000 e8030010 7c0803a6 4e800020", "stack-switch@12"},
    {"signal return", "ppc64le", "380000ac 44000002", ""},

    {"adr; ret", "aarch64", "10000000 d65f03c0", ""},
    {"frame and call", "aarch64", "a9bf7bfd 910003fd 94100000 a8c17bfd d65f03c0", ""},
    {"PLT stub", "aarch64", "90000110 f9400a11 91004210 d61f0220", ""},
    {"tail call through x1", "aarch64", "f9400001 d61f0020", ""},
    {"longjmp", "aarch64", "f9403405 910000bf a9457c1d d61f03c0", "stack-switch@12"},
    {"ret x9 of mov x9,x30", "aarch64", "aa1e03e9 d65f0120", ""},

    {"auipc; ret", "riscv64", "00000517 00008067", ""},
    {"millicode: jr t0", "riscv64", "fe010113 00113c23 00028067", ""},
    {"PLT stub", "riscv64", "00002e17 010e3e03 000e0367 00000013", ""},
    {"frame and call", "riscv64",
     "ff010113 00113423 000000ef 00813083 01010113 00008067", ""},
    {"c.jr ra", "riscv64", "8082", ""},
    /* jal t2,1f; ret; 1: jr t2: neither is pushed nor popped. */
    {"local subroutine through t2", "riscv64", "008003ef 00008067 00038067", ""},
    {"tail call through t1", "riscv64", "00053303 00030067", ""},
    {"longjmp", "riscv64", "00053083 00853103 00008067", "stack-switch@8"},

    {"larl; br", "s390x", "c020 0000 0010 07fe", ""},
    {"basr %r13,0", "s390x", "0dd0 07fe", "exempt-read@0"},
    {"frame and call", "s390x", "eb6f f030 0024 c0e5 0000 1000 eb6f f0d0 0004 07fe",
     ""},
    /* bras %r1,1f; br %r14; 1: br %r1 */
    {"local subroutine", "s390x", "a715 0003 07fe 07f1", ""},
    {"leaf that keeps %r14 elsewhere", "s390x", "b904001e b90400e1 07fe", ""},
    {.text = NULL},
};

static void tell(char *out, size_t size, const struct rs_audit *audit)
{
	size_t used = 0;
	out[0] = '\0';
	for (size_t i = 0; i < audit->findings.n_rows; i++) {
		const struct rs_finding *const row = &audit->findings.rows[i];
		if (row->kind == RS_UNDECODED)
			continue;
		used += (size_t)snprintf(out + used, size - used, "%s%s@%llu",
					 used ? " " : "", rs_finding_name(row->kind),
					 (unsigned long long)(row->address - BASE));
		assert_true(used < size);
	}
}

static void check_case(const struct code_case *row)
{
	const struct rs_decoder *const decoder = find_decoder(row->isa);
	unsigned char code[MAX_CODE_BYTES];
	const size_t n = bytes_of_hex(decoder, row->hex, code, sizeof(code));
	unsigned char *const exact = malloc(n);
	struct rs_audit audit;
	struct rs_err err;
	char got[512];
	assert_non_null(exact);
	memcpy(exact, code, n);
	assert_int_equal(rs_audit_raw(&audit, decoder, exact, n, BASE, &err), 0);
	tell(got, sizeof(got), &audit);
	print_message("%s: %s\n  want '%s'\n  got  '%s'\n", row->isa, row->text,
		      row->want, got);
	assert_string_equal(got, row->want);
	rs_audit_close(&audit);
	free(exact);
}

static size_t check_all(const struct code_case *rows)
{
	size_t n = 0;
	for (; rows[n].text; n++)
		check_case(&rows[n]);
	return n;
}

static void test_flags(void **state)
{
	(void)state;
	assert_true(check_all(flagged) > 0);
}

static void test_spares(void **state)
{
	(void)state;
	assert_true(check_all(spared) > 0);
}

/* Each ISA is in both lists, and what must be flagged is all findings. */
static void test_lists_are_whole(void **state)
{
	(void)state;
	for (const struct rs_decoder *d = rs_decoders(); d->name; d++) {
		size_t n[2] = {0, 0};
		for (const struct code_case *row = flagged; row->text; row++)
			n[0] += strcmp(row->isa, d->name) == 0;
		for (const struct code_case *row = spared; row->text; row++)
			n[1] += strcmp(row->isa, d->name) == 0;
		print_message("%s %zu %zu\n", d->name, n[0], n[1]);
		assert_true(n[0] > 0 && n[1] > 0);
	}
}

static void test_words_are_there(void **state)
{
	(void)state;
	for (int kind = 0; kind < RS_N_FINDING_KINDS; kind++) {
		assert_non_null(rs_finding_name(kind));
		assert_non_null(rs_finding_text(kind));
		const bool is_finding = rs_finding_grade(kind) == RS_GRADE_FINDING;
		for (const struct rs_decoder *d = rs_decoders(); d->name; d++) {
			assert_string_equal(rs_advice_of(d)->isa, d->name);
			assert_int_equal(!!rs_finding_replacement(kind, d), is_finding);
			assert_int_equal(!!rs_finding_severity(kind, d), is_finding);
		}
		assert_int_equal(rs_finding_mispredicts(kind) > 0, is_finding);
	}
}

/* Bytes that are no instruction are counted, told, and not fatal. */
static void test_covers(void **state)
{
	(void)state;
	static const unsigned char code[] = {0x90, 0xc3, 0x06, 0x06, 0x90, 0xc3};
	struct rs_audit audit;
	struct rs_err err;
	assert_int_equal(rs_audit_raw(&audit, find_decoder("x86_64"), code,
				      sizeof(code), BASE, &err),
			 0);
	assert_int_equal(audit.function_bytes, 6);
	assert_int_equal(audit.decoded_bytes, 4);
	assert_int_equal(audit.findings.n_rows, 1);
	assert_int_equal(audit.findings.rows[0].kind, RS_UNDECODED);
	assert_int_equal(audit.findings.rows[0].address, BASE + 2);
	assert_int_equal(audit.findings.rows[0].n_bytes, 2);
	rs_audit_close(&audit);
}

/* Larger than a piece: the findings at its ends are there, and none more. */
static void test_cuts_large_code(void **state)
{
	(void)state;
	static const unsigned char jump[] = {0x50, 0xc3};
	const size_t n = 2 * (size_t)RS_PIECE_MAX_BYTES + 100;
	unsigned char *const code = malloc(n);
	struct rs_audit audit;
	struct rs_err err;
	assert_non_null(code);
	memset(code, 0x90, n);
	memcpy(code, jump, sizeof(jump));
	memcpy(code + n - sizeof(jump), jump, sizeof(jump));
	assert_int_equal(
	    rs_audit_raw(&audit, find_decoder("x86_64"), code, n, BASE, &err), 0);
	assert_int_equal(audit.decoded_bytes, n);
	assert_int_equal(audit.findings.n_rows, 2);
	assert_int_equal(audit.findings.rows[0].address, BASE + 1);
	assert_int_equal(audit.findings.rows[1].address, BASE + n - 1);
	rs_audit_close(&audit);
	free(code);
}

static void test_takes_nothing(void **state)
{
	(void)state;
	struct rs_audit audit;
	struct rs_err err;
	assert_int_equal(rs_audit_raw(&audit, find_decoder("ppc"), "", 0, BASE, &err),
			 0);
	assert_int_equal(audit.findings.n_rows, 0);
	rs_audit_close(&audit);
	rs_audit_close(&audit);
	assert_true(rs_audit_image(&audit, "text", "no image", 8, &err) < 0);
	assert_non_null(strstr(err.text, "text"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_flags),
	    cmocka_unit_test(test_spares),
	    cmocka_unit_test(test_lists_are_whole),
	    cmocka_unit_test(test_words_are_there),
	    cmocka_unit_test(test_covers),
	    cmocka_unit_test(test_cuts_large_code),
	    cmocka_unit_test(test_takes_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
