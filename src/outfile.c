#include "src/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/text.h"

/* What an errno means for a result file, and what to do about it. */
struct cause {
	int errnum;
	const char *text;
	const char *remedy;
};

#define ELSEWHERE "choose a place that you may write to"
#define MAKE_ROOM "free some space or choose another place"

/* clang-format off */
static const struct cause causes[] = {
	{ENOENT, "no such directory", "create it first"},
	{ENOTDIR, "a part of the path is not a directory", "check the path"},
	{EISDIR, "it is a directory", "name a file in it"},
	{EACCES, "permission denied", ELSEWHERE},
	{EPERM, "not permitted", ELSEWHERE},
	{EROFS, "the file system is read-only", "choose another place"},
	{ENOSPC, "no space left on the device", MAKE_ROOM},
	{EDQUOT, "the disk quota is used up", MAKE_ROOM},
	{EFBIG, "it would be larger than is allowed", "raise the limit (ulimit -f)"},
	{ENAMETOOLONG, "the name is too long", "choose a shorter one"},
	{ELOOP, "too many symbolic links", "check the links"},
	{EPIPE, "its reader closed the pipe", "the output is incomplete"},
	{EMFILE, "too many open files", "raise the limit (ulimit -n)"},
	{ETXTBSY, "it is a program that is running", "choose another name"},
	{0},
};
/* clang-format on */

#define SHOWN_BYTES 512

/* The path for a sentence: whole where that is bearable, and printable. */
static const char *shown(char out[SHOWN_BYTES], const char *path)
{
	static const char dots[] = "...";
	if (!rs_text_copy(out, SHOWN_BYTES, path))
		strcpy(out + SHOWN_BYTES - sizeof(dots), dots);
	for (char *c = out; *c; c++) {
		if ((unsigned char)*c < ' ' || *c == 127)
			*c = '?';
	}
	return out;
}

/* "cannot DO 'PATH': WHY (ERRNO); REMEDY". Returns code. */
static int fail(struct rs_err *err, int code, const char *action, const char *path)
{
	char name[SHOWN_BYTES];
	const bool is_stdout = strcmp(path, "-") == 0;
	const char *const quote = is_stdout ? "" : "'";
	const char *const subject = is_stdout ? "standard output" : shown(name, path);
	const struct cause *cause = causes;
	while (cause->text && cause->errnum != -code)
		cause++;
	const char *const text = cause->text ? cause->text : strerrordesc_np(-code);
	return rs_err_set(err, code, "cannot %s %s%s%s: %s (%s)%s%s", action, quote,
			  subject, quote, text ? text : "unknown error",
			  rs_err_name(-code), cause->remedy ? "; " : "",
			  cause->remedy ? cause->remedy : "");
}

/* Bytes of path up to and with its last slash. */
static size_t directory_bytes(const char *path)
{
	const char *const slash = strrchr(path, '/');
	return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Replaces *path, the name of a link, by what the link says; 0 or a negative errno. */
static int follow_link(char **path, const char *target)
{
	const size_t directory = target[0] == '/' ? 0 : directory_bytes(*path);
	char *followed = NULL;
	if (asprintf(&followed, "%.*s%s", (int)directory, *path, target) < 0)
		return -ENOMEM;
	free(*path);
	*path = followed;
	return 0;
}

#define MAX_LINKS 40 /* as many as the kernel follows */

/*
 * The file that path stands for once its last part is no symbolic link; it need not
 * exist, which is why realpath(3) would not do. The caller frees *out.
 */
static int resolve(const char *path, char **out)
{
	int ret = -ELOOP;
	char *current = strdup(path);
	if (!current)
		return -ENOMEM;
	for (int i = 0; i < MAX_LINKS; i++) {
		char target[PATH_MAX];
		const ssize_t n = readlink(current, target, sizeof(target));
		if (n < 0) {
			*out = current;
			return 0;
		}
		ret = -ENAMETOOLONG;
		if ((size_t)n == sizeof(target))
			break;
		target[n] = '\0';
		ret = follow_link(&current, target);
		if (ret)
			break;
		ret = -ELOOP;
	}
	free(current);
	return ret;
}

#define MAX_TRIES 100
#define MAX_STEM  200 /* a name may have 255 bytes; the rest is the decoration's */

/*
 * A hidden file beside target, ".NAME.retstack-PID-N": whoever finds one after a crash
 * can tell whose it was. open(2) and not mkstemp(3), so that the umask and a default
 * ACL of the directory apply. Returns a descriptor and *out, or a negative errno.
 */
static int create_beside(const char *target, char **out)
{
	const size_t directory = directory_bytes(target);
	for (int i = 0; i < MAX_TRIES; i++) {
		char *name = NULL;
		if (asprintf(&name, "%.*s.%.*s.retstack-%ld-%d", (int)directory, target,
			     MAX_STEM, target + directory, (long)getpid(), i) < 0)
			return -ENOMEM;
		const int fd =
		    open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd >= 0) {
			*out = name;
			return fd;
		}
		const int code = -errno;
		free(name);
		if (code != -EEXIST)
			return code;
	}
	return -EEXIST;
}

/* The owner is kept where that is allowed; the mode must be. */
static int copy_mode(int fd, const struct stat *old)
{
	if (fchown(fd, old->st_uid, old->st_gid) && errno != EPERM)
		return -errno;
	return fchmod(fd, old->st_mode & 07777) ? -errno : 0;
}

static int open_beside(struct rs_outfile *file, const char *path)
{
	struct stat old;
	const bool exists = stat(path, &old) == 0;
	/* Renaming would replace even a file that its owner protected from writing. */
	if (exists && faccessat(AT_FDCWD, path, W_OK, AT_EACCESS))
		return -errno;
	int ret = resolve(path, &file->path);
	if (ret)
		return ret;
	const int fd = create_beside(file->path, &file->temporary);
	if (fd < 0)
		return fd;
	ret = exists ? copy_mode(fd, &old) : 0;
	if (!ret) {
		file->stream = fdopen(fd, "w");
		ret = file->stream ? 0 : -errno;
	}
	if (ret)
		close(fd);
	return ret;
}

static int open_in_place(struct rs_outfile *file, const char *path)
{
	file->path = strdup(path);
	if (!file->path)
		return -ENOMEM;
	const int fd = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	file->stream = fdopen(fd, "w");
	if (file->stream)
		return 0;
	const int code = -errno;
	close(fd);
	return code;
}

static int open_stdout(struct rs_outfile *file)
{
	file->path = strdup("-");
	if (!file->path)
		return -ENOMEM;
	file->stream = stdout;
	return 0;
}

/*
 * "/dev/stdout", or the file or pipe that standard output was redirected to: replacing
 * a file would leave whatever else the program prints in the one that is gone.
 */
static bool is_stdout(const struct stat *target)
{
	struct stat own;
	return fstat(STDOUT_FILENO, &own) == 0 && own.st_dev == target->st_dev &&
	       own.st_ino == target->st_ino;
}

static int open_any(struct rs_outfile *file, const char *path)
{
	struct stat target;
	if (strcmp(path, "-") == 0)
		return open_stdout(file);
	if (stat(path, &target))
		return errno == ENOENT && *path ? open_beside(file, path) : -errno;
	if (S_ISDIR(target.st_mode))
		return -EISDIR;
	if ((S_ISREG(target.st_mode) || S_ISFIFO(target.st_mode)) && is_stdout(&target))
		return open_stdout(file);
	return S_ISREG(target.st_mode) ? open_beside(file, path)
				       : open_in_place(file, path);
}

int rs_outfile_open(struct rs_outfile *file, const char *path, struct rs_err *err)
{
	*file = (struct rs_outfile){0};
	const int ret = open_any(file, path);
	if (!ret)
		return 0;
	rs_outfile_discard(file);
	if (!*path)
		return rs_err_set(err, ret,
				  "cannot create a file without a name; "
				  "'-' is standard output");
	return fail(err, ret, "create", path);
}

/* Everything up to the rename; the first failure wins. */
static int finish_stream(struct rs_outfile *file, int code)
{
	errno = 0;
	if (!code && (fflush(file->stream) || ferror(file->stream)))
		code = errno ? -errno : -EIO;
	if (!code && file->temporary && fsync(fileno(file->stream)))
		code = -errno;
	if (file->stream != stdout && fclose(file->stream) && !code)
		code = -errno;
	file->stream = NULL;
	return code;
}

int rs_outfile_commit(struct rs_outfile *file, int write_code, struct rs_err *err)
{
	int ret = finish_stream(file, write_code < 0 ? write_code : 0);
	if (!ret && file->temporary && rename(file->temporary, file->path))
		ret = -errno;
	if (!ret) {
		free(file->temporary);
		file->temporary = NULL;
	} else {
		fail(err, ret, "write", file->path);
	}
	rs_outfile_discard(file);
	return ret;
}

void rs_outfile_discard(struct rs_outfile *file)
{
	if (file->stream && file->stream != stdout)
		fclose(file->stream);
	if (file->temporary)
		unlink(file->temporary);
	free(file->temporary);
	free(file->path);
	*file = (struct rs_outfile){0};
}
