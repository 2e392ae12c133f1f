#ifndef ARCH_DECODE_H
#define ARCH_DECODE_H

/*
 * Control-flow decoders: what one instruction does to the control flow and, by the
 * published rules of its ISA, to the link stack. All of them are part of every build,
 * so that an image of any ISA can be read anywhere. Part of the door arch/arch.h.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum rs_flow {
	RS_FLOW_OTHER,    /* continues with the next instruction */
	RS_FLOW_PUSH,     /* a call: its return address goes onto the link stack */
	RS_FLOW_EXEMPT,   /* transfers and keeps a return address, but is not pushed */
	RS_FLOW_POP,      /* a return: predicted from the link stack */
	RS_FLOW_POP_PUSH, /* pops its target, then pushes its own return address */
	RS_FLOW_JUMP,     /* to target */
	RS_FLOW_INDIRECT, /* to an address from a register or memory; no pop */
	RS_FLOW_TRAP,     /* made to raise an exception: what follows is not reached */
};

/*
 * Registers of struct rs_insn: none, general register n in the numbering of the ISA,
 * and the other places from which and to which a return address goes.
 */
#define RS_REG_NONE  0
#define RS_REG(n)    ((n) + 1)
#define RS_REG_STACK 65 /* x86: the word at the top of the stack */
#define RS_REG_LR    66 /* powerpc */
#define RS_REG_CTR   67
#define RS_REG_TAR   68

struct rs_insn {
	enum rs_flow flow;
	uint8_t n_bytes;
	bool is_conditional; /* it may also continue with the next instruction */
	bool has_target; /* it goes to target, which no register decides; s390x's exrl,
			  * which is OTHER, executes the instruction there */
	uint64_t target;
	uint8_t through; /* the register with the target; NONE where it is in memory */
	uint8_t link;    /* what receives the address of the next instruction; also set
			  * for s390x's basr r,0, which transfers nowhere */
	/* For a whole-register copy (mflr, mtctr, mov, pop), else both NONE. */
	uint8_t move_from;
	uint8_t move_to;
	/*
	 * What else it writes, as far as a search for return addresses needs it: bit n
	 * is general register n. Not every instruction tells.
	 */
	uint64_t sets;
	uint8_t base; /* what addresses the memory that sets was loaded from, or a
		       * register that it was computed from; NONE: unknown */
	bool is_load; /* sets was loaded from memory */
	/* x86: bytes by which it moves the stack pointer, > 0: frees; LOST: by how
	 * many is not known. Calls and returns move it by what they are. */
	int32_t stack_bytes; /* push of what is no register: < 0, and is_load */
	bool is_from_frame;  /* x86: counted from where the frame's register points */
};

#define RS_STACK_LOST INT32_MIN

struct rs_decoder {
	const char *name;  /* "ppc64le"; NULL ends the table */
	uint16_t machine;  /* EM_*, ELFCLASS* and ELFDATA* of images that it reads */
	uint8_t elf_class; /* 32-bit classes wrap targets at 4 GiB */
	uint8_t elf_data;
	uint8_t min_bytes;  /* the least length and alignment of an instruction: how far
			     * to go on where decode fails */
	uint8_t link;       /* where a call leaves its return address by convention */
	uint8_t other_link; /* where some calls leave it instead; NONE: nowhere */
	uint8_t stack;      /* the stack pointer */
	uint8_t frame;      /* the register that points to the frame where one does */
	/* Called by rs_decode only, which sees to the lengths and to insn. */
	int (*decode)(const unsigned char *bytes, size_t n_bytes, uint64_t address,
		      struct rs_insn *insn);
};

/* All decoders. */
const struct rs_decoder *rs_decoders(void);

/* The decoder of that name, "ppc64le"; NULL: none. */
const struct rs_decoder *rs_decoder_find(const char *name);

/* The decoder of images with these EM_*, ELFCLASS* and ELFDATA*; NULL: none. */
const struct rs_decoder *rs_decoder_of_elf(uint16_t machine, uint8_t elf_class,
					   uint8_t elf_data);

/*
 * Decodes the instruction at bytes, which runs at address, reading no more than n_bytes
 * bytes. Returns 0; -EINVAL, with insn all zero, when the bytes end within it or are no
 * instruction; -ENOTSUP for x86 in a build without Zydis. Where the encoding tells the
 * length (all but x86), only as much is checked as tells transfers of control from the
 * rest.
 */
int rs_decode(const struct rs_decoder *decoder, const unsigned char *bytes,
	      size_t n_bytes, uint64_t address, struct rs_insn *insn);

#endif
