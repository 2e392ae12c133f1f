#include "arch/advice.h"

#include <string.h>

#define POWER_READ_PC                                                                  \
	"bcl 20,31,.+4, with data moved from behind it, or an address from the TOC "   \
	"or "                                                                          \
	"GOT; addpcis from POWER9 on"
#define POWER_JUMP "mtctr; bctr"
#define POWER_RET  "mtlr; blr"
#define POWER_CALL "mtctr; bctrl"

static const struct rs_advice rows[] = {
    {"x86_64", true, "lea LABEL(%rip), REG", "jmp *REG", "ret", "call *REG"},
    {"i386", true, "call to the next instruction, or a get-pc thunk", "jmp *REG", "ret",
     "call *REG"},
    {"ppc64le", true, POWER_READ_PC, POWER_JUMP, POWER_RET, POWER_CALL},
    {"ppc64", true, POWER_READ_PC, POWER_JUMP, POWER_RET, POWER_CALL},
    {"ppc", true, POWER_READ_PC, POWER_JUMP, POWER_RET, POWER_CALL},
    {"aarch64", false, "adr or adrp", "br through another register", "ret",
     "blr through another register"},
    {"riscv64", true, "auipc", "jr through a register other than ra and t0",
     "ret (jr ra)", "jalr through a register other than ra and t0"},
    {"s390x", false, "larl", "br through a register other than %r14", "br %r14",
     "basr %r14,%rN"},
    {0},
};

const struct rs_advice *rs_advice_of(const struct rs_decoder *decoder)
{
	const struct rs_advice *row = rows;
	while (row[1].isa && strcmp(row->isa, decoder->name) != 0)
		row++;
	return row;
}
