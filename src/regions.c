#include "src/regions.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/tracee.h"

#define MAX_VDSO_BYTES (1U << 20)

int rs_regions_add(struct rs_regions *regions, const struct rs_region *region)
{
	struct rs_region *const grown =
	    reallocarray(regions->rows, regions->n_rows + 1, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	regions->rows = grown;
	size_t at = regions->n_rows++;
	for (; at > 0 && grown[at - 1].start > region->start; at--)
		grown[at] = grown[at - 1];
	grown[at] = *region;
	return 0;
}

void rs_regions_free(struct rs_regions *regions)
{
	free(regions->rows);
	*regions = (struct rs_regions){.rows = NULL};
}

const struct rs_region *rs_regions_find(const struct rs_regions *regions,
					uint64_t address)
{
	size_t low = 0;
	size_t high = regions->n_rows;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (regions->rows[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == regions->n_rows || regions->rows[low].start > address)
		return NULL;
	return &regions->rows[low];
}

/* The kernel's own code in the process, which is in no file: "[vdso]". */
static uint32_t find_named(const struct rs_region *region, const char *name, pid_t pid,
			   struct rs_traced_images *images)
{
	const uint64_t n_bytes = region->end - region->start;
	uint32_t image = RS_TRACED_ANONYMOUS;
	void *const bytes = n_bytes <= MAX_VDSO_BYTES ? malloc(n_bytes) : NULL;
	if (!bytes)
		return image;
	const size_t n = rs_tracee_read(pid, region->start, bytes, n_bytes);
	if (n)
		image = rs_traced_images_find(images, name, bytes, n);
	free(bytes);
	return image;
}

/* Offsets of what is in no image are addresses; the stack and heap are no images. */
static void choose_image(struct rs_region *region, const char *name, pid_t pid,
			 struct rs_traced_images *images)
{
	if (name[0] == '/')
		region->image = rs_traced_images_find(images, name, NULL, 0);
	else if (strcmp(name, "[vdso]") == 0)
		region->image = find_named(region, name, pid, images);
	if (region->image == RS_TRACED_ANONYMOUS)
		region->offset = region->start;
}

/* "START-END rwxp OFFSET MAJOR:MINOR INODE   NAME" */
static int take_line(struct rs_regions *regions, char *line, pid_t pid,
		     struct rs_traced_images *images)
{
	struct rs_region region = {.image = RS_TRACED_ANONYMOUS};
	char rights[5] = "";
	int name_at = 0;
	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %*s %n",
		   &region.start, &region.end, rights, &region.offset, &name_at) < 4)
		return -EBADMSG;
	if (rights[2] != 'x')
		return 0;
	choose_image(&region, line + name_at, pid, images);
	return rs_regions_add(regions, &region);
}

int rs_regions_read(struct rs_regions *out, pid_t pid, struct rs_traced_images *images)
{
	char path[64];
	char *line = NULL;
	size_t line_bytes = 0;
	int ret = 0;
	rs_regions_free(out);
	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	FILE *const file = fopen(path, "re");
	if (!file)
		return -errno;
	while (!ret && getline(&line, &line_bytes, file) > 0)
		ret = take_line(out, line, pid, images);
	free(line);
	fclose(file);
	if (ret)
		rs_regions_free(out);
	return ret;
}
