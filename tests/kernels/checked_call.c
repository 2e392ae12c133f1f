#include "tests/kernels/checked_call.h"

#include <assert.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "src/base/text.h"

#define POISON          0xa5a5b6b6c7c7d800ULL
#define N_STACK_WORDS   (65536 / sizeof(unsigned long))
#define N_ABOVE_WORDS   512
#define N_GUARD_WORDS   8
#define N_GUARDED_WORDS (N_GUARD_WORDS + RS_N_KARGS + N_GUARD_WORDS)

static unsigned long stack[N_STACK_WORDS] __attribute__((aligned(64)));

static const char *rule_name(unsigned int rule)
{
	static const char *const names[RS_N_RULE] = {
	    [RS_RULE_STACK_POINTER] = "stack pointer",
	    [RS_RULE_RETURN_ADDRESS] = "return address",
	    [RS_RULE_STACK_ABOVE] = "stack above the frame",
	    [RS_RULE_STACK_BELOW] = "stack below the frame",
	    [RS_RULE_KARGS] = "argument words",
	    [RS_RULE_RESULT] = "result",
	};
	return rule < RS_N_RULE ? names[rule] : rs_checked_isa.rules[rule - RS_N_RULE];
}

const char *rs_rules_text(unsigned int broken, char *text, size_t size)
{
	text[0] = '\0';
	for (unsigned int rule = 0; rule < RS_N_RULE + rs_checked_isa.n_rules; rule++) {
		if (broken & 1U << rule)
			rs_text_append(text, size, "%s%s", text[0] ? ", " : "",
				       rule_name(rule));
	}
	return text;
}

/* The bytes of a word of 64 bits, or their lower half: no two words are alike. */
unsigned long rs_poison(size_t index)
{
	return (unsigned long)(POISON ^ index * 0x0101010101010101ULL);
}

void rs_poison_words(unsigned long *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		words[i] = rs_poison(i);
}

static bool is_poisoned(const unsigned long *words, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		if (words[i] != rs_poison(i))
			return false;
	}
	return true;
}

static unsigned int stack_broken(size_t top, size_t max_stack_bytes)
{
	const size_t max_words = max_stack_bytes / sizeof(stack[0]) + 1;
	unsigned int broken = 0;
	const size_t given = top + rs_checked_isa.given_from;
	if (!is_poisoned(stack, top, given) ||
	    !is_poisoned(stack, given + rs_checked_isa.n_given, N_STACK_WORDS))
		broken |= 1U << RS_RULE_STACK_ABOVE;
	if (!is_poisoned(stack, 0, top - max_words))
		broken |= 1U << RS_RULE_STACK_BELOW;
	return broken;
}

static unsigned int kargs_broken(const unsigned long *guarded,
				 const unsigned long *kargs)
{
	const unsigned long *const after = guarded + N_GUARD_WORDS;
	const size_t n_before = RS_KARG_RESULT;
	const size_t n_after = RS_N_KARGS - RS_KARG_RESULT - 1;
	const bool is_kept =
	    is_poisoned(guarded, 0, N_GUARD_WORDS) &&
	    is_poisoned(guarded, N_GUARD_WORDS + RS_N_KARGS, N_GUARDED_WORDS) &&
	    memcmp(after, kargs, n_before * sizeof(*kargs)) == 0 &&
	    memcmp(after + RS_KARG_RESULT + 1, kargs + RS_KARG_RESULT + 1,
		   n_after * sizeof(*kargs)) == 0;
	return is_kept ? 0 : 1U << RS_RULE_KARGS;
}

unsigned int rs_checked_call(const void *entry, unsigned long *kargs,
			     size_t max_stack_bytes)
{
	unsigned int broken;
	const size_t top = N_STACK_WORDS - N_ABOVE_WORDS;
	assert(max_stack_bytes < top * sizeof(stack[0]));
	assert(RS_N_RULE + rs_checked_isa.n_rules <= sizeof(broken) * CHAR_BIT);
	unsigned long guarded[N_GUARDED_WORDS];
	unsigned long result;
	rs_poison_words(stack, N_STACK_WORDS);
	rs_poison_words(guarded, N_GUARDED_WORDS);
	memcpy(guarded + N_GUARD_WORDS, kargs, RS_N_KARGS * sizeof(*kargs));

	broken =
	    rs_checked_isa.enter(entry, guarded + N_GUARD_WORDS, stack + top, &result);

	broken |= stack_broken(top, max_stack_bytes) | kargs_broken(guarded, kargs);
	kargs[RS_KARG_RESULT] = guarded[N_GUARD_WORDS + RS_KARG_RESULT];
	if (result != kargs[RS_KARG_RESULT])
		broken |= 1U << RS_RULE_RESULT;
	return broken;
}
