#include "src/tracee.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <elf.h>
#include <linux/audit.h>

#include "src/base/file.h"
#include "src/base/text.h"

#define PAGE 4096U /* the least of any Linux */

#define OPTIONS                                                                        \
	(PTRACE_O_EXITKILL | PTRACE_O_TRACEEXEC | PTRACE_O_TRACECLONE |                \
	 PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK)

/* AUDIT_ARCH_* is an ELF machine with two bits for class and byte order. */
static const struct rs_decoder *decoder_of(uint32_t audit_arch)
{
	return rs_decoder_of_elf(
	    (uint16_t)audit_arch,
	    audit_arch & __AUDIT_ARCH_64BIT ? ELFCLASS64 : ELFCLASS32,
	    audit_arch & __AUDIT_ARCH_LE ? ELFDATA2LSB : ELFDATA2MSB);
}

/*
 * PTRACE_GET_SYSCALL_INFO (Linux 5.3) says it at every kind of stop, in the same words
 * on every ISA, which the registers of PTRACE_GETREGSET are not.
 */
int rs_tracee_place(pid_t tid, struct rs_tracee_place *out)
{
	struct __ptrace_syscall_info info;
	const long n = ptrace(PTRACE_GET_SYSCALL_INFO, tid, sizeof(info), &info);
	if (n < 0)
		return -errno;
	*out = (struct rs_tracee_place){
	    .address = info.instruction_pointer,
	    .stack = info.stack_pointer,
	    .decoder = decoder_of(info.arch),
	};
	return 0;
}

/* PTRACE_PEEKTEXT also reads what the program itself may only execute. */
static size_t peek(pid_t tid, uint64_t address, unsigned char *out, size_t n_bytes)
{
	size_t n = 0;
	while (n < n_bytes) {
		errno = 0;
		const long word =
		    ptrace(PTRACE_PEEKTEXT, tid, (void *)(uintptr_t)(address + n), 0);
		if (errno)
			break;
		const size_t left = n_bytes - n;
		const size_t some = left < sizeof(word) ? left : sizeof(word);
		memcpy(out + n, &word, some);
		n += some;
	}
	return n;
}

/* In two pieces, so that what ends with a page is read up to there. */
size_t rs_tracee_read(pid_t tid, uint64_t address, void *out, size_t n_bytes)
{
	const size_t to_page = PAGE - address % PAGE;
	const size_t first = n_bytes < to_page ? n_bytes : to_page;
	const struct iovec to = {out, n_bytes};
	const struct iovec from[] = {
	    {(void *)(uintptr_t)address, first},
	    {(void *)(uintptr_t)(address + first), n_bytes - first},
	};
	const ssize_t n = process_vm_readv(tid, &to, 1, from, 1 + (first < n_bytes), 0);
	if (n > 0)
		return (size_t)n;
	return peek(tid, address, out, n_bytes);
}

/*
 * A step's code differs: TRAP_TRACE, after system calls and on some ISAs TRAP_BRKPT,
 * TRAP_HWBKPT on s390x. The stop before a handler comes from ptrace_notify(), whose
 * code is the signal's number.
 */
enum rs_tracee_trap rs_tracee_trap(pid_t tid, bool at_breakpoint)
{
	siginfo_t info = {0};
	if (ptrace(PTRACE_GETSIGINFO, tid, 0, &info))
		return RS_TRAP_STEP;
	switch (info.si_code) {
	case SIGTRAP:
		return RS_TRAP_HANDLER;
	case TRAP_BRKPT:
		return at_breakpoint ? RS_TRAP_SIGNAL : RS_TRAP_STEP;
	case TRAP_TRACE:
	case TRAP_HWBKPT:
		return RS_TRAP_STEP;
	default:
		return RS_TRAP_SIGNAL;
	}
}

int rs_tracee_step(pid_t tid, int sig)
{
	return ptrace(PTRACE_SINGLESTEP, tid, 0, sig) ? -errno : 0;
}

pid_t rs_tracee_process(pid_t tid)
{
	char text[4096];
	if (rs_file_read_text(text, sizeof(text), "/proc/%d/status", (int)tid) < 0)
		return tid;
	const char *const line = strstr(text, "\nTgid:");
	int pid = 0;
	return line && sscanf(line, "\nTgid: %d", &pid) == 1 ? pid : tid;
}

/* Between the two processes: a byte to begin, and back 0 when ready, then an errno. */
struct pipes {
	int begin[2];
	int answer[2];
};

static void close_all(const struct pipes *pipes)
{
	const int fds[] = {pipes->begin[0], pipes->begin[1], pipes->answer[0],
			   pipes->answer[1]};
	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++) {
		if (fds[i] >= 0)
			close(fds[i]);
	}
}

static int open_all(struct pipes *pipes, struct rs_err *err)
{
	*pipes = (struct pipes){{-1, -1}, {-1, -1}};
	if (pipe2(pipes->begin, O_CLOEXEC) == 0 && pipe2(pipes->answer, O_CLOEXEC) == 0)
		return 0;
	const int code = -errno;
	close_all(pipes);
	return rs_err_set(err, code, "cannot make a pipe to the program to trace: %s",
			  strerror(-code));
}

/* As a shell would start it: what this program does with signals is not its own. */
static void prepare(const struct rs_tracee_target *target)
{
	for (int sig = 1; sig < NSIG; sig++) {
		struct sigaction action;
		if (sigaction(sig, NULL, &action) == 0 &&
		    (action.sa_handler != SIG_IGN || sig == SIGPIPE))
			signal(sig, SIG_DFL);
	}
	if (target->argv) {
		if (target->out >= 0)
			dup2(target->out, STDOUT_FILENO);
		return;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	const struct rlimit no_core = {0, 0};
	setrlimit(RLIMIT_CORE, &no_core);
}

static void be_child(const struct rs_tracee_target *target, const struct pipes *pipes)
{
	char byte = 0;
	int code = 0;
	prepare(target);
	close(pipes->begin[1]);
	if (write(pipes->answer[1], &code, sizeof(code)) < 0 ||
	    read(pipes->begin[0], &byte, 1) != 1)
		_exit(1);
	if (!target->argv) {
		kill(getpid(), SIGSTOP); /* the parent goes on from here */
		target->body(target->user);
		_exit(0);
	}
	execvp(target->argv[0], target->argv);
	code = errno;
	if (write(pipes->answer[1], &code, sizeof(code)) < 0)
		_exit(126);
	_exit(127);
}

static int wait_for(pid_t pid, int *status)
{
	while (waitpid(pid, status, __WALL) < 0) {
		if (errno != EINTR)
			return -errno;
	}
	return 0;
}

static int refuse(struct rs_err *err, int code)
{
	char scope[16];
	rs_err_set(err, code, "cannot trace a program: ptrace says %s",
		   strerror(-code));
	if (rs_file_read_text(scope, sizeof(scope),
			      "/proc/sys/kernel/yama/ptrace_scope") > 0 &&
	    scope[0] >= '2')
		rs_text_append(err->text, sizeof(err->text),
			       "; kernel.yama.ptrace_scope is %s, needs 1 or lower",
			       scope);
	else if (code == -EPERM)
		rs_text_append(err->text, sizeof(err->text),
			       "; a container's seccomp filter may forbid it");
	else
		rs_text_append(err->text, sizeof(err->text),
			       "; user-mode emulators and some sandboxes have none");
	return code;
}

/* The child is ready and waits for its byte. */
static int seize(pid_t pid, const struct pipes *pipes, int *status, struct rs_err *err)
{
	int code = 0;
	if (read(pipes->answer[0], &code, sizeof(code)) != (ssize_t)sizeof(code))
		return rs_err_set(err, -ECHILD, "a child to trace ended at once");
	if (ptrace(PTRACE_SEIZE, pid, 0, OPTIONS))
		return refuse(err, -errno);
	if (write(pipes->begin[1], "", 1) != 1)
		return refuse(err, -errno);
	return wait_for(pid, status);
}

/* A command begins after its exec, a function where the child stops itself. */
static bool has_begun(const struct rs_tracee_target *target, int status)
{
	const int event = status >> 16;
	return target->argv ? event == PTRACE_EVENT_EXEC
			    : event == 0 && WSTOPSIG(status) == SIGSTOP;
}

/* Passes on what else stops it: signals that came from elsewhere. */
static int run_to_begin(const struct rs_tracee_target *target, pid_t pid, int *status,
			struct rs_err *err)
{
	while (WIFSTOPPED(*status) && !has_begun(target, *status)) {
		const int sig = *status >> 16 ? 0 : WSTOPSIG(*status);
		if (ptrace(PTRACE_CONT, pid, 0, sig))
			return refuse(err, -errno);
		const int ret = wait_for(pid, status);
		if (ret)
			return refuse(err, ret);
	}
	return 0;
}

static int explain_end(const struct rs_tracee_target *target, const struct pipes *pipes,
		       struct rs_err *err)
{
	int code = 0;
	char clip[RS_CLIP_BYTES];
	const char *const name =
	    rs_text_clip(clip, target->argv ? target->argv[0] : "the function");
	if (read(pipes->answer[0], &code, sizeof(code)) == (ssize_t)sizeof(code))
		return rs_err_set(err, -code, "cannot run '%s': %s", name,
				  code == ENOENT ? "there is no such command"
						 : strerror(code));
	return rs_err_set(err, -ECHILD, "'%s' ended before it began", name);
}

static int start(const struct rs_tracee_target *target, pid_t pid, struct pipes *pipes,
		 struct rs_err *err)
{
	int status = 0;
	close(pipes->answer[1]);
	pipes->answer[1] = -1;
	int ret = seize(pid, pipes, &status, err);
	if (!ret)
		ret = run_to_begin(target, pid, &status, err);
	if (!ret && !WIFSTOPPED(status))
		return explain_end(target, pipes, err); /* it is reaped */
	if (ret) {
		kill(pid, SIGKILL);
		wait_for(pid, &status);
	}
	return ret;
}

int rs_tracee_start(const struct rs_tracee_target *target, pid_t *pid,
		    struct rs_err *err)
{
	struct pipes pipes;
	int ret = open_all(&pipes, err);
	if (ret)
		return ret;
	fflush(stdout);
	*pid = fork();
	if (*pid == 0)
		be_child(target, &pipes);
	if (*pid < 0)
		ret = rs_err_set(err, -errno, "cannot fork: %s", strerror(errno));
	else
		ret = start(target, *pid, &pipes, err);
	close_all(&pipes);
	return ret;
}
