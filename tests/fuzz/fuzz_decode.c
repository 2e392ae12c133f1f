/*
 * Code of any ISA: the first byte chooses the decoder, the rest is decoded to its end,
 * each instruction from a buffer that ends where the input does.
 */

#include "arch/decode.h"

#include <assert.h>
#include <elf.h>
#include <errno.h>

#include "tests/fuzz/fuzz.h"

#define BASE UINT64_C(0xfffffff0)

static const struct rs_decoder *choose(uint8_t which)
{
	size_t n = 0;
	while (rs_decoders()[n].name)
		n++;
	return &rs_decoders()[which % n];
}

static void check(const struct rs_decoder *decoder, const struct rs_insn *insn,
		  size_t n_left)
{
	const bool is_call = insn->flow == RS_FLOW_PUSH ||
			     insn->flow == RS_FLOW_EXEMPT ||
			     insn->flow == RS_FLOW_POP_PUSH;
	assert(insn->n_bytes >= decoder->min_bytes && insn->n_bytes <= n_left);
	assert(insn->n_bytes % decoder->min_bytes == 0);
	assert(insn->flow != RS_FLOW_JUMP || insn->has_target);
	assert(insn->has_target || insn->target == 0);
	assert(!(insn->has_target && insn->through));
	assert(!is_call || insn->link);
	assert(!insn->is_conditional || insn->flow != RS_FLOW_OTHER);
	assert(!insn->move_from == !insn->move_to);
	assert(decoder->elf_class == ELFCLASS64 || insn->target <= UINT32_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
	if (n_bytes == 0)
		return 0;
	const struct rs_decoder *const decoder = choose(data[0]);
	size_t at = 1;
	while (at < n_bytes) {
		struct rs_insn insn;
		const int ret =
		    rs_decode(decoder, data + at, n_bytes - at, BASE + at, &insn);
		assert(ret == 0 || (ret == -EINVAL && insn.n_bytes == 0));
		if (ret == 0)
			check(decoder, &insn, n_bytes - at);
		at += ret ? decoder->min_bytes : insn.n_bytes;
	}
	return 0;
}
