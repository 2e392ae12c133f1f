#include "arch/decode.h"

#include <elf.h>
#include <errno.h>
#include <string.h>

#include "arch/decoders.h"

static const struct rs_decoder decoders[] = {
    {.name = "x86_64",
     .machine = EM_X86_64,
     .elf_class = ELFCLASS64,
     .elf_data = ELFDATA2LSB,
     .min_bytes = 1,
     .link = RS_REG_STACK,
     .stack = RS_REG(4),
     .frame = RS_REG(5),
     .decode = rs_decode_x86_64},
    {.name = "i386",
     .machine = EM_386,
     .elf_class = ELFCLASS32,
     .elf_data = ELFDATA2LSB,
     .min_bytes = 1,
     .link = RS_REG_STACK,
     .stack = RS_REG(4),
     .frame = RS_REG(5),
     .decode = rs_decode_i386},
    {.name = "ppc64le",
     .machine = EM_PPC64,
     .elf_class = ELFCLASS64,
     .elf_data = ELFDATA2LSB,
     .min_bytes = 4,
     .link = RS_REG_LR,
     .stack = RS_REG(1),
     .frame = RS_REG(31),
     .decode = rs_decode_power_le},
    {.name = "ppc64",
     .machine = EM_PPC64,
     .elf_class = ELFCLASS64,
     .elf_data = ELFDATA2MSB,
     .min_bytes = 4,
     .link = RS_REG_LR,
     .stack = RS_REG(1),
     .frame = RS_REG(31),
     .decode = rs_decode_power_be},
    {.name = "ppc",
     .machine = EM_PPC,
     .elf_class = ELFCLASS32,
     .elf_data = ELFDATA2MSB,
     .min_bytes = 4,
     .link = RS_REG_LR,
     .stack = RS_REG(1),
     .frame = RS_REG(31),
     .decode = rs_decode_power_be},
    {.name = "aarch64",
     .machine = EM_AARCH64,
     .elf_class = ELFCLASS64,
     .elf_data = ELFDATA2LSB,
     .min_bytes = 4,
     .link = RS_REG(30),
     .stack = RS_REG(31),
     .frame = RS_REG(29),
     .decode = rs_decode_a64},
    {.name = "riscv64",
     .machine = EM_RISCV,
     .elf_class = ELFCLASS64,
     .elf_data = ELFDATA2LSB,
     .min_bytes = 2,
     .link = RS_REG(1),
     .other_link = RS_REG(5),
     .stack = RS_REG(2),
     .frame = RS_REG(8),
     .decode = rs_decode_rv64},
    {.name = "s390x",
     .machine = EM_S390,
     .elf_class = ELFCLASS64,
     .elf_data = ELFDATA2MSB,
     .min_bytes = 2,
     .link = RS_REG(14),
     .stack = RS_REG(15),
     .frame = RS_REG(11),
     .decode = rs_decode_z},
    {0},
};

const struct rs_decoder *rs_decoders(void)
{
	return decoders;
}

const struct rs_decoder *rs_decoder_find(const char *name)
{
	for (const struct rs_decoder *row = decoders; row->name; row++) {
		if (strcmp(row->name, name) == 0)
			return row;
	}
	return NULL;
}

const struct rs_decoder *rs_decoder_of_elf(uint16_t machine, uint8_t elf_class,
					   uint8_t elf_data)
{
	for (const struct rs_decoder *row = decoders; row->name; row++) {
		if (row->machine == machine && row->elf_class == elf_class &&
		    row->elf_data == elf_data)
			return row;
	}
	return NULL;
}

int rs_decode(const struct rs_decoder *decoder, const unsigned char *bytes,
	      size_t n_bytes, uint64_t address, struct rs_insn *insn)
{
	*insn = (struct rs_insn){0};
	if (n_bytes < decoder->min_bytes)
		return -EINVAL;
	const int ret = decoder->decode(bytes, n_bytes, address, insn);
	if (ret)
		*insn = (struct rs_insn){0};
	else if (decoder->elf_class == ELFCLASS32)
		insn->target = (uint32_t)insn->target;
	return ret;
}
