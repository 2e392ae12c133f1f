#include "src/linkstack.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define N(array) (sizeof(array) / sizeof((array)[0]))

/* One executed instruction: where, its big-endian word, where next. */
struct executed {
	uint64_t address;
	uint32_t word;
	uint64_t next;
};

static enum rs_flow step(struct rs_linkstack *stack, const struct rs_decoder *decoder,
			 const struct executed *executed, struct rs_guess *guess)
{
	const uint32_t word = executed->word;
	const bool is_big = decoder->elf_data == 2; /* ELFDATA2MSB */
	unsigned char bytes[4];
	for (unsigned int i = 0; i < 4; i++)
		bytes[i] = (unsigned char)(word >> 8 * (is_big ? 3 - i : i));
	struct rs_insn insn;
	assert_int_equal(
	    rs_decode(decoder, bytes, sizeof(bytes), executed->address, &insn), 0);
	const struct rs_executed one = {
	    .insn = &insn,
	    .address = executed->address,
	    .next = executed->next,
	    .site = (uint32_t)executed->address,
	};
	return rs_linkstack_step(stack, &one, guess);
}

static const struct rs_linkstack_rules power = {
    .entries = 32,
    .overflow = RS_OVERFLOW_CIRCULAR,
    .underflow = RS_UNDERFLOW_STALE,
    .merge = 1,
    .exempt = RS_EXEMPT_ISA,
};

#define LOOP 0x1000 /* bl gettimeofday; b LOOP */
#define CALL 0x2000 /* mflr r12; bl __get_datapage; mtlr r12; blr */
#define PAGE 0x3000 /* __get_datapage */

#define MFLR_R0  0x7c0802a6
#define MFLR_R12 0x7d8802a6
#define MFLR_R3  0x7c6802a6
#define MTLR_R0  0x7c0803a6
#define MTLR_R12 0x7d8803a6
#define BLR      0x4e800020
#define LWZ      0x80030000

/* The call as the kernel had it from 2005 to 2015: a data word makes the target +8. */
static const struct executed before_fix[] = {
    {LOOP, 0x48001001, CALL}, /* bl */
    {CALL, MFLR_R12, CALL + 4},
    {CALL + 4, 0x48000ffd, PAGE}, /* bl */
    {PAGE, MFLR_R0, PAGE + 4},
    {PAGE + 4, 0x429f0009, PAGE + 12}, /* bcl 20,31,.+8 */
    {PAGE + 12, MFLR_R3, PAGE + 16},
    {PAGE + 16, MTLR_R0, PAGE + 20},
    {PAGE + 20, LWZ, PAGE + 24},
    {PAGE + 24, BLR, CALL + 8},
    {CALL + 8, MTLR_R12, CALL + 12},
    {CALL + 12, BLR, LOOP + 4},
    {LOOP + 4, 0x4bfffffc, LOOP}, /* b */
};

static const struct executed after_fix[] = {
    {LOOP, 0x48001001, CALL},         {CALL, MFLR_R12, CALL + 4},
    {CALL + 4, 0x48000ffd, PAGE},     {PAGE, MFLR_R0, PAGE + 4},
    {PAGE + 4, 0x429f0005, PAGE + 8}, /* bcl 20,31,.+4 */
    {PAGE + 8, MFLR_R3, PAGE + 12},   {PAGE + 12, MTLR_R0, PAGE + 16},
    {PAGE + 16, LWZ, PAGE + 20},      {PAGE + 20, BLR, CALL + 8},
    {CALL + 8, MTLR_R12, CALL + 12},  {CALL + 12, BLR, LOOP + 4},
    {LOOP + 4, 0x4bfffffc, LOOP},
};

static double misses_per_call(const char *isa, const struct executed *stream, size_t n)
{
	const unsigned int n_calls = 100;
	const struct rs_decoder *const decoder = rs_decoder_find(isa);
	struct rs_linkstack stack;
	struct rs_guess guess;
	struct rs_err err;
	assert_int_equal(rs_linkstack_open(&stack, &power, &err), 0);
	for (unsigned int call = 0; call < 2 * n_calls; call++) {
		if (call == n_calls)
			rs_linkstack_reset_counts(&stack);
		for (size_t i = 0; i < n; i++)
			step(&stack, decoder, &stream[i], &guess);
	}
	const double misses = (double)stack.counts.mispredicts / n_calls;
	rs_linkstack_close(&stack);
	return misses;
}

static void the_old_datapage_costs_two_and_its_fix_nothing(void **state)
{
	(void)state;
	static const char *const isas[] = {"ppc64le", "ppc64", "ppc"};
	for (size_t i = 0; i < N(isas); i++) {
		assert_true(misses_per_call(isas[i], before_fix, N(before_fix)) == 2.0);
		assert_true(misses_per_call(isas[i], after_fix, N(after_fix)) == 0.0);
	}
}

struct form {
	const char *name;
	const char *isa;
	struct executed executed;
	unsigned int exempt;
	enum rs_linkreg linkreg;
	enum rs_flow want;
};

#define ISA  RS_EXEMPT_ISA
#define NEXT RS_EXEMPT_NEXT
#define BLRL RS_EXEMPT_BLRL

/* The RISC-V words: jal rd and jalr rd, 0(rs1), each at 0x100. */
#define JAL(rd)       (0x0080006fU | (rd) << 7) /* to +8 */
#define JALR(rd, rs1) (0x67U | (rd) << 7 | (rs1) << 15)

static const struct form forms[] = {
    {"bcl+4", "ppc", {0x100, 0x429f0005, 0x104}, ISA, 0, RS_FLOW_EXEMPT},
    {"bcl+4", "ppc", {0x100, 0x429f0005, 0x104}, 0, 0, RS_FLOW_PUSH},
    {"bcl+4", "ppc", {0x100, 0x429f0005, 0x104}, NEXT, 0, RS_FLOW_EXEMPT},
    {"bl+4", "ppc", {0x100, 0x48000005, 0x104}, ISA, 0, RS_FLOW_PUSH},
    {"bl+4", "ppc", {0x100, 0x48000005, 0x104}, NEXT, 0, RS_FLOW_EXEMPT},
    {"bl+8", "ppc", {0x100, 0x48000009, 0x108}, NEXT, 0, RS_FLOW_PUSH},
    {"blrl", "ppc", {0x100, 0x4e800021, 0x900}, ISA, 0, RS_FLOW_POP_PUSH},
    {"blrl", "ppc", {0x100, 0x4e800021, 0x900}, ISA | BLRL, 0, RS_FLOW_POP},
    {"beqlr taken", "ppc", {0x100, 0x4d820020, 0x900}, ISA, 0, RS_FLOW_POP},
    {"beqlr not taken", "ppc", {0x100, 0x4d820020, 0x104}, ISA, 0, RS_FLOW_OTHER},
    {"bl+4", "aarch64", {0x100, 0x94000001, 0x104}, ISA, 0, RS_FLOW_PUSH},
    {"bl+4", "aarch64", {0x100, 0x94000001, 0x104}, NEXT, 0, RS_FLOW_EXEMPT},
    {"ret", "aarch64", {0x100, 0xd65f03c0, 0x900}, ISA, 0, RS_FLOW_POP},
    {"br x30", "aarch64", {0x100, 0xd61f03c0, 0x900}, ISA, 0, RS_FLOW_OTHER},
    {"jal x1", "riscv64", {0x100, JAL(1), 0x108}, ISA, 0, RS_FLOW_PUSH},
    {"jal x5", "riscv64", {0x100, JAL(5), 0x108}, ISA, 0, RS_FLOW_PUSH},
    {"jal x5", "riscv64", {0x100, JAL(5), 0x108}, ISA, RS_LINKREG_X1, RS_FLOW_EXEMPT},
    {"jal x7", "riscv64", {0x100, JAL(7), 0x108}, ISA, 0, RS_FLOW_EXEMPT},
    {"jal x7", "riscv64", {0x100, JAL(7), 0x108}, 0, 0, RS_FLOW_EXEMPT},
    {"jal x7", "riscv64", {0x100, JAL(7), 0x108}, ISA, RS_LINKREG_ODD, RS_FLOW_PUSH},
    {"jal x6", "riscv64", {0x100, JAL(6), 0x108}, ISA, RS_LINKREG_ODD, RS_FLOW_EXEMPT},
    {"jal x0", "riscv64", {0x100, JAL(0), 0x108}, ISA, RS_LINKREG_ODD, RS_FLOW_OTHER},
    {"ret", "riscv64", {0x100, JALR(0, 1), 0x900}, ISA, 0, RS_FLOW_POP},
    {"ret", "riscv64", {0x100, JALR(0, 1), 0x900}, ISA, RS_LINKREG_X1, RS_FLOW_POP},
    {"jr x7", "riscv64", {0x100, JALR(0, 7), 0x900}, ISA, RS_LINKREG_X1, RS_FLOW_OTHER},
    {"jalr x5,x1", "riscv64", {0x100, JALR(5, 1), 0x900}, ISA, 0, RS_FLOW_POP_PUSH},
    {"jalr x1,x5",
     "riscv64",
     {0x100, JALR(1, 5), 0x900},
     ISA,
     RS_LINKREG_X1,
     RS_FLOW_PUSH},
    {"jalr x7,x1",
     "riscv64",
     {0x100, JALR(7, 1), 0x900},
     ISA,
     RS_LINKREG_ODD,
     RS_FLOW_PUSH},
};

static void each_form_does_what_the_rules_say(void **state)
{
	(void)state;
	for (size_t i = 0; i < N(forms); i++) {
		const struct form *const form = &forms[i];
		struct rs_linkstack_rules rules = power;
		struct rs_linkstack stack;
		struct rs_guess guess;
		struct rs_err err;
		rules.exempt = form->exempt;
		rules.linkreg = form->linkreg;
		print_message("%s: %s\n", form->isa, form->name);
		assert_int_equal(rs_linkstack_open(&stack, &rules, &err), 0);
		const enum rs_flow flow =
		    step(&stack, rs_decoder_find(form->isa), &form->executed, &guess);
		const bool is_both = form->want == RS_FLOW_POP_PUSH;
		assert_int_equal(flow, form->want);
		assert_int_equal(stack.counts.pushes,
				 form->want == RS_FLOW_PUSH || is_both);
		assert_int_equal(stack.counts.pops,
				 form->want == RS_FLOW_POP || is_both);
		assert_int_equal(stack.counts.exempt, form->want == RS_FLOW_EXEMPT);
		rs_linkstack_close(&stack);
	}
}

/* Coroutines that change over by jalr x1, 0(x5) and jalr x5, 0(x1). */
static void pop_then_push_predicts_a_coroutine(void **state)
{
	(void)state;
	static const struct executed stream[] = {
	    {0x100, JALR(5, 1), 0x904},
	    {0x900, JALR(1, 5), 0x104},
	};
	const struct rs_decoder *const decoder = rs_decoder_find("riscv64");
	struct rs_linkstack stack;
	struct rs_err err;
	assert_int_equal(rs_linkstack_open(&stack, &power, &err), 0);
	rs_linkstack_push(&stack, 0x904, 1);
	for (unsigned int i = 0; i < 10; i++) {
		struct rs_guess guess;
		step(&stack, decoder, &stream[i % 2], &guess);
		assert_true(guess.is_right);
		assert_int_equal(guess.site, i ? stream[(i - 1) % 2].address : 1);
	}
	assert_int_equal(stack.counts.mispredicts, 0);
	assert_int_equal(stack.n_held, 1);
	rs_linkstack_close(&stack);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_old_datapage_costs_two_and_its_fix_nothing),
	    cmocka_unit_test(each_form_does_what_the_rules_say),
	    cmocka_unit_test(pop_then_push_predicts_a_coroutine),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
