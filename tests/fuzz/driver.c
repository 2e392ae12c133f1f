#include "tests/fuzz/fuzz.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/file.h"

#define MAX_INPUT_BYTES (1U << 20)
#define MAX_OPEN_DIRS   8

static unsigned int n_inputs;

/* A copy of the exact size, so that a sanitizer sees a read past the end. */
static int feed(const char *path)
{
	char *text = NULL;
	size_t n_bytes = 0;
	const int ret = rs_file_read_all(path, MAX_INPUT_BYTES, &text, &n_bytes);
	if (ret) {
		fprintf(stderr, "cannot read %s: %s\n", path, strerror(-ret));
		return 1;
	}
	uint8_t *const exact = malloc(n_bytes ? n_bytes : 1);
	if (exact) {
		printf("%s\n", path);
		fflush(stdout);
		memcpy(exact, text, n_bytes);
		LLVMFuzzerTestOneInput(exact, n_bytes);
		n_inputs++;
	}
	free(exact);
	free(text);
	return exact ? 0 : 1;
}

static int visit(const char *path, const struct stat *stat, int kind, struct FTW *place)
{
	(void)stat;
	(void)place;
	return kind == FTW_F ? feed(path) : 0;
}

/* Runs the target on every file below the paths given; fails if there is none. */
int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (nftw(argv[i], visit, MAX_OPEN_DIRS, FTW_PHYS)) {
			fprintf(stderr, "cannot walk %s\n", argv[i]);
			return 1;
		}
	}
	printf("%u inputs\n", n_inputs);
	return n_inputs ? 0 : 1;
}
