#ifndef SRC_BASE_FILE_H
#define SRC_BASE_FILE_H

#include <stddef.h>
#include <stdio.h>

/*
 * Reads at most size - 1 bytes of a small text file (sysfs, procfs), ends them with
 * a NUL and strips trailing white space. Returns the length or a negative errno;
 * -EFBIG when the file is longer.
 */
int rs_file_read_text(char *out, size_t size, const char *path_fmt, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * Reads a whole file of at most max bytes into *out, which the caller frees; a NUL
 * follows the last byte. Returns 0 or a negative errno; -EFBIG when it is longer.
 */
int rs_file_read_all(const char *path, size_t max, char **out, size_t *n_bytes);

#endif
