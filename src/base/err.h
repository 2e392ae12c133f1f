#ifndef SRC_BASE_ERR_H
#define SRC_BASE_ERR_H

/*
 * One sentence for a person: what failed, where, why, what to do. Whoever knows the
 * name of the thing writes it; callers above pass the code on unchanged.
 */
struct rs_err {
	char text[1024];
};

/*
 * Writes the sentence (truncated to fit) and returns code, a negative errno, so that
 * a function can say `return rs_err_set(err, -ENOENT, "...")`.
 */
int rs_err_set(struct rs_err *err, int code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The symbolic name of a positive errno, such as "ENOENT"; "errno N" if unknown. */
const char *rs_err_name(int errnum);

#endif
