#include "src/base/file.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads until the end of the file or of the buffer. */
static ssize_t read_up_to(int fd, char *out, size_t size)
{
	size_t used = 0;
	while (used < size) {
		const ssize_t n = read(fd, out + used, size - used);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		used += (size_t)n;
	}
	return (ssize_t)used;
}

static int read_path(const char *path, char *out, size_t size)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	const ssize_t n = read_up_to(fd, out, size);
	close(fd);
	if (n < 0)
		return (int)n;
	return (size_t)n == size ? -EFBIG : (int)n;
}

int rs_file_read_text(char *out, size_t size, const char *path_fmt, ...)
{
	char path[PATH_MAX];
	va_list args;
	va_start(args, path_fmt);
	const int wanted = vsnprintf(path, sizeof(path), path_fmt, args);
	va_end(args);
	out[0] = '\0';
	if (wanted < 0 || (size_t)wanted >= sizeof(path))
		return -ENAMETOOLONG;
	int n = read_path(path, out, size);
	if (n < 0) {
		out[0] = '\0';
		return n;
	}
	while (n > 0 && isspace((unsigned char)out[n - 1]))
		n--;
	out[n] = '\0';
	return n;
}

int rs_file_read_all(const char *path, size_t max, char **out, size_t *n_bytes)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	int ret = 0;
	size_t size = 4096;
	size_t used = 0;
	char *buffer = NULL;
	for (;;) {
		char *const grown = realloc(buffer, size + 1);
		if (!grown) {
			ret = -ENOMEM;
			break;
		}
		buffer = grown;
		const ssize_t n = read_up_to(fd, buffer + used, size - used);
		if (n < 0) {
			ret = (int)n;
			break;
		}
		used += (size_t)n;
		if (used > max)
			ret = -EFBIG;
		if (ret || used < size)
			break;
		size *= 2;
	}
	close(fd);
	if (ret) {
		free(buffer);
		return ret;
	}
	buffer[used] = '\0';
	*out = buffer;
	*n_bytes = used;
	return 0;
}
