#ifndef ARCH_DECODERS_H
#define ARCH_DECODERS_H

/* Private to arch/: the decoders behind the rows, and how they take bits apart. */

#include <endian.h>
#include <string.h>

#include "arch/decode.h"

/*
 * What rows point to: n_bytes is at least the row's min_bytes and insn all zero;
 * targets of 32-bit classes need no wrapping, and insn may be left half written on
 * error.
 */
typedef int rs_decode_fn(const unsigned char *bytes, size_t n_bytes, uint64_t address,
			 struct rs_insn *insn);

rs_decode_fn rs_decode_x86_64;
rs_decode_fn rs_decode_i386;
rs_decode_fn rs_decode_power_le;
rs_decode_fn rs_decode_power_be;
rs_decode_fn rs_decode_a64;
rs_decode_fn rs_decode_rv64;
rs_decode_fn rs_decode_z;

/*
 * The registers that an instruction writes (sets, base and is_load of struct
 * rs_insn). word, half and bits are what the decoders make of the bytes.
 */
void rs_writes_power(uint32_t word, struct rs_insn *insn);
void rs_writes_a64(uint32_t word, struct rs_insn *insn);
void rs_writes_rv32bit(uint32_t word, struct rs_insn *insn);
void rs_writes_rv16bit(uint32_t half, struct rs_insn *insn);
void rs_writes_z(uint64_t bits, struct rs_insn *insn);

static inline uint32_t rs_word_le(const unsigned char *bytes)
{
	uint32_t word;
	memcpy(&word, bytes, sizeof(word));
	return le32toh(word);
}

static inline uint32_t rs_word_be(const unsigned char *bytes)
{
	uint32_t word;
	memcpy(&word, bytes, sizeof(word));
	return be32toh(word);
}

/* n_bits of word from bit lowest, counted from the least significant; n_bits < 32. */
static inline uint32_t rs_bits(uint32_t word, unsigned int lowest, unsigned int n_bits)
{
	return word >> lowest & ((1U << n_bits) - 1);
}

/* value, of n_bits, as a two's complement number that is ready to be added. */
static inline uint64_t rs_sign_extend(uint64_t value, unsigned int n_bits)
{
	const uint64_t sign = UINT64_C(1) << (n_bits - 1);
	return (value ^ sign) - sign;
}

#endif
