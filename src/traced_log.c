#include "src/traced.h"

#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/file.h"
#include "src/base/text.h"
#include "src/exec_log.h"
#include "src/image.h"
#include "src/regions.h"
#include "src/tally.h"

#define MAX_FILE_BYTES 0x7fffffffU
#define MAX_THREADS    4096U

/* One of the given images. */
struct given {
	char *path;
	struct rs_image image;
	uint32_t row;  /* in the table of images */
	uint64_t base; /* where its address 0 was */
	bool has_base;
};

/* A thread, and the instruction that its next line follows. */
struct thread {
	struct rs_trace_thread trace;
	struct rs_insn insn;
	uint64_t address;
	bool has_address;
};

struct reading {
	struct rs_traced *traced;
	const struct rs_decoder *decoder;
	struct given *given;
	size_t n_given;
	struct rs_regions regions; /* image is an index of given */
	struct thread **threads;   /* by the emulator's number; NULL: not seen yet */
	size_t n_threads;
	struct rs_err *err;
};

static const struct rs_decoder *decoder_of(const struct rs_image *image)
{
	return rs_decoder_of_elf(image->machine,
				 image->bits == 64 ? ELFCLASS64 : ELFCLASS32,
				 image->is_big_endian ? ELFDATA2MSB : ELFDATA2LSB);
}

/* "FILE@BASE"; what follows the last @ is part of the name where it is no number. */
static int split(struct given *given, const char *text)
{
	given->path = strdup(text);
	if (!given->path)
		return -ENOMEM;
	char *const at = strrchr(given->path, '@');
	given->has_base = at && !rs_text_u64(at + 1, 0, UINT64_MAX, &given->base);
	if (given->has_base)
		*at = '\0';
	return 0;
}

static int read_image(struct given *given, struct rs_err *err)
{
	char *bytes = NULL;
	size_t n_bytes = 0;
	const int ret = rs_file_read_all(given->path, MAX_FILE_BYTES, &bytes, &n_bytes);
	if (ret)
		return rs_err_set(err, ret, "cannot read the image '%s': %s",
				  given->path, strerror(-ret));
	return rs_image_adopt(&given->image, given->path, bytes, n_bytes, err);
}

static int check_machine(struct reading *reading, const struct given *given)
{
	const struct rs_decoder *const decoder = decoder_of(&given->image);
	if (!decoder)
		return rs_err_set(reading->err, -ENOTSUP,
				  "'%s' is for a machine (%u) that is not known",
				  given->path, given->image.machine);
	if (reading->decoder && reading->decoder != decoder)
		return rs_err_set(reading->err, -EINVAL,
				  "'%s' is for %s, and '%s' for %s", given->path,
				  decoder->name, reading->given[0].path,
				  reading->decoder->name);
	reading->decoder = decoder;
	return 0;
}

static int take_image(struct reading *reading, const char *text)
{
	struct given *const grown =
	    reallocarray(reading->given, reading->n_given + 1, sizeof(*reading->given));
	if (!grown)
		return rs_err_set(reading->err, -ENOMEM, "no memory for the images");
	reading->given = grown;
	struct given *const given = &grown[reading->n_given++];
	*given = (struct given){.path = NULL};
	if (split(given, text))
		return rs_err_set(reading->err, -ENOMEM, "no memory for a path");
	const int ret = read_image(given, reading->err);
	if (ret)
		return ret;
	given->row =
	    rs_traced_images_find(&reading->traced->images, given->path, NULL, 0);
	return check_machine(reading, given);
}

static bool has_interpreter(const struct rs_image *image)
{
	for (size_t i = 0; i < image->n_segments; i++) {
		if (image->segments[i].type == PT_INTERP)
			return true;
	}
	return false;
}

/* Where an image was, told by its kind or by where the program began. */
static int find_base(struct reading *reading, size_t index, uint64_t first)
{
	struct given *const given = &reading->given[index];
	const struct rs_image *const image = &given->image;
	if (given->has_base || image->type == ET_EXEC)
		return 0;
	if (index == 0 && !has_interpreter(image) &&
	    (first - image->entry) % 4096 == 0) {
		given->base = first - image->entry;
		return 0;
	}
	return rs_err_set(reading->err, -EINVAL,
			  "where '%s' was mapped is not known: write '%s@BASE'; "
			  "qemu-user logs the mappings with -d page",
			  given->path, given->path);
}

static int add_segment(struct reading *reading, size_t index,
		       const struct rs_image_segment *segment)
{
	const struct given *const given = &reading->given[index];
	const uint64_t start = given->base + segment->address;
	const struct rs_region region = {
	    .start = start,
	    .end = start + segment->file_bytes,
	    .offset = segment->offset,
	    .image = (uint32_t)index,
	};
	if (segment->type != PT_LOAD || !(segment->flags & PF_X) ||
	    region.end <= region.start ||
	    !rs_image_holds(&given->image, segment->offset, segment->file_bytes))
		return 0;
	for (uint64_t at = region.start; at < region.end;) {
		const struct rs_region *const other =
		    rs_regions_find(&reading->regions, at);
		if (other)
			return rs_err_set(reading->err, -EINVAL,
					  "'%s' and '%s' were not both at %#" PRIx64,
					  given->path,
					  reading->given[other->image].path, at);
		at += 4096 < region.end - at ? 4096 : region.end - at;
	}
	if (rs_regions_add(&reading->regions, &region))
		return rs_err_set(reading->err, -ENOMEM, "no memory for an image");
	return 0;
}

static int map_images(struct reading *reading, uint64_t first)
{
	int ret = 0;
	for (size_t i = 0; i < reading->n_given && !ret; i++) {
		const struct rs_image *const image = &reading->given[i].image;
		ret = find_base(reading, i, first);
		for (size_t k = 0; k < image->n_segments && !ret; k++)
			ret = add_segment(reading, i, &image->segments[k]);
	}
	return ret;
}

static int begin_thread(struct reading *reading, unsigned int number)
{
	if (number >= MAX_THREADS)
		return rs_err_set(reading->err, -E2BIG,
				  "the log has thread %u; at most %u", number,
				  MAX_THREADS - 1);
	struct thread *const thread = calloc(1, sizeof(*thread));
	if (!thread)
		return rs_err_set(reading->err, -ENOMEM, "no memory for a thread");
	const int ret =
	    rs_trace_begin(&reading->traced->trace, &thread->trace, reading->err);
	if (ret) {
		free(thread);
		return ret;
	}
	if (number >= reading->n_threads)
		reading->n_threads = number + 1;
	reading->threads[number] = thread;
	return 0;
}

/* The file's bytes of an address; NULL: none of the images has it. */
static const unsigned char *bytes_at(const struct reading *reading, uint64_t address,
				     size_t *n_left)
{
	const struct rs_region *const region =
	    rs_regions_find(&reading->regions, address);
	if (!region)
		return NULL;
	const struct rs_image *const image = &reading->given[region->image].image;
	*n_left = (size_t)(region->end - address);
	return image->bytes + region->offset + (address - region->start);
}

static bool is_gap(const struct thread *thread, uint64_t next)
{
	return thread->insn.flow == RS_FLOW_OTHER && thread->insn.n_bytes &&
	       next != thread->address + thread->insn.n_bytes;
}

/* What the thread was about to execute is done: it went to next. */
static int finish_step(struct reading *reading, struct thread *thread, uint64_t next)
{
	struct rs_trace_step step = {
	    .insn = &thread->insn,
	    .is_decoded = thread->insn.n_bytes > 0,
	    .is_in_memory = reading->decoder->link == RS_REG_STACK,
	    .address = thread->address,
	    .next = next,
	    .image = RS_TRACED_ANONYMOUS,
	    .offset = thread->address,
	};
	if (!thread->has_address ||
	    rs_insn_is_unfinished(&thread->insn, thread->address, next))
		return 0;
	const struct rs_region *const region =
	    rs_regions_find(&reading->regions, thread->address);
	reading->traced->n_outside += !region;
	reading->traced->n_gaps += is_gap(thread, next);
	if (region) {
		step.image = reading->given[region->image].row;
		step.offset = thread->address - region->start + region->offset;
	}
	return rs_trace_step(&thread->trace, &step, reading->err);
}

static int take_step(struct reading *reading, const struct rs_exec_step *step)
{
	size_t n_left = 0;
	int ret = 0;
	if (step->cpu >= reading->n_threads || !reading->threads[step->cpu])
		ret = begin_thread(reading, step->cpu);
	if (ret)
		return ret;
	struct thread *const thread = reading->threads[step->cpu];
	ret = finish_step(reading, thread, step->address);
	const unsigned char *const bytes = bytes_at(reading, step->address, &n_left);
	thread->address = step->address;
	thread->has_address = true;
	if (!bytes ||
	    rs_decode(reading->decoder, bytes, n_left, step->address, &thread->insn))
		thread->insn = (struct rs_insn){.n_bytes = 0};
	return ret;
}

/* Signals make a gap each; a log of blocks has one at the end of most lines. */
static int check_gaps(const struct reading *reading, const char *path)
{
	const uint64_t n_gaps = reading->traced->n_gaps;
	const uint64_t n = reading->traced->trace.totals.instructions;
	if (n_gaps * 20 <= n)
		return 0;
	return rs_err_set(reading->err, -EBADMSG,
			  "'%s' leaves something out at %" PRIu64 " of %" PRIu64
			  " places: it was written without -singlestep or without "
			  "-d nochain, or the image is another one",
			  path, n_gaps, n);
}

static int read_log(struct reading *reading, const char *path)
{
	struct rs_exec_log log;
	struct rs_exec_step step;
	int ret = rs_exec_log_open(&log, path, reading->decoder->machine, reading->err);
	while (!ret && (ret = rs_exec_log_next(&log, &step, reading->err)) > 0) {
		ret = log.n_steps == 1 ? map_images(reading, step.address) : 0;
		if (!ret)
			ret = take_step(reading, &step);
	}
	if (log.is_cut)
		reading->traced->stopped = "the log ends within a line";
	rs_exec_log_close(&log);
	return ret;
}

static void close_reading(struct reading *reading)
{
	for (size_t i = 0; i < reading->n_given; i++) {
		rs_image_close(&reading->given[i].image);
		free(reading->given[i].path);
	}
	for (size_t i = 0; i < reading->n_threads; i++) {
		if (reading->threads[i])
			rs_trace_end(&reading->threads[i]->trace);
		free(reading->threads[i]);
	}
	free(reading->given);
	free(reading->threads);
	rs_regions_free(&reading->regions);
}

int rs_traced_log(struct rs_traced *traced, const char *log, char *const *images,
		  struct rs_err *err)
{
	struct reading reading = {.traced = traced, .err = err};
	int ret = 0;
	reading.threads = calloc(MAX_THREADS, sizeof(struct thread *));
	if (!reading.threads)
		return rs_err_set(err, -ENOMEM, "no memory for the threads");
	for (; *images && !ret; images++)
		ret = take_image(&reading, *images);
	if (!ret)
		ret = read_log(&reading, log);
	if (!ret)
		ret = check_gaps(&reading, log);
	traced->n_processes = 1;
	close_reading(&reading);
	return ret;
}
