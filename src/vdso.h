#ifndef SRC_VDSO_H
#define SRC_VDSO_H

#include <stdbool.h>
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
	const char *note;     /* what to know before timing it, a sentence; or NULL */
	uint32_t audit_arch;  /* AUDIT_ARCH_* of its ABI, as seccomp filters see it */
	struct rs_vdso_symbol *symbols; /* functions, in the image's order */
	size_t n_symbols;
	void *storage; /* the copy and the parsed image */
};

/*
 * Finds and reads it. -ENOENT, with the reason in err, where this process has none
 * (vdso=0, user-mode emulators); another negative errno where it cannot be read.
 */
int rs_vdso_open(struct rs_vdso *out, struct rs_err *err);

/*
 * The same for an image at base (0: there is none), whose mapping is a line of the
 * file maps_path, laid out as /proc/self/maps.
 */
int rs_vdso_open_at(struct rs_vdso *out, uintptr_t base, const char *maps_path,
		    struct rs_err *err);

/* Accepts an empty object and leaves it empty. */
void rs_vdso_close(struct rs_vdso *vdso);

/*
 * The symbol of a function such as "clock_gettime": under the ISA's prefix and
 * version first, then under the other known prefixes and any version. NULL: absent.
 */
const struct rs_vdso_symbol *rs_vdso_find(const struct rs_vdso *vdso,
					  const struct rs_isa *isa,
					  const char *function);

/* A symbol's name without its known prefix: "clock_gettime". */
const char *rs_vdso_function_name(const char *symbol);

/*
 * True if the text of /proc/self/timens_offsets names an offset that is not zero: the
 * process is in a time namespace, where the vDSO reads the clocks by another path.
 */
bool rs_vdso_is_offset(const char *timens_offsets);

#endif
