#ifndef SRC_VDSO_H
#define SRC_VDSO_H

#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"
#include "src/base/err.h"

/* One exported function of the live vDSO. Strings live as long as the vDSO object. */
struct rs_vdso_symbol {
	const char *name;    /* "__vdso_clock_gettime" */
	const char *version; /* "LINUX_2.6"; NULL: the image has none */
	uint64_t offset;     /* from the image's first byte, in bytes */
	uint64_t n_bytes;    /* 0: the image does not say */
	const void *address; /* where it can be called in this process */
};

/* The live vDSO of this process, read from a bounded copy. Opaque but for its rows. */
struct rs_vdso {
	const void *base;     /* AT_SYSINFO_EHDR */
	size_t n_bytes;       /* of the mapping that holds it */
	const char *build_id; /* hexadecimal; NULL: none */
	struct rs_vdso_symbol *symbols;
	size_t n_symbols;
	void *storage; /* the copy and the parsed image */
};

/*
 * Finds and reads it. -ENOENT, with the reason in err, where this process has none
 * (vdso=0, user-mode emulators); another negative errno where it cannot be read.
 */
int rs_vdso_open(struct rs_vdso *out, struct rs_err *err);

/* Accepts an empty object and leaves it empty. */
void rs_vdso_close(struct rs_vdso *vdso);

/*
 * The symbol of a function such as "clock_gettime": under the ISA's prefix and
 * version first, then under the other known prefixes and any version. NULL: absent.
 */
const struct rs_vdso_symbol *rs_vdso_find(const struct rs_vdso *vdso,
					  const struct rs_isa *isa,
					  const char *function);

#endif
