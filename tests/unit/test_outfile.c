#include "src/outfile.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "src/base/file.h"

#define N_CASES(cases) (sizeof(cases) / sizeof((cases)[0]))

static char old_directory[PATH_MAX];
static char directory[64];

/* Each test has an empty directory as its working directory. */
static int enter(void **state)
{
	(void)state;
	strcpy(directory, "/tmp/retstack-outfile-XXXXXX");
	return !getcwd(old_directory, sizeof(old_directory)) || !mkdtemp(directory) ||
	       chmod(directory, 0777) || chdir(directory);
}

static int leave(void **state)
{
	(void)state;
	char command[128];
	snprintf(command, sizeof(command), "rm -rf -- %s", directory);
	return chdir(old_directory) || system(command);
}

static void put_file(const char *path, const char *text)
{
	FILE *const out = fopen(path, "w");
	assert_non_null(out);
	assert_true(fputs(text, out) >= 0);
	assert_int_equal(fclose(out), 0);
}

static void assert_content(const char *path, const char *expected)
{
	char *text = NULL;
	size_t n_bytes = 0;
	assert_int_equal(rs_file_read_all(path, 1 << 20, &text, &n_bytes), 0);
	assert_string_equal(text, expected);
	free(text);
}

/* Files in the working directory, hidden ones included. */
static int count_files(void)
{
	int n = 0;
	DIR *const dir = opendir(".");
	assert_non_null(dir);
	for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir))
		n +=
		    strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
	closedir(dir);
	return n;
}

static void write_and_commit(const char *path, const char *text)
{
	struct rs_outfile file;
	struct rs_err err = {.text = ""};
	assert_int_equal(rs_outfile_open(&file, path, &err), 0);
	assert_true(fputs(text, file.stream) >= 0);
	assert_int_equal(rs_outfile_commit(&file, 0, &err), 0);
	assert_null(file.stream);
	assert_null(file.path);
	assert_null(file.temporary);
}

static void target_appears_only_when_whole(void **state)
{
	(void)state;
	struct rs_outfile file;
	struct rs_err err;
	put_file("out.csv", "old");
	assert_int_equal(rs_outfile_open(&file, "out.csv", &err), 0);
	assert_non_null(strstr(file.temporary, ".out.csv.retstack-"));
	assert_int_equal(access(file.temporary, F_OK), 0);
	fputs("new", file.stream);
	fflush(file.stream);
	assert_content("out.csv", "old");
	assert_int_equal(rs_outfile_commit(&file, 0, &err), 0);
	assert_content("out.csv", "new");
	assert_int_equal(count_files(), 1);
}

static void discard_leaves_nothing_behind(void **state)
{
	(void)state;
	struct rs_outfile file;
	struct rs_err err;
	put_file("kept", "old");
	static const char *const paths[] = {"kept", "never"};
	for (size_t i = 0; i < N_CASES(paths); i++) {
		assert_int_equal(rs_outfile_open(&file, paths[i], &err), 0);
		fputs("new", file.stream);
		rs_outfile_discard(&file);
		rs_outfile_discard(&file);
	}
	assert_content("kept", "old");
	assert_int_equal(count_files(), 1);
}

static mode_t mode_of(const char *path)
{
	struct stat st;
	assert_int_equal(stat(path, &st), 0);
	return st.st_mode & 07777;
}

static void modes_follow_umask_or_the_old_file(void **state)
{
	(void)state;
	const mode_t old_mask = umask(027);
	write_and_commit("new", "x");
	umask(old_mask);
	assert_int_equal(mode_of("new"), 0640);
	put_file("private", "old");
	assert_int_equal(chmod("private", 0600), 0);
	write_and_commit("private", "x");
	assert_int_equal(mode_of("private"), 0600);
}

static void links_are_followed(void **state)
{
	(void)state;
	assert_int_equal(mkdir("sub", 0755), 0);
	put_file("sub/target", "old");
	assert_int_equal(symlink("target", "sub/hop"), 0);
	assert_int_equal(symlink("sub/hop", "link"), 0);
	assert_int_equal(symlink("sub/later", "dangling"), 0);
	write_and_commit("link", "new");
	write_and_commit("dangling", "fresh");
	struct stat st;
	assert_int_equal(lstat("link", &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_content("sub/target", "new");
	assert_content("sub/later", "fresh");
	assert_int_equal(count_files(), 3);
}

static void leftover_of_a_crash_is_no_obstacle(void **state)
{
	(void)state;
	char name[64];
	snprintf(name, sizeof(name), ".out.retstack-%ld-0", (long)getpid());
	put_file(name, "left");
	write_and_commit("out", "new");
	assert_content("out", "new");
	assert_content(name, "left");
}

struct refusal {
	const char *path;
	int code;
	const char *sentence;
};

static void assert_refused(const struct refusal *refusal)
{
	struct rs_outfile file;
	struct rs_err err = {.text = ""};
	print_message("'%.60s'\n", refusal->path);
	assert_int_equal(rs_outfile_open(&file, refusal->path, &err), refusal->code);
	assert_null(file.stream);
	assert_null(file.path);
	assert_null(file.temporary);
	if (strcmp(err.text, refusal->sentence) != 0)
		fail_msg("got: %s", err.text);
}

static void bad_paths_fail_at_once(void **state)
{
	(void)state;
	static const struct refusal refusals[] = {
	    {"", -ENOENT,
	     "cannot create a file without a name; '-' is standard output"},
	    {"missing/out", -ENOENT,
	     "cannot create 'missing/out': no such directory (ENOENT); create it "
	     "first"},
	    {".", -EISDIR,
	     "cannot create '.': it is a directory (EISDIR); name a file in it"},
	    {"sub/", -EISDIR,
	     "cannot create 'sub/': it is a directory (EISDIR); name a file in it"},
	    {"plain/out", -ENOTDIR,
	     "cannot create 'plain/out': a part of the path is not a directory "
	     "(ENOTDIR); check the path"},
	    {"loop", -ELOOP,
	     "cannot create 'loop': too many symbolic links (ELOOP); check the links"},
	    {"a\nb/c", -ENOENT,
	     "cannot create 'a?b/c': no such directory (ENOENT); create it first"},
	};
	assert_int_equal(mkdir("sub", 0755), 0);
	put_file("plain", "");
	assert_int_equal(symlink("loop", "loop"), 0);
	const int before = count_files();
	for (size_t i = 0; i < N_CASES(refusals); i++)
		assert_refused(&refusals[i]);
	assert_int_equal(count_files(), before);
}

static void long_names_fail_in_one_sentence(void **state)
{
	(void)state;
	static const size_t lengths[] = {256, 4096, 10000};
	for (size_t i = 0; i < N_CASES(lengths); i++) {
		struct rs_outfile file;
		struct rs_err err;
		char *const path = calloc(lengths[i] + 1, 1);
		assert_non_null(path);
		memset(path, 'x', lengths[i]);
		print_message("%zu bytes\n", lengths[i]);
		assert_int_equal(rs_outfile_open(&file, path, &err), -ENAMETOOLONG);
		assert_true(strlen(err.text) < sizeof(err.text) - 1);
		assert_non_null(strstr(err.text, "the name is too long (ENAMETOOLONG); "
						 "choose a shorter one"));
		free(path);
	}
	char longest[256] = "";
	memset(longest, 'y', 255);
	write_and_commit(longest, "fits");
	assert_content(longest, "fits");
}

/* Permissions do not bind root: the effective user changes for the while. */
static void without_root(void (*check)(void))
{
	const bool is_root = geteuid() == 0;
	if (is_root)
		assert_int_equal(seteuid(65534), 0);
	check();
	if (is_root)
		assert_int_equal(seteuid(0), 0);
}

static void check_permissions(void)
{
	static const struct refusal refusals[] = {
	    {"closed/out", -EACCES,
	     "cannot create 'closed/out': permission denied (EACCES); choose a place "
	     "that you may write to"},
	    {"protected", -EACCES,
	     "cannot create 'protected': permission denied (EACCES); choose a place "
	     "that you may write to"},
	};
	for (size_t i = 0; i < N_CASES(refusals); i++)
		assert_refused(&refusals[i]);
}

static void what_may_not_be_written_is_not_replaced(void **state)
{
	(void)state;
	assert_int_equal(mkdir("closed", 0555), 0);
	put_file("protected", "old");
	assert_int_equal(chmod("protected", 0444), 0);
	without_root(check_permissions);
	assert_content("protected", "old");
}

static void full_disk_is_reported_at_commit(void **state)
{
	(void)state;
	struct rs_outfile file;
	struct rs_err err;
	assert_int_equal(rs_outfile_open(&file, "/dev/full", &err), 0);
	assert_null(file.temporary);
	fputs("x", file.stream);
	assert_int_equal(rs_outfile_commit(&file, 0, &err), -ENOSPC);
	assert_string_equal(err.text, "cannot write '/dev/full': no space left on the "
				      "device (ENOSPC); free some space or choose "
				      "another place");
	assert_null(file.stream);
}

static void failed_writer_keeps_the_old_target(void **state)
{
	(void)state;
	struct rs_outfile file;
	struct rs_err err;
	put_file("out", "old");
	assert_int_equal(rs_outfile_open(&file, "out", &err), 0);
	fputs("half", file.stream);
	assert_int_equal(rs_outfile_commit(&file, -EDQUOT, &err), -EDQUOT);
	assert_string_equal(err.text, "cannot write 'out': the disk quota is used up "
				      "(EDQUOT); free some space or choose another "
				      "place");
	assert_content("out", "old");
	assert_int_equal(count_files(), 1);
}

static void file_size_limit_keeps_the_old_target(void **state)
{
	(void)state;
	struct rs_outfile file;
	struct rs_err err;
	struct rlimit old;
	put_file("out", "old");
	assert_int_equal(rs_outfile_open(&file, "out", &err), 0);
	fputs("more than two", file.stream);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){2, old.rlim_max}), 0);
	const int ret = rs_outfile_commit(&file, 0, &err);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	signal(SIGXFSZ, SIG_DFL);
	assert_int_equal(ret, -EFBIG);
	assert_content("out", "old");
	assert_int_equal(count_files(), 1);
}

/* Runs with standard output replaced by fd. */
static int commit_to_stdout(int fd, const char *path, struct rs_err *err)
{
	struct rs_outfile file;
	fflush(stdout);
	const int saved = dup(STDOUT_FILENO);
	assert_true(saved >= 0);
	assert_int_equal(dup2(fd, STDOUT_FILENO), STDOUT_FILENO);
	int ret = rs_outfile_open(&file, path, err);
	if (!ret) {
		fputs("text", file.stream);
		ret = rs_outfile_commit(&file, 0, err);
	}
	assert_int_equal(dup2(saved, STDOUT_FILENO), STDOUT_FILENO);
	close(saved);
	__fpurge(stdout);
	clearerr(stdout);
	return ret;
}

static void dash_is_standard_output(void **state)
{
	(void)state;
	struct rs_err err;
	static const char *const paths[] = {"-", "/dev/stdout", "redirected"};
	for (size_t i = 0; i < N_CASES(paths); i++) {
		print_message("%s\n", paths[i]);
		const int fd = open("redirected", O_WRONLY | O_CREAT | O_TRUNC, 0666);
		assert_true(fd >= 0);
		struct stat before;
		struct stat after;
		assert_int_equal(fstat(fd, &before), 0);
		assert_int_equal(commit_to_stdout(fd, paths[i], &err), 0);
		close(fd);
		assert_int_equal(stat("redirected", &after), 0);
		assert_int_equal(before.st_ino, after.st_ino);
		assert_content("redirected", "text");
		assert_int_equal(count_files(), 1);
	}
}

static void closed_pipe_is_reported(void **state)
{
	(void)state;
	int ends[2];
	struct rs_err err;
	assert_int_equal(pipe(ends), 0);
	close(ends[0]);
	signal(SIGPIPE, SIG_IGN);
	const int ret = commit_to_stdout(ends[1], "-", &err);
	signal(SIGPIPE, SIG_DFL);
	close(ends[1]);
	assert_int_equal(ret, -EPIPE);
	assert_string_equal(err.text,
			    "cannot write standard output: its reader closed the pipe "
			    "(EPIPE); the output is incomplete");
}

#define IN_DIRECTORY(test) cmocka_unit_test_setup_teardown(test, enter, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_DIRECTORY(target_appears_only_when_whole),
	    IN_DIRECTORY(discard_leaves_nothing_behind),
	    IN_DIRECTORY(modes_follow_umask_or_the_old_file),
	    IN_DIRECTORY(links_are_followed),
	    IN_DIRECTORY(leftover_of_a_crash_is_no_obstacle),
	    IN_DIRECTORY(bad_paths_fail_at_once),
	    IN_DIRECTORY(long_names_fail_in_one_sentence),
	    IN_DIRECTORY(what_may_not_be_written_is_not_replaced),
	    IN_DIRECTORY(full_disk_is_reported_at_commit),
	    IN_DIRECTORY(failed_writer_keeps_the_old_target),
	    IN_DIRECTORY(file_size_limit_keeps_the_old_target),
	    IN_DIRECTORY(dash_is_standard_output),
	    IN_DIRECTORY(closed_pipe_is_reported),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
