/*
 * Are the counts in a foreign ISA's rows those of what an emulator executes?
 * count_rows ROWS CODE LOG IMAGE: ROWS and CODE are what each_row printed and wrote,
 * LOG what qemu logged of it, IMAGE each_row itself.
 */

#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/audit.h"
#include "src/base/file.h"
#include "src/exec_log.h"
#include "src/image.h"
#include "src/tally.h"

#define ADDED     3 /* iterations, of each_row's second call over its first */
#define N_COUNTS  5
#define MAX_BYTES (256 << 20)

/* In the order of the row's counts. */
static const char *const count_names[N_COUNTS] = {
    "instructions", "branches", "pushes", "pops", "exempt calls",
};

struct row {
	char name[64];
	unsigned int frames;
	uint64_t entry;
	uint64_t start;
	uint64_t n_bytes;
	int has_target;
	int64_t counts[N_COUNTS];
	const unsigned char *code;
	unsigned int n_entered;
	struct rs_tally tallies[2]; /* of the first and the second call */
};

struct rows {
	struct row *rows;
	size_t n_rows;
	char *code;
};

__attribute__((format(printf, 1, 2), noreturn)) static void die(const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	exit(2);
}

static void parse_row(struct row *row, const char *line)
{
	*row = (struct row){.name = ""};
	const int n =
	    sscanf(line,
		   "%63s %u %" SCNx64 " %" SCNx64 " %" SCNu64 " %d %" SCNd64 " %" SCNd64
		   " %" SCNd64 " %" SCNd64 " %" SCNd64,
		   row->name, &row->frames, &row->entry, &row->start, &row->n_bytes,
		   &row->has_target, &row->counts[0], &row->counts[1], &row->counts[2],
		   &row->counts[3], &row->counts[4]);
	if (n != 11)
		die("not a row: %s", line);
}

static void read_code(struct rows *rows, const char *path)
{
	size_t n_bytes = 0;
	size_t used = 0;
	if (rs_file_read_all(path, MAX_BYTES, &rows->code, &n_bytes))
		die("cannot read %s", path);
	for (size_t i = 0; i < rows->n_rows; i++) {
		struct row *const row = &rows->rows[i];
		if (row->n_bytes > n_bytes - used)
			die("%s ends within %s", path, row->name);
		row->code = (unsigned char *)rows->code + used;
		used += (size_t)row->n_bytes;
	}
}

static void read_rows(struct rows *rows, const char *path)
{
	char line[512];
	FILE *const file = fopen(path, "r");
	if (!file)
		die("cannot open %s: %s", path, strerror(errno));
	while (fgets(line, sizeof(line), file)) {
		struct row *const grown =
		    reallocarray(rows->rows, rows->n_rows + 1, sizeof(*grown));
		if (!grown)
			die("no memory for the rows");
		rows->rows = grown;
		parse_row(&grown[rows->n_rows++], line);
	}
	fclose(file);
	if (rows->n_rows == 0)
		die("%s has no rows", path);
}

static const struct rs_decoder *decoder_of(const struct rs_image *image)
{
	const struct rs_decoder *const decoder = rs_decoder_of_elf(
	    image->machine, image->bits == 64 ? ELFCLASS64 : ELFCLASS32,
	    image->is_big_endian ? ELFDATA2MSB : ELFDATA2LSB);
	if (!decoder)
		die("no decoder knows machine %u", image->machine);
	return decoder;
}

static const struct rs_decoder *find_decoder(const char *path)
{
	struct rs_err err;
	struct rs_image image;
	char *bytes = NULL;
	size_t n_bytes = 0;
	if (rs_file_read_all(path, MAX_BYTES, &bytes, &n_bytes))
		die("cannot read %s", path);
	if (rs_image_adopt(&image, path, bytes, n_bytes, &err))
		die("%s", err.text);
	const struct rs_decoder *const decoder = decoder_of(&image);
	rs_image_close(&image);
	return decoder;
}

/* Adds the instruction at address, which next_address followed, if the row has it. */
static void count_step(struct row *row, const struct rs_decoder *decoder,
		       uint64_t address, uint64_t next_address)
{
	struct rs_insn insn;
	const uint64_t offset = address - row->start;
	if (row->n_entered == 0 || row->n_entered > 2 || address < row->start ||
	    offset >= row->n_bytes)
		return;
	if (rs_decode(decoder, row->code + offset, (size_t)(row->n_bytes - offset),
		      address, &insn))
		die("%s: what runs at offset %" PRIu64 " is no instruction", row->name,
		    offset);
	rs_tally_add(&row->tallies[row->n_entered - 1], &insn,
		     next_address != address + insn.n_bytes);
}

/* The rows are entered one after another, each of them twice. */
static void count_log(struct rows *rows, const struct rs_decoder *decoder,
		      const char *path)
{
	struct rs_exec_log log;
	struct rs_err err;
	struct rs_exec_step step = {.cpu = 0};
	struct rs_exec_step next;
	struct row *row = rows->rows;
	const struct row *const last = row + rows->n_rows - 1;
	if (rs_exec_log_open(&log, path, decoder->machine, &err))
		die("%s", err.text);
	int ret = 0;
	while ((ret = rs_exec_log_next(&log, &next, &err)) > 0) {
		count_step(row, decoder, step.address, next.address);
		if (row != last && next.address == row[1].entry)
			row++;
		row->n_entered += next.address == row->entry;
		step = next;
	}
	if (ret < 0)
		die("%s", err.text);
	rs_exec_log_close(&log);
}

/* What one call added to the other, in the order of the names. */
static void executed(const struct row *row, int64_t out[N_COUNTS])
{
	const struct rs_tally *const less = &row->tallies[0];
	const struct rs_tally *const more = &row->tallies[1];
	out[0] = (int64_t)(more->instructions - less->instructions);
	out[1] = (int64_t)(more->branches - less->branches);
	out[2] = (int64_t)(more->pushes - less->pushes);
	out[3] = (int64_t)(more->pops - less->pops);
	out[4] = (int64_t)(more->exempt - less->exempt);
}

static bool check(const struct row *row)
{
	int64_t counts[N_COUNTS];
	bool is_right = true;
	if (row->n_entered != 2) {
		printf("%s below %u frames: entered %u times, not twice\n", row->name,
		       row->frames, row->n_entered);
		return false;
	}
	executed(row, counts);
	for (size_t i = 0; i < N_COUNTS; i++) {
		/* The target's return is in the row, but outside of the kernel. */
		const bool is_return = strcmp(count_names[i], "pops") == 0;
		const int64_t wanted =
		    ADDED * (row->counts[i] - (is_return && row->has_target));
		if (counts[i] == wanted)
			continue;
		printf("%s below %u frames: %" PRId64 " %s in %d iterations, the row "
		       "says %" PRId64 "\n",
		       row->name, row->frames, counts[i], count_names[i], ADDED,
		       wanted);
		is_right = false;
	}
	return is_right;
}

/*
 * Is something in the row's code to be found? Where it does not pop as often as it
 * pushes, but for what no reading of code shows: without symbols, where a graph tracer
 * has functions return to is code that nothing leads to; and that a signal handler is
 * entered by the kernel, without a call, so that its return is one too many and its
 * jump none too few. In the code of two balanced chains lies the entry of `lost`.
 */
static bool is_to_be_found(const struct row *row)
{
	if (strcmp(row->name, "graph") == 0 || strcmp(row->name, "return") == 0)
		return false;
	return row->counts[2] != row->counts[3] || strcmp(row->name, "jump") == 0 ||
	       strcmp(row->name, "random") == 0 || strcmp(row->name, "fixed") == 0;
}

static bool check_audit(const struct row *row, const struct rs_decoder *decoder)
{
	struct rs_audit audit;
	struct rs_err err;
	if (rs_audit_raw(&audit, decoder, row->code, (size_t)row->n_bytes, row->start,
			 &err))
		die("%s", err.text);
	const size_t n_found = rs_audit_count(&audit, RS_GRADE_FINDING);
	rs_audit_close(&audit);
	if ((n_found > 0) == is_to_be_found(row))
		return true;
	printf("%s below %u frames: the audit finds %zu in a row of %" PRId64
	       " pushes and %" PRId64 " pops\n",
	       row->name, row->frames, n_found, row->counts[2], row->counts[3]);
	return false;
}

int main(int argc, char **argv)
{
	if (argc != 5)
		die("usage: count_rows ROWS CODE LOG IMAGE");
	struct rows rows = {.rows = NULL};
	size_t n_wrong = 0;
	const struct rs_decoder *const decoder = find_decoder(argv[4]);
	read_rows(&rows, argv[1]);
	read_code(&rows, argv[2]);
	count_log(&rows, decoder, argv[3]);
	for (size_t i = 0; i < rows.n_rows; i++) {
		n_wrong += !check(&rows.rows[i]);
		n_wrong += !check_audit(&rows.rows[i], decoder);
	}
	if (n_wrong == 0)
		printf("%zu kernels and depths: counts as executed\n", rows.n_rows);
	free(rows.rows);
	free(rows.code);
	return n_wrong > 0;
}
