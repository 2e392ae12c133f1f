#include "src/compat.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "src/base/text.h"

static const struct rs_original originals[] = {
    {
	.name = "gettimeofday",
	.usage = "gettimeofday",
	.text = "time 100 000 000 calls of gettimeofday(): the kernel's "
		"selftests/powerpc/benchmarks/gettimeofday.c",
	.run = rs_compat_gettimeofday,
    },
    {
	.name = "gettimeofday-diff",
	.usage = "gettimeofday-diff",
	.text = "time 1 000 000 calls of gettimeofday(): the program in the message of "
		"Linux commit 77ec462536a1, which has no name",
	.run = rs_compat_gettimeofday_diff,
    },
    {
	.name = "vdso_test_getrandom",
	.usage = "vdso_test_getrandom bench-single|bench-multi",
	.text = "time 25 000 000 calls of getrandom() for 4 bytes by the vDSO, the C "
		"library and the system call, in one thread or in each of 256: the "
		"kernel's selftests/vDSO/vdso_test_getrandom.c",
	.run = rs_compat_getrandom,
    },
    {
	.name = "vdsotest",
	.usage = "vdsotest [-d SEC] [-f NUM] [-g] [-v] API verify|bench|abi",
	.text =
	    "check a function of the vDSO, what it does with wrong arguments, or its "
	    "speed beside the C library's and the system call's; or list-apis, "
	    "list-test-types: https://github.com/nathanlynch/vdsotest",
	.run = rs_compat_vdsotest,
    },
    {.name = NULL},
};

#define N_ORIGINALS (sizeof(originals) / sizeof(originals[0]))

const struct rs_original *rs_originals(void)
{
	return originals;
}

static void suggest(const char *name, struct rs_err *err)
{
	const char *names[N_ORIGINALS];
	for (size_t i = 0; i < N_ORIGINALS; i++)
		names[i] = originals[i].name;
	const char *const nearest = rs_text_nearest(name, names);
	if (nearest)
		rs_text_append(err->text, sizeof(err->text), "; did you mean '%s'?",
			       nearest);
	else
		rs_text_append(err->text, sizeof(err->text),
			       "; `retstack compat --help' lists them");
}

const struct rs_original *rs_original_find(const char *name, struct rs_err *err)
{
	char clip[RS_CLIP_BYTES];
	for (const struct rs_original *original = originals; original->name;
	     original++) {
		if (strcmp(original->name, name) == 0)
			return original;
	}
	rs_err_set(err, -EINVAL, "compat knows no benchmark '%s'",
		   rs_text_clip(clip, name));
	suggest(name, err);
	return NULL;
}

void rs_compat_note(const struct rs_compat *compat, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	fputs("retstack: ", compat->notes);
	vfprintf(compat->notes, fmt, args);
	fputc('\n', compat->notes);
	va_end(args);
}

uint64_t rs_compat_count(const struct rs_compat *compat, uint64_t original)
{
	const double scaled = (double)original * compat->scale + 0.5;
	const uint64_t count = scaled < 1 ? 1 : (uint64_t)scaled;
	if (count != original)
		rs_compat_note(compat,
			       "the loop runs %" PRIu64 " times, not %" PRIu64
			       " as the original's",
			       count, original);
	return count;
}

int rs_compat_take_none(const struct rs_compat *compat, struct rs_err *err)
{
	char clip[RS_CLIP_BYTES];
	if (compat->argc < 2)
		return 0;
	return rs_err_set(err, -EINVAL,
			  "%s takes no arguments, but got '%s'; options of compat come "
			  "before the benchmark's name",
			  compat->argv[0], rs_text_clip(clip, compat->argv[1]));
}
