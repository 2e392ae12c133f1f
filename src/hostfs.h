#ifndef SRC_HOSTFS_H
#define SRC_HOSTFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * /proc and /sys below a root that tests may move, so that other machines can be
 * described by a folder. Paths are given as on a real machine: "/proc/stat".
 */

/* Prefix of every path from now on; "" is the real machine. Keeps the pointer. */
void rs_hostfs_set_root(const char *root);

/* As rs_file_read_text. */
int rs_hostfs_text(char *out, size_t size, const char *path_fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The whole of a file of at most 16 MiB, which the caller frees; NULL on any error. */
char *rs_hostfs_all(const char *path);

/* Where a symbolic link points. Returns its length or a negative errno. */
int rs_hostfs_link(char *out, size_t size, const char *path);

/*
 * The value of the first line "KEY : VALUE" of text (blanks around the colon are
 * optional), without surrounding blanks and cut to fit. False when there is none.
 */
bool rs_hostfs_field(const char *text, const char *key, char *out, size_t size);

/* Whether list contains word, between any of the separators. */
bool rs_hostfs_has_word(const char *list, const char *word, const char *separators);

#endif
