#include "arch/rows.h"

const struct rs_registers rs_registers[] = {{.touch = 0}};
