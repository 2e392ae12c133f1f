#include "src/exec_log.h"

#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int rs_exec_log_open(struct rs_exec_log *out, const char *path, uint16_t machine,
		     struct rs_err *err)
{
	*out = (struct rs_exec_log){.path = path, .machine = machine};
	out->file = fopen(path, "re");
	if (out->file)
		return 0;
	return rs_err_set(err, -errno, "cannot open the log '%s': %s", path,
			  strerror(errno));
}

void rs_exec_log_close(struct rs_exec_log *log)
{
	if (log->file)
		fclose(log->file);
	free(log->line);
	*log = (struct rs_exec_log){.file = NULL};
}

/*
 * s390x's execute runs another instruction in its own place: the emulator keeps that
 * one in BASE, and logs the address a second time.
 */
static bool is_executed_target(const struct rs_exec_log *log, uint64_t base)
{
	return log->machine == EM_S390 && base != 0;
}

/* 1: a step, 0: none that counts, -EBADMSG. */
static int parse(const struct rs_exec_log *log, struct rs_exec_step *step)
{
	uint64_t base = 0;
	if (strncmp(log->line, "Trace ", 6) != 0)
		return 0;
	if (sscanf(log->line, "Trace %u: %*s [%" SCNx64 "/%" SCNx64 "/", &step->cpu,
		   &base, &step->address) != 3)
		return -EBADMSG;
	return !is_executed_target(log, base);
}

/* 1: there is a whole line, 0: there is none. */
static int read_line(struct rs_exec_log *log, struct rs_err *err)
{
	errno = 0;
	const ssize_t n = getline(&log->line, &log->line_bytes, log->file);
	if (n < 0 && (ferror(log->file) || errno == ENOMEM)) {
		const int code = errno ? -errno : -EIO;
		return rs_err_set(err, code, "cannot read the log '%s': %s", log->path,
				  strerror(-code));
	}
	log->is_cut = n > 0 && log->line[n - 1] != '\n';
	log->n_lines += n > 0;
	return n > 0 && !log->is_cut;
}

int rs_exec_log_next(struct rs_exec_log *log, struct rs_exec_step *step,
		     struct rs_err *err)
{
	int ret = 0;
	while ((ret = read_line(log, err)) > 0) {
		const int found = parse(log, step);
		if (found < 0)
			return rs_err_set(err, found,
					  "%s line %" PRIu64 ": 'Trace' is not "
					  "followed by a thread and an address",
					  log->path, log->n_lines);
		log->n_steps += found > 0;
		if (found > 0)
			return 1;
	}
	if (ret == 0 && log->n_steps == 0)
		return rs_err_set(
		    err, -EBADMSG,
		    "the log '%s' has no executed instruction; qemu-user "
		    "writes them with -singlestep -d nochain,exec -D FILE",
		    log->path);
	return ret;
}
