#ifndef TESTS_UNIT_HEX_H
#define TESTS_UNIT_HEX_H

/* Code in the rows of tests, for those that include this. */

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "arch/decode.h"

static const struct rs_decoder *find_decoder(const char *name)
{
	const struct rs_decoder *const found = rs_decoder_find(name);
	if (!found)
		fail_msg("there is no decoder '%s'", name);
	return found;
}

static void reverse(unsigned char *bytes, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		const unsigned char swapped = bytes[i];
		bytes[i] = bytes[n - 1 - i];
		bytes[n - 1 - i] = swapped;
	}
}

/*
 * Groups of hex digits as the manual writes them, most significant first, into at most
 * max bytes; in memory each group is reversed where the ISA is little-endian, but for
 * those that are sequences of bytes. Returns how many bytes they are.
 */
static size_t bytes_of_hex(const struct rs_decoder *decoder, const char *hex,
			   unsigned char *bytes, size_t max)
{
	const bool swaps = decoder->elf_data == ELFDATA2LSB && decoder->min_bytes > 1;
	size_t n = 0;
	size_t group = 0;
	while (*hex) {
		const char digits[3] = {hex[0], hex[1], '\0'};
		assert_true(n < max);
		bytes[n++] = (unsigned char)strtoul(digits, NULL, 16);
		hex += 2;
		if (*hex && *hex != ' ')
			continue;
		if (swaps)
			reverse(bytes + group, n - group);
		group = n;
		hex += *hex == ' ';
	}
	return n;
}

#endif
