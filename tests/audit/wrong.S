#include "tests/audit/cases.inc"

/* Wrong on purpose: what is wanted is not there, and what is there is not wanted. */

FN(innocent)
WANT(return_by_jump)
	ret
END(innocent)

FN(guilty)
	push %rax
	ret
END(guilty)
