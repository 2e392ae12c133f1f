/*
 * Are the counts in the rows right? Every kernel is single-stepped in a child, and the
 * instructions that it executes are counted one by one.
 */

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "src/placement.h"
#include "tests/kernels/site.h"

#define N_CALLS   3
#define MAX_STEPS 100000
#define HOME      0x1000UL /* a return address at which nothing is ever executed */

void rs_k_target(void); /* executes one ret */

/* In the order of struct rs_counts. */
enum count {
	INSTRUCTIONS,
	BRANCHES,
	PUSHES,
	POPS,
	EXEMPT,
	N_COUNTS
};

static const char *const count_names[N_COUNTS] = {
    "instructions", "branches", "pushes", "pops", "exempt calls",
};

/* What the child and this process both see. */
struct shared {
	unsigned long kargs[RS_N_KARGS];
	struct timeval now;
	unsigned long block[64 / sizeof(unsigned long)];
	uint64_t bits[2 * (2 + N_CALLS)]; /* rows of a chain for the last iterations */
	unsigned long stack[4096] __attribute__((aligned(64)));
};

static struct shared *shared;

static bool is_prefix(unsigned char byte)
{
	return (byte & 0xf0) == 0x40 || byte == 0x66 || byte == 0xf2 || byte == 0xf3 ||
	       byte == 0x2e || byte == 0x3e;
}

static bool is_next_call(const unsigned char *code)
{
	return memcmp(code, "\xe8\0\0\0\0", 5) == 0;
}

/* Adds one executed instruction. Knows the control transfers of 64-bit code. */
static void count_instruction(const unsigned char *code, long counts[N_COUNTS])
{
	while (is_prefix(*code))
		code++;
	const unsigned char op = code[0];
	const unsigned int group = code[1] >> 3 & 7; /* of opcode ff */
	const bool is_call = op == 0xe8 || (op == 0xff && (group == 2 || group == 3));
	const bool is_return = op == 0xc3 || op == 0xc2;
	const bool is_jump = op == 0xe9 || op == 0xeb || (op & 0xf0) == 0x70 ||
			     (op >= 0xe0 && op <= 0xe3) ||
			     (op == 0x0f && (code[1] & 0xf0) == 0x80) ||
			     (op == 0xff && (group == 4 || group == 5));
	counts[INSTRUCTIONS]++;
	counts[BRANCHES] += is_call || is_return || is_jump;
	counts[PUSHES] += is_call && !is_next_call(code);
	counts[POPS] += is_return;
	counts[EXEMPT] += is_next_call(code);
}

static void classifier_knows_its_opcodes(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		unsigned char code[8];
		long counts[N_COUNTS];
	} rows[] = {
	    {"call +0", "\xe8\0\0\0\0", {1, 1, 0, 0, 1}},
	    {"call +4", "\xe8\4\0\0\0", {1, 1, 1, 0, 0}},
	    {"call *8(%r14)", "\x41\xff\x56\x08", {1, 1, 1, 0, 0}},
	    {"call *%rax", "\xff\xd0", {1, 1, 1, 0, 0}},
	    {"jmp *%rcx", "\xff\xe1", {1, 1, 0, 0, 0}},
	    {"inc %eax", "\xff\xc0", {1, 0, 0, 0, 0}},
	    {"ret", "\xc3", {1, 1, 0, 1, 0}},
	    {"rep ret", "\xf3\xc3", {1, 1, 0, 1, 0}},
	    {"ret $8", "\xc2\x08\0", {1, 1, 0, 1, 0}},
	    {"jmp short", "\xeb\0", {1, 1, 0, 0, 0}},
	    {"jmp near", "\xe9\0\0\0\0", {1, 1, 0, 0, 0}},
	    {"jne short", "\x75\0", {1, 1, 0, 0, 0}},
	    {"jne near", "\x0f\x85\0\0\0\0", {1, 1, 0, 0, 0}},
	    {"endbr64", "\xf3\x0f\x1e\xfa", {1, 0, 0, 0, 0}},
	    {"lfence", "\x0f\xae\xe8", {1, 0, 0, 0, 0}},
	    {"pop %r14", "\x41\x5e", {1, 0, 0, 0, 0}},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		long counts[N_COUNTS] = {0};
		count_instruction(rows[i].code, counts);
		if (memcmp(counts, rows[i].counts, sizeof(counts)) != 0)
			fail_msg("%s is taken for something else", rows[i].name);
	}
}

/* A child that stands still until it is stepped, and dies with this process. */
static pid_t child_start(void)
{
	const pid_t pid = fork();
	if (pid == 0) {
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0)
			raise(SIGSTOP);
		_exit(1);
	}
	int status = 0;
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (!WIFSTOPPED(status)) {
		print_message("skipped: ptrace is not permitted here\n");
		skip();
	}
	assert_int_equal(ptrace(PTRACE_SETOPTIONS, pid, NULL, PTRACE_O_EXITKILL), 0);
	return pid;
}

static void child_end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void child_enter(pid_t pid, const void *entry)
{
	struct user_regs_struct regs;
	unsigned long *const top = shared->stack + 4096 - 64;
	top[-1] = HOME;
	assert_int_equal(ptrace(PTRACE_GETREGS, pid, NULL, &regs), 0);
	regs.orig_rax = -1UL; /* it stopped inside a system call; do not resume that */
	regs.rip = (uintptr_t)entry;
	regs.rdi = (uintptr_t)shared->kargs;
	regs.rsp = (uintptr_t)(top - 1);
	assert_int_equal(ptrace(PTRACE_SETREGS, pid, NULL, &regs), 0);
}

static uintptr_t child_pc(pid_t pid)
{
	return (uintptr_t)ptrace(PTRACE_PEEKUSER, pid,
				 offsetof(struct user_regs_struct, rip), NULL);
}

/* Returns the signal that it stopped with: SIGTRAP, or the kernels' own. */
static int child_step_with(pid_t pid, int number)
{
	int status = 0;
	assert_int_equal(ptrace(PTRACE_SINGLESTEP, pid, NULL, (long)number), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (!WIFSTOPPED(status) ||
	    (WSTOPSIG(status) != SIGTRAP && WSTOPSIG(status) != SIGURG))
		fail_msg("child stopped at %#lx with status %#x",
			 (unsigned long)child_pc(pid), (unsigned int)status);
	return WSTOPSIG(status);
}

/* False when a signal came before the instruction, and its handler is entered. */
static bool child_step(pid_t pid)
{
	const uintptr_t pc = child_pc(pid);
	if (child_step_with(pid, 0) != SIGURG)
		return true;
	const bool is_executed = child_pc(pid) != pc;
	assert_int_equal(child_step_with(pid, SIGURG), SIGTRAP);
	return is_executed;
}

/* Runs a kernel to its end; the code is at the same address in this process. */
static void child_count(pid_t pid, const void *entry, long counts[N_COUNTS])
{
	memset(counts, 0, N_COUNTS * sizeof(counts[0]));
	child_enter(pid, entry);
	for (uintptr_t pc = child_pc(pid); pc != HOME; pc = child_pc(pid)) {
		if (child_step(pid))
			count_instruction((const unsigned char *)pc, counts);
		assert_true(counts[INSTRUCTIONS] < MAX_STEPS);
	}
}

/*
 * What n more iterations add, by two runs that differ in them alone. The target of a
 * vdso kernel is one ret, which the rows count as a pop and as nothing else.
 */
static void count_iterations(pid_t pid, const void *entry, enum rs_target target,
			     long n, long counts[N_COUNTS])
{
	const bool has_target = target != RS_TARGET_NONE && target != RS_TARGET_SYSCALL;
	long once[N_COUNTS];
	*shared->kargs = (unsigned long)n;
	shared->kargs[RS_KARG_TARGET] = (uintptr_t)rs_k_target;
	shared->kargs[RS_KARG_ARG0] = (uintptr_t)&shared->now;
	shared->kargs[RS_KARG_SYSNO] = SYS_getppid;
	shared->kargs[RS_KARG_BLOCK] = (uintptr_t)shared->block;
	shared->kargs[RS_KARG_LINES] = 1;
	shared->kargs[RS_KARG_READS] = 1;
	child_count(pid, entry, once);
	*shared->kargs *= 2;
	child_count(pid, entry, counts);
	for (int i = 0; i < N_COUNTS; i++)
		counts[i] -= once[i];
	counts[INSTRUCTIONS] -= has_target ? n : 0;
	counts[BRANCHES] -= has_target ? n : 0;
}

/* The name of the first count that is not n times what the row says; NULL: none. */
static const char *mismatch(const struct rs_counts *row, unsigned int frames, long n,
			    const long counts[N_COUNTS], char *text, size_t size)
{
	const struct rs_linear *const linears[N_COUNTS] = {
	    &row->instructions, &row->branches, &row->pushes, &row->pops, &row->exempt,
	};
	for (int i = 0; i < N_COUNTS; i++) {
		const long expected = n * rs_linear_at(linears[i], frames);
		if (counts[i] == expected)
			continue;
		snprintf(text, size, "%ld %s in %ld iterations, the row says %ld",
			 counts[i], count_names[i], n, expected);
		return text;
	}
	return NULL;
}

static void check_kernel(const char *name, const struct rs_kernel *kernel,
			 enum rs_target target)
{
	struct rs_placement placement;
	struct rs_err err = {""};
	if (rs_placement_make(&placement, kernel, 0, 1, &err) < 0)
		fail_msg("%s", err.text);
	const pid_t pid = child_start();
	for (unsigned int frames = 0; frames <= RS_MAX_FRAMES; frames++) {
		const void *const entry = rs_placement_entry(&placement, frames);
		long counts[N_COUNTS];
		char text[128];
		if (!entry)
			continue;
		count_iterations(pid, entry, target, N_CALLS, counts);
		if (mismatch(&kernel->counts, frames, N_CALLS, counts, text,
			     sizeof(text)))
			fail_msg("%s below %u frames: %s", name, frames, text);
	}
	child_end(pid);
	rs_placement_free(&placement);
}

/* What two more iterations of n nested calls add; the bits choose both sites. */
static void count_chain(pid_t pid, const void *entry, unsigned long n,
			long counts[N_COUNTS])
{
	long once[N_COUNTS];
	memset(shared->bits, 0xa5, sizeof(shared->bits));
	shared->kargs[RS_KARG_ARG0] = n;
	shared->kargs[RS_KARG_ARG1] = (uintptr_t)shared->bits;
	*shared->kargs = 1;
	child_count(pid, entry, once);
	*shared->kargs = 1 + N_CALLS;
	child_count(pid, entry, counts);
	for (int i = 0; i < N_COUNTS; i++)
		counts[i] -= once[i];
}

static void every_chain_counts_what_it_executes(void **state)
{
	(void)state;
	static const unsigned int lengths[] = {1, 2, 3, 65, RS_MAX_CHAIN};
	for (const struct rs_chain *row = rs_isa_host()->chains; row->name; row++) {
		const pid_t pid = child_start();
		for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
			long counts[N_COUNTS];
			char text[128];
			count_chain(pid, row->kernel->entry[0], lengths[i], counts);
			if (mismatch(&row->kernel->counts, lengths[i], N_CALLS, counts,
				     text, sizeof(text)))
				fail_msg("%s, %u calls: %s", row->name, lengths[i],
					 text);
		}
		child_end(pid);
	}
}

static void every_row_counts_what_it_executes(void **state)
{
	(void)state;
	const struct rs_isa *const isa = rs_isa_host();
	check_kernel("empty", isa->empty, RS_TARGET_NONE);
	for (const struct rs_family *family = isa->families; family->name; family++) {
		for (const struct rs_variant *row = family->variants; row->name;
		     row++) {
			if (!rs_variant_obstacle(row))
				check_kernel(row->name, row->kernel, row->target);
		}
	}
}

/* Each count, off by one or by one per frame, is noticed. */
static void wrong_counts_are_noticed(void **state)
{
	(void)state;
	const struct rs_kernel *const kernel =
	    rs_isa_family(rs_isa_host(), "getpc")->variants->kernel;
	const pid_t pid = child_start();
	long counts[N_COUNTS];
	char text[128];
	count_iterations(pid, kernel->entry[3], RS_TARGET_NONE, N_CALLS, counts);
	child_end(pid);
	assert_null(mismatch(&kernel->counts, 3, N_CALLS, counts, text, sizeof(text)));
	for (size_t i = 0; i < N_COUNTS; i++) {
		struct rs_counts wrong = kernel->counts;
		struct rs_linear *const linear = (struct rs_linear *)&wrong + i;
		linear->base++;
		assert_non_null(
		    mismatch(&wrong, 3, N_CALLS, counts, text, sizeof(text)));
		assert_non_null(strstr(text, count_names[i]));
		linear->base--;
		linear->per_frame--;
		assert_non_null(
		    mismatch(&wrong, 3, N_CALLS, counts, text, sizeof(text)));
	}
}

static bool is_rdtsc(const unsigned char *code)
{
	return memcmp(code, "\x0f\x31", 2) == 0 ||
	       memcmp(code, "\x0f\x01\xf9", 3) == 0; /* rdtscp */
}

/* Steps past the first rdtsc: the time is read, the sequence not yet checked again. */
static void child_step_past_rdtsc(pid_t pid)
{
	for (unsigned int n_steps = 0; n_steps < MAX_STEPS; n_steps++) {
		const bool is_past = is_rdtsc((const unsigned char *)child_pc(pid));
		child_step(pid);
		if (is_past)
			return;
	}
	fail_msg("no rdtsc in %d steps", MAX_STEPS);
}

static void child_write(pid_t pid, const struct rs_datapage *at,
			const struct rs_datapage *page)
{
	const unsigned long *const words = (const unsigned long *)page;
	for (size_t i = 0; i < sizeof(*page) / sizeof(words[0]); i++)
		assert_int_equal(ptrace(PTRACE_POKEDATA, pid,
					(uintptr_t)at + i * sizeof(words[0]), words[i]),
				 0);
}

/* A page that is rewritten while a kernel reads it is read again. */
static void kernel_reads_again(const struct rs_variant *row)
{
	static const struct rs_datapage first = {.sequence = 2, .sec = 1};
	static const struct rs_datapage second = {.sequence = 4, .sec = 2};
	struct rs_placement placement;
	struct rs_err err = {""};
	long counts[N_COUNTS];
	assert_int_equal(rs_placement_make(&placement, row->kernel, 0, 1, &err), 0);
	*placement.datapage = first;
	*shared->kargs = 1;
	shared->kargs[RS_KARG_ARG0] = (uintptr_t)&shared->now;
	const pid_t pid = child_start();
	child_enter(pid, rs_placement_entry(&placement, 0));
	child_step_past_rdtsc(pid);
	child_write(pid, placement.datapage, &second);
	while (child_pc(pid) != HOME)
		child_step(pid);
	print_message("%s\n", row->name);
	assert_int_equal(shared->now.tv_sec, 2);
	child_count(pid, rs_placement_entry(&placement, 0), counts);
	assert_int_equal(shared->now.tv_sec, 2);
	child_end(pid);
	rs_placement_free(&placement);
}

static void datapage_reads_again(void **state)
{
	(void)state;
	static const char *const families[] = {"datapage", "clockread.gettimeofday"};
	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
		for (const struct rs_variant *row = rs_site_rows(families[i]);
		     row->name; row++) {
			if (!rs_variant_obstacle(row))
				kernel_reads_again(row);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(classifier_knows_its_opcodes),
	    cmocka_unit_test(every_row_counts_what_it_executes),
	    cmocka_unit_test(every_chain_counts_what_it_executes),
	    cmocka_unit_test(wrong_counts_are_noticed),
	    cmocka_unit_test(datapage_reads_again),
	};
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED) {
		perror("mmap");
		return 1;
	}
	return cmocka_run_group_tests_name("counts", tests, NULL, NULL);
}
