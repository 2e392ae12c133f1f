#ifndef SRC_AUDIT_H
#define SRC_AUDIT_H

/*
 * Which instructions of an image, or of raw code, unbalance the link stack; see
 * docs/method.md for what is looked for and how.
 */

#include <stddef.h>
#include <stdint.h>

#include "src/base/err.h"
#include "src/entries.h"
#include "src/findings.h"
#include "src/image.h"

struct rs_audit {
	const struct rs_decoder *decoder;
	struct rs_image image;       /* empty for raw code */
	struct rs_entries entries;   /* likewise */
	struct rs_findings findings; /* by address */
	size_t n_functions;
	uint64_t function_bytes; /* in functions; all of raw code */
	uint64_t decoded_bytes;  /* of these, part of an instruction */
	uint64_t other_bytes;    /* of code that is in no function, and was not read */
};

/*
 * Audits an image of n_bytes, which it copies. name is what error sentences call it.
 * Returns 0; -ENOEXEC for what is no ELF image; -EOPNOTSUPP for one of an ISA that has
 * no decoder; -ENOMEM.
 */
int rs_audit_image(struct rs_audit *out, const char *name, const void *bytes,
		   size_t n_bytes, struct rs_err *err);

/* Audits bytes as code that runs at base. Returns 0 or -ENOMEM. */
int rs_audit_raw(struct rs_audit *out, const struct rs_decoder *decoder,
		 const void *bytes, size_t n_bytes, uint64_t base, struct rs_err *err);

/* How many there are of a grade. */
size_t rs_audit_count(const struct rs_audit *audit, enum rs_grade grade);

/* Accepts an empty object and leaves it empty. */
void rs_audit_close(struct rs_audit *audit);

#endif
