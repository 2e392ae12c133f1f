#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* What a fuzz target defines: feeds one input to the code under test; returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes);

#endif
