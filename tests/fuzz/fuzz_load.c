/* Result files of every kind, and comparing one with itself. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>

#include "src/compare.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void compare_with_itself(const struct rs_loaded *loaded)
{
	const struct rs_loaded files[2] = {*loaded, *loaded};
	const struct rs_compare_request request = {
	    .files = files, .n_files = 2, .threshold_pct = 1};
	struct rs_comparison comparison;
	struct rs_err err;
	if (rs_compare(&comparison, &request, &err))
		return;
	for (size_t i = 0; i < comparison.n_changes; i++) {
		if (comparison.changes[i].is_worse)
			abort();
	}
	rs_comparison_free(&comparison);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[64];
	struct rs_loaded loaded;
	struct rs_err err;
	const int fd = memfd_create("load", MFD_CLOEXEC);
	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (rs_load(&loaded, path, &err) == 0) {
		compare_with_itself(&loaded);
		rs_loaded_free(&loaded);
	} else if (!err.text[0]) {
		abort();
	}
	close(fd);
	return 0;
}
