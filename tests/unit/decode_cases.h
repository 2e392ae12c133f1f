#ifndef TESTS_UNIT_DECODE_CASES_H
#define TESTS_UNIT_DECODE_CASES_H

/*
 * What every decoder's test does with its rows of instructions. Included by a test;
 * each of these functions is used by each test that includes it.
 */

#include <elf.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "arch/decode.h"
#include "src/rng.h"
#include "tests/unit/hex.h"

/* Where every instruction of the rows lies. */
#define AT UINT64_C(0x10000)

#define DECODE_MAX_BYTES 16
#define N_RANDOM_STARTS  20000

struct decode_case {
	const char *text; /* as an assembler has it, "." being AT; NULL ends a list */
	/* Groups of hex digits as the manual writes them, most significant first; in
	 * memory each group is reversed where the ISA is little-endian. */
	const char *hex;
	struct rs_insn want; /* n_bytes 0: -EINVAL is wanted */
};

/* From a copy of the exact size, so that a sanitizer sees a read past its end. */
static int decode_exact(const struct rs_decoder *decoder, const unsigned char *bytes,
			size_t n, struct rs_insn *insn)
{
	unsigned char *const exact = malloc(n ? n : 1);
	assert_non_null(exact);
	memcpy(exact, bytes, n);
	memset(insn, 0xa5, sizeof(*insn));
	const int ret = rs_decode(decoder, exact, n, AT, insn);
	free(exact);
	return ret;
}

static bool is_same(const struct rs_insn *a, const struct rs_insn *b)
{
	return a->flow == b->flow && a->n_bytes == b->n_bytes &&
	       a->is_conditional == b->is_conditional &&
	       a->has_target == b->has_target && a->target == b->target &&
	       a->through == b->through && a->link == b->link &&
	       a->move_from == b->move_from && a->move_to == b->move_to;
}

static void print_insn(const char *what, const struct rs_insn *insn)
{
	print_message("  %s flow %d%s, %u bytes, target %s %#llx, through %u, link %u, "
		      "move %u to %u\n",
		      what, (int)insn->flow, insn->is_conditional ? " conditional" : "",
		      insn->n_bytes, insn->has_target ? "is" : "unknown",
		      (unsigned long long)insn->target, insn->through, insn->link,
		      insn->move_from, insn->move_to);
}

/* Bytes that follow an instruction change nothing; any of its own missing does. */
static void check_case(const struct rs_decoder *decoder, const struct decode_case *row)
{
	unsigned char bytes[DECODE_MAX_BYTES] = {0};
	const size_t n = bytes_of_hex(decoder, row->hex, bytes, sizeof(bytes));
	const struct rs_insn none = {0};
	struct rs_insn got;
	const int ret = decode_exact(decoder, bytes, n, &got);
	print_message("%s: %s (%s)\n", decoder->name, row->text, row->hex);
	print_insn("want", &row->want);
	print_insn("got ", &got);
	assert_int_equal(ret, row->want.n_bytes ? 0 : -EINVAL);
	assert_true(is_same(&got, &row->want));
	if (ret)
		return;
	assert_int_equal(n, row->want.n_bytes);
	assert_int_equal(decode_exact(decoder, bytes, sizeof(bytes), &got), 0);
	assert_true(is_same(&got, &row->want));
	for (size_t cut = 0; cut < n; cut++) {
		assert_int_equal(decode_exact(decoder, bytes, cut, &got), -EINVAL);
		assert_true(is_same(&got, &none));
	}
}

static void check_cases(const char *name, const struct decode_case *rows)
{
	const struct rs_decoder *const decoder = find_decoder(name);
	for (const struct decode_case *row = rows; row->text; row++)
		check_case(decoder, row);
}

/* Each field that a row states is one in which is_same sees a difference. */
static void check_sees_differences(const struct decode_case *row)
{
	const struct rs_insn *const want = &row->want;
	struct rs_insn wrong[9];
	for (size_t i = 0; i < 9; i++)
		wrong[i] = *want;
	wrong[0].flow = want->flow == RS_FLOW_PUSH ? RS_FLOW_POP : RS_FLOW_PUSH;
	wrong[1].n_bytes++;
	wrong[2].is_conditional = !want->is_conditional;
	wrong[3].has_target = !want->has_target;
	wrong[4].target += 4;
	wrong[5].through++;
	wrong[6].link++;
	wrong[7].move_from++;
	wrong[8].move_to++;
	assert_true(is_same(want, want));
	for (size_t i = 0; i < 9; i++)
		assert_false(is_same(want, &wrong[i]));
}

/* Whatever the bytes are: an error, or an instruction that lies within them. */
static void check_random(const char *name, uint64_t seed)
{
	const struct rs_decoder *const decoder = find_decoder(name);
	struct rs_rng rng;
	rs_rng_seed(&rng, seed);
	size_t n_decoded = 0;
	for (int i = 0; i < N_RANDOM_STARTS; i++) {
		const uint64_t words[2] = {rs_rng_next(&rng), rs_rng_next(&rng)};
		unsigned char bytes[DECODE_MAX_BYTES];
		struct rs_insn got;
		memcpy(bytes, words, sizeof(bytes));
		const size_t n = rs_rng_below(&rng, DECODE_MAX_BYTES + 1);
		const int ret = decode_exact(decoder, bytes, n, &got);
		const bool is_right = ret ? ret == -EINVAL && got.n_bytes == 0
					  : got.n_bytes >= decoder->min_bytes &&
						got.n_bytes <= n &&
						got.n_bytes % decoder->min_bytes == 0 &&
						(got.has_target || got.target == 0);
		if (!is_right)
			fail_msg("%s, seed %#llx, start %d", name,
				 (unsigned long long)seed, i);
		n_decoded += ret == 0;
	}
	assert_true(n_decoded > N_RANDOM_STARTS / 4);
}

#endif
