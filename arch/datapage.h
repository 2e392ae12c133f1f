#ifndef ARCH_DATAPAGE_H
#define ARCH_DATAPAGE_H

/*
 * Where the members of struct rs_datapage are, in bytes from its start, for the
 * assembly that reads them.
 */
#define RS_DATAPAGE_SEQUENCE     0
#define RS_DATAPAGE_MULT         4
#define RS_DATAPAGE_SHIFT        8
#define RS_DATAPAGE_CYCLE_LAST   16
#define RS_DATAPAGE_SHIFTED_NSEC 24
#define RS_DATAPAGE_SEC          32

#ifndef __ASSEMBLER__

#include "arch/arch.h"

#define RS_DATAPAGE_HAS(member, offset)                                                \
	_Static_assert(offsetof(struct rs_datapage, member) == (offset),               \
		       #member " is not where the assembly reads it")

RS_DATAPAGE_HAS(sequence, RS_DATAPAGE_SEQUENCE);
RS_DATAPAGE_HAS(mult, RS_DATAPAGE_MULT);
RS_DATAPAGE_HAS(shift, RS_DATAPAGE_SHIFT);
RS_DATAPAGE_HAS(cycle_last, RS_DATAPAGE_CYCLE_LAST);
RS_DATAPAGE_HAS(shifted_nsec, RS_DATAPAGE_SHIFTED_NSEC);
RS_DATAPAGE_HAS(sec, RS_DATAPAGE_SEC);

#endif

#endif
