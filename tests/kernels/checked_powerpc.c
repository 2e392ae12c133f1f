#include <stddef.h>
#include <stdint.h>
#include <sys/auxv.h>

#include "tests/kernels/checked_call.h"

#define IS_64_BIT  (sizeof(long) == 8)
#define N_GPRS     18 /* r14 to r31 */
#define N_FPRS     18 /* f14 to f31 */
#define N_VRS      12 /* v20 to v31 */
#define BANK_BYTES 512
#define CR_FIELD   0xf0000000UL
#define CR_UNUSUAL 0x5a5a5a5aUL

/* The first N_GPRS rules are the saved registers r14 to r31. */
enum {
	R2 = N_GPRS,
	R13,
	CR2,
	CR3,
	CR4,
	FPRS,
	VRS,
	VRSAVE,
	N_RULES
};

static const char *const rules[N_RULES] = {
    "r14",
    "r15",
    "r16",
    "r17",
    "r18",
    "r19",
    "r20",
    "r21",
    "r22",
    "r23",
    "r24",
    "r25",
    "r26",
    "r27",
    "r28",
    "r29",
    "r30",
    "r31",
    [R2] = "r2",
    [R13] = "r13",
    [CR2] = "cr2",
    [CR3] = "cr3",
    [CR4] = "cr4",
    [FPRS] = "f14 to f31",
    [VRS] = "v20 to v31",
    [VRSAVE] = "vrsave",
};

/* Registers that a callee keeps. */
struct bank {
	unsigned long gprs[N_GPRS + 2]; /* r14 to r31, r2, r13: the first rules */
	unsigned long cr;
	unsigned long vrsave;
	uint64_t fprs[N_FPRS];
	uint64_t vrs[2 * N_VRS] __attribute__((aligned(16)));
};

/* What a processor has of them: bits of machine.units. */
#define HAS_FPU    1UL
#define HAS_VECTOR 2UL

/* Read and written by arch/powerpc/checked_call.S at these offsets. */
struct machine {
	union {
		struct bank bank;
		unsigned char bytes[BANK_BYTES];
	} own, kernel;        /* kernel: in and out */
	unsigned long *stack; /* 1024 in: r1 before the call; out: after it */
	unsigned long result; /* out: r3 */
	unsigned long astray; /* out: how often it came back past its call */
	unsigned long own_stack;
	unsigned long own_link;
	unsigned long units; /* in */
} __attribute__((aligned(16)));

_Static_assert(offsetof(struct bank, fprs) == 22 * sizeof(long), "as in the assembly");
_Static_assert(offsetof(struct bank, vrs) == (IS_64_BIT ? 320 : 240), "as there");
_Static_assert(sizeof(struct bank) <= BANK_BYTES, "as in the assembly");
_Static_assert(offsetof(struct machine, stack) == 1024, "as in the assembly");

void rs_checked_enter(const void *entry, unsigned long *kargs, struct machine *machine);

/* The thread pointer belongs to the system, whatever a caller does: it is kept. */
static void set_thread_pointer(struct bank *bank)
{
	if (IS_64_BIT)
		__asm__("mr %0, 13" : "=r"(bank->gprs[R13]));
	else
		__asm__("mr %0, 2" : "=r"(bank->gprs[R2]));
}

static unsigned long units_here(void)
{
	const unsigned long hwcap = getauxval(AT_HWCAP);
	return (hwcap & PPC_FEATURE_HAS_FPU ? HAS_FPU : 0) |
	       (hwcap & PPC_FEATURE_HAS_ALTIVEC ? HAS_VECTOR : 0);
}

/* Registers that are not there stay as they are here. */
static void bank_poison(struct bank *bank)
{
	rs_poison_words((unsigned long *)bank, sizeof(*bank) / sizeof(unsigned long));
	bank->cr = CR_UNUSUAL;
	bank->vrsave = (uint32_t)bank->vrsave; /* it has 32 bits */
	set_thread_pointer(bank);
}

static unsigned int changed(const uint64_t *a, const uint64_t *b, size_t n, int rule)
{
	for (size_t i = 0; i < n; i++) {
		if (a[i] != b[i])
			return 1U << (RS_N_RULE + rule);
	}
	return 0;
}

static unsigned int bank_broken(const struct bank *after, const struct bank *before)
{
	unsigned int broken = 0;
	for (int i = 0; i < N_GPRS + 2; i++) {
		if (after->gprs[i] != before->gprs[i])
			broken |= 1U << (RS_N_RULE + i);
	}
	for (int i = CR2; i <= CR4; i++) {
		const unsigned long field = CR_FIELD >> 4 * (2 + i - CR2);
		if ((after->cr ^ before->cr) & field)
			broken |= 1U << (RS_N_RULE + i);
	}
	if (after->vrsave != before->vrsave)
		broken |= 1U << (RS_N_RULE + VRSAVE);
	return broken | changed(after->fprs, before->fprs, N_FPRS, FPRS) |
	       changed(after->vrs, before->vrs, 2 * N_VRS, VRS);
}

static unsigned int enter(const void *entry, unsigned long *kargs, unsigned long *top,
			  unsigned long *result)
{
	struct machine machine = {.stack = top, .units = units_here()};
	struct bank before;
	bank_poison(&before);
	machine.kernel.bank = before;
	rs_checked_enter(entry, kargs, &machine);
	*result = machine.result;
	unsigned int broken = bank_broken(&machine.kernel.bank, &before);
	if (machine.stack != top)
		broken |= 1U << RS_RULE_STACK_POINTER;
	if (machine.astray)
		broken |= 1U << RS_RULE_RETURN_ADDRESS;
	return broken;
}

const struct rs_checked_isa rs_checked_isa = {
    .rules = rules,
    .n_rules = N_RULES,
    .stack_bytes = 2048,             /* frames of 112 bytes, with 64 bits */
    .given_from = IS_64_BIT ? 2 : 1, /* for LR */
    .n_given = 1,
    .enter = enter,
};
