#include "tests/kernels/dying.h"

#include <stddef.h>

/* Kernels as in arch/x86, good ones and others: %rdi holds the argument words, the
 * first is the calls. */
#define KERNEL(name, body)                                                             \
	asm(".pushsection .text\n"                                                     \
	    ".p2align 6\n"                                                             \
	    "rs_test_" name ":\n" body "\n"                                            \
	    "ret\n"                                                                    \
	    ".p2align 6, 0xcc\n"                                                       \
	    "rs_test_" name "_end:\n"                                                  \
	    ".popsection\n")

#define LOOP(body) "mov (%rdi), %rcx\n1: " body "\ndec %rcx\njnz 1b\n"

KERNEL("good", LOOP(""));
KERNEL("ud2", "ud2");
KERNEL("null", "xor %eax, %eax\nmov (%rax), %rax");
/* The spare argument word counts the calls, over all repetitions of a process. */
KERNEL("late", LOOP("incq 80(%rdi)\ncmpq $500, 80(%rdi)\njne 2f\nud2\n2:"));
KERNEL("exit", "mov $231, %eax\nmov $3, %edi\nsyscall"); /* exit_group(3) */
/* kill(getpid(), SIGKILL) */
KERNEL("kill", "mov $39, %eax\nsyscall\nmov %eax, %edi\nmov $9, %esi\n"
	       "mov $62, %eax\nsyscall");
KERNEL("back", "rdtsc\nneg %rax\nmov %rax, 48(%rdi)");
KERNEL("lazy", "xor %eax, %eax\nmov %rax, 48(%rdi)");
KERNEL("hang", "1: pause\njmp 1b");

#define KERNEL_ROW(id) KERNEL_CHECKED(id, RS_RESULT_OWN)
#define KERNEL_CHECKED(id, kind)                                                       \
	extern const unsigned char rs_test_##id[], rs_test_##id##_end[];               \
	static const struct rs_kernel id##_kernel = {                                  \
	    .start = rs_test_##id,                                                     \
	    .end = rs_test_##id##_end,                                                 \
	    .entry = {rs_test_##id},                                                   \
	    .result = kind,                                                            \
	}

KERNEL_ROW(good);
KERNEL_ROW(ud2);
KERNEL_ROW(null);
KERNEL_ROW(late);
KERNEL_ROW(exit);
KERNEL_ROW(kill);
KERNEL_CHECKED(back, RS_RESULT_TICKS);
KERNEL_CHECKED(lazy, RS_RESULT_CALLS);
KERNEL_ROW(hang);

static const struct rs_variant variants[] = {
    {.name = "ud2", .kernel = &ud2_kernel},
    {.name = "good", .kernel = &good_kernel},
    {.name = "null", .kernel = &null_kernel},
    {.name = "late", .kernel = &late_kernel},
    {.name = "exit", .kernel = &exit_kernel},
    {.name = "kill", .kernel = &kill_kernel},
    {.name = "back", .kernel = &back_kernel},
    {.name = "lazy", .kernel = &lazy_kernel},
    {.name = "hang", .kernel = &hang_kernel},
    {.name = "fine", .kernel = &good_kernel},
    {.name = NULL},
};

static const struct rs_family families[] = {
    {.name = "getpc", .baseline = "good", .variants = variants},
    {.name = NULL},
};

const struct rs_isa rs_dying_isa = {
    .name = "test",
    .empty = &good_kernel,
    .families = families,
};
