#include "src/placement.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define STRIDE_BYTES   4096 /* placements differ in their offset within this */
#define LINE_BYTES     64
#define NSEC_PER_SEC   1000000000ULL
#define CALIBRATION_NS 1000000ULL

/* An hour is 3.6e12 ns < 2^42, so that its product with mult stays below 2^63. */
#define SHIFT 21

static uint64_t now_ns(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * NSEC_PER_SEC + (uint64_t)now.tv_nsec;
}

/* ns per tick, times 2^SHIFT; 0 where ticks stand still. */
static uint32_t measure_mult(void)
{
	const uint64_t first_ns = now_ns(CLOCK_MONOTONIC_RAW);
	const uint64_t first_ticks = rs_ticks();
	uint64_t last_ns = first_ns;
	while (last_ns - first_ns < CALIBRATION_NS)
		last_ns = now_ns(CLOCK_MONOTONIC_RAW);
	const uint64_t ticks = rs_ticks() - first_ticks;
	if (!ticks)
		return 0;
	const uint64_t mult = ((last_ns - first_ns) << SHIFT) / ticks;
	return mult > UINT32_MAX ? UINT32_MAX : (uint32_t)mult;
}

void rs_datapage_fill(struct rs_datapage *page)
{
	const uint32_t mult = rs_ticks_name() ? measure_mult() : 0;
	const uint64_t ns = now_ns(CLOCK_REALTIME);
	const uint64_t ticks = rs_ticks();
	const uint32_t sequence = __atomic_load_n(&page->sequence, __ATOMIC_RELAXED);
	__atomic_store_n(&page->sequence, sequence | 1, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	page->mult = mult;
	page->shift = SHIFT;
	page->cycle_last = ticks;
	page->shifted_nsec = ns % NSEC_PER_SEC << SHIFT;
	page->sec = ns / NSEC_PER_SEC;
	__atomic_store_n(&page->sequence, (sequence | 1) + 1, __ATOMIC_RELEASE);
}

static size_t round_up(size_t n_bytes, size_t unit)
{
	return (n_bytes + unit - 1) / unit * unit;
}

/* Writes the distance from the copy's data word to the page into the word. */
static void link_datapage(struct rs_placement *placement)
{
	const struct rs_kernel *const kernel = placement->kernel;
	unsigned char *const word =
	    placement->code + (kernel->data_word - kernel->start);
	const int32_t distance = (int32_t)((unsigned char *)placement->datapage - word);
	memcpy(word, &distance, sizeof(distance));
}

static int seal(struct rs_placement *placement, size_t code_bytes, struct rs_err *err)
{
	char *const code = (char *)placement->code;
	__builtin___clear_cache(
	    code, code + (placement->kernel->end - placement->kernel->start));
	if (mprotect(placement->pages, code_bytes, PROT_READ | PROT_EXEC) == 0)
		return 0;
	const int code_errno = errno;
	return rs_err_set(err, -code_errno,
			  "cannot make a copy of a kernel executable: %s; a security "
			  "policy of this system may forbid it (SELinux: execmem)",
			  strerror(code_errno));
}

int rs_placement_make(struct rs_placement *out, const struct rs_kernel *kernel,
		      unsigned int index, unsigned int n_placements, struct rs_err *err)
{
	*out = (struct rs_placement){0};
	if (n_placements < 1 || n_placements > RS_MAX_PLACEMENTS ||
	    index >= n_placements)
		return rs_err_set(err, -EINVAL,
				  "no placement %u of %u: there can be 1 to %d", index,
				  n_placements, RS_MAX_PLACEMENTS);
	const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	const size_t offset =
	    (size_t)index * STRIDE_BYTES / n_placements / LINE_BYTES * LINE_BYTES;
	const size_t kernel_bytes = (size_t)(kernel->end - kernel->start);
	const size_t code_bytes = round_up(offset + kernel_bytes, page_bytes);
	const size_t n_bytes = code_bytes + (kernel->data_word ? page_bytes : 0);
	void *const pages = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (pages == MAP_FAILED) {
		const int code = errno;
		return rs_err_set(err, -code,
				  "cannot map %zu bytes for a copy of a kernel: %s",
				  n_bytes, strerror(code));
	}
	*out = (struct rs_placement){
	    .kernel = kernel,
	    .code = (unsigned char *)pages + offset,
	    .pages = pages,
	    .n_bytes = n_bytes,
	};
	memcpy(out->code, kernel->start, kernel_bytes);
	if (kernel->data_word) {
		out->datapage =
		    (struct rs_datapage *)((unsigned char *)pages + code_bytes);
		rs_datapage_fill(out->datapage);
		link_datapage(out);
	}
	const int code = seal(out, code_bytes, err);
	if (code < 0)
		rs_placement_free(out);
	return code;
}

const void *rs_placement_entry(const struct rs_placement *placement, unsigned int k)
{
	if (k > RS_MAX_FRAMES || !placement->kernel->entry[k])
		return NULL;
	return placement->code +
	       (placement->kernel->entry[k] - placement->kernel->start);
}

void rs_placement_free(struct rs_placement *placement)
{
	if (placement->pages)
		munmap(placement->pages, placement->n_bytes);
	*placement = (struct rs_placement){0};
}
