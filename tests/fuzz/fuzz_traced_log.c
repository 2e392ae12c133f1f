/*
 * An emulator's log and the image that was run: two bytes say how many bytes of image
 * follow (the low one first), the rest is the log.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/mman.h>

#include "src/trace_sheet.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int open_bytes(const uint8_t *data, size_t size, char path[64])
{
	const int fd = memfd_create("log", MFD_CLOEXEC);
	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, 64, "/proc/self/fd/%d", fd);
	return fd;
}

/* Every mispredict has a site. */
static void check_sums(const struct rs_trace *trace)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < trace->sites.n_sites; i++) {
		for (unsigned int kind = 0; kind < RS_N_TRACE_KIND; kind++)
			sum += trace->sites.sites[i].counts[kind].mispredicts;
	}
	if (sum != trace->totals.mispredicts)
		abort();
}

static void trace(char *log, char *image)
{
	const struct rs_trace_model model = {
	    "fuzz", {.entries = 2, .merge = 1, .exempt = RS_EXEMPT_ISA}};
	char *const images[] = {image, NULL};
	struct rs_traced traced;
	struct rs_sheet sheet;
	struct rs_err err = {.text = ""};
	if (rs_traced_open(&traced, &model.rules, &err))
		abort();
	if (rs_traced_log(&traced, log, images, &err) == 0) {
		check_sums(&traced.trace);
		if (rs_trace_sheet_make(&sheet, &traced, &model, 5, &err))
			abort();
		rs_trace_sheet_free(&sheet);
	} else if (!err.text[0]) {
		abort();
	}
	rs_traced_close(&traced);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char log[64];
	char image[64];
	if (size < 2)
		return 0;
	size_t n_image = data[0] | (size_t)data[1] << 8;
	if (n_image > size - 2)
		n_image = size - 2;
	const int image_fd = open_bytes(data + 2, n_image, image);
	const int log_fd = open_bytes(data + 2 + n_image, size - 2 - n_image, log);
	trace(log, image);
	close(image_fd);
	close(log_fd);
	return 0;
}
