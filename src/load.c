#include "src/load.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/load_parts.h"

#define MAX_SPARSITY 256 /* cells of the index of slots for one repetition */

/* One kind of file, by how its first line begins or what it names. */
struct kind {
	const char *name;
	int (*read)(struct rs_loading *, FILE *, const char *name, struct rs_err *);
};

static const struct kind csv_dump = {"CSV dump", rs_load_csv};
static const struct kind perf_csv = {"perf stat", rs_load_perf_csv};
static const struct kind json = {"JSON", rs_load_json};

/* What perf stat writes has no header; ours names its columns. */
static const struct kind *kind_of(FILE *file)
{
	char line[256];
	const struct kind *found = &csv_dump;
	while (fgets(line, sizeof(line), file)) {
		const char *const at = line + strspn(line, " \t\r\n");
		if (*at == '#' || !*at)
			continue;
		if (*at == '{' || *at == '[')
			found = &json;
		else if (isdigit((unsigned char)*at) || *at == '<' || *at == '-')
			found = &perf_csv;
		break;
	}
	rewind(file);
	return found;
}

/* Kinds are told by looking ahead, which a pipe does not allow. */
static FILE *make_seekable(FILE *file)
{
	if (fseek(file, 0, SEEK_SET) == 0)
		return file;
	FILE *const copy = tmpfile();
	char bytes[65536];
	size_t n;
	while (copy && (n = fread(bytes, 1, sizeof(bytes), file)) > 0)
		fwrite(bytes, 1, n, copy);
	const int code = ferror(file) || !copy || ferror(copy) || fflush(copy)
			     ? (errno ? errno : EIO)
			     : 0;
	fclose(file);
	if (code && copy)
		fclose(copy);
	errno = code;
	if (code)
		return NULL;
	rewind(copy);
	return copy;
}

static FILE *open_file(const char *path, const char *name, struct rs_err *err)
{
	errno = 0;
	FILE *file = strcmp(path, "-") == 0 ? fdopen(dup(0), "r") : fopen(path, "re");
	struct stat st;
	if (file && fstat(fileno(file), &st) == 0 && S_ISDIR(st.st_mode)) {
		fclose(file);
		file = NULL;
		errno = EISDIR;
	}
	if (file)
		file = make_seekable(file);
	if (!file)
		rs_err_set(err, -errno, "cannot read %s: %s", name, strerror(errno));
	return file;
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* By repetition, then nth, then metric, then as in the file. */
static int compare_observations(const void *a, const void *b)
{
	const struct rs_observation *const x = a;
	const struct rs_observation *const y = b;
	const int orders[] = {
	    compare_numbers(x->row, y->row),
	    compare_numbers(x->block, y->block),
	    compare_numbers(x->placement, y->placement),
	    compare_numbers(x->order, y->order),
	    compare_numbers(x->rejected != NULL, y->rejected != NULL),
	    compare_numbers(x->nth, y->nth),
	    compare_numbers(x->metric, y->metric),
	    compare_numbers(x->sequence, y->sequence),
	};
	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		if (orders[i])
			return orders[i];
	}
	return 0;
}

static bool is_same_repetition(const struct rs_observation *x,
			       const struct rs_observation *y)
{
	return x->row == y->row && x->block == y->block &&
	       x->placement == y->placement && x->order == y->order &&
	       !x->rejected == !y->rejected && x->nth == y->nth;
}

/* The second reading of one event in a repetition belongs to its second attempt. */
static void number_attempts(struct rs_loading *loading)
{
	struct rs_observation *const all = loading->observations;
	const size_t n = loading->n_observations;
	if (!n)
		return;
	qsort(all, n, sizeof(*all), compare_observations);
	for (size_t i = 1; i < n; i++) {
		struct rs_observation before = all[i - 1];
		before.nth = 0;
		if (is_same_repetition(&before, &all[i]) &&
		    before.metric == all[i].metric)
			all[i].nth = all[i - 1].nth + 1;
	}
	qsort(all, n, sizeof(*all), compare_observations);
}

static struct rs_reading *new_readings(size_t n)
{
	struct rs_reading *const readings = calloc(n + 1, sizeof(*readings));
	for (size_t i = 0; readings && i < n; i++)
		readings[i].status = RS_STATUS_NOT_COUNTED;
	return readings;
}

static int add_repetition(struct rs_results *results,
			  const struct rs_observation *observation)
{
	struct rs_repetition *const repetition =
	    &results->repetitions[results->n_repetitions];
	*repetition = (struct rs_repetition){
	    .row = observation->row,
	    .placement = observation->placement,
	    .block = observation->block,
	    .order = observation->order,
	    .calls = observation->calls,
	    .rejected = observation->rejected,
	    .readings = new_readings(results->n_metrics),
	};
	if (!repetition->readings)
		return -ENOMEM;
	results->n_repetitions++;
	if (observation->placement >= results->settings.placements)
		results->settings.placements = observation->placement + 1;
	return 0;
}

static void put_reading(struct rs_results *results,
			const struct rs_observation *observation)
{
	struct rs_repetition *const repetition =
	    &results->repetitions[results->n_repetitions - 1];
	repetition->readings[observation->metric] = (struct rs_reading){
	    .value = observation->value,
	    .status = RS_STATUS_OK,
	};
	results->metrics[observation->metric].status = RS_STATUS_OK;
}

static int make_repetitions(struct rs_loading *loading)
{
	struct rs_results *const results = &loading->out->results;
	const struct rs_observation *const all = loading->observations;
	results->repetitions =
	    calloc(loading->n_observations + 1, sizeof(*results->repetitions));
	if (!results->repetitions)
		return -ENOMEM;
	number_attempts(loading);
	int ret = 0;
	for (size_t i = 0; i < loading->n_observations && !ret; i++) {
		if (i == 0 || !is_same_repetition(&all[i - 1], &all[i]))
			ret = add_repetition(results, &all[i]);
		if (!ret)
			put_reading(results, &all[i]);
	}
	return ret;
}

static int compare_blocks(const void *a, const void *b)
{
	return compare_numbers(*(const unsigned int *)a, *(const unsigned int *)b);
}

/* Sorts and drops repeated values; returns how many are left. */
static size_t make_unique(unsigned int *values, size_t n)
{
	size_t n_kept = 0;
	qsort(values, n, sizeof(*values), compare_blocks);
	for (size_t i = 0; i < n; i++) {
		if (n_kept == 0 || values[n_kept - 1] != values[i])
			values[n_kept++] = values[i];
	}
	return n_kept;
}

/* An index of slots of a file that names each block and placement once would be huge.
 */
static bool is_sparse(const struct rs_results *results, size_t n_blocks)
{
	const double n_cells = (double)results->n_rows * (double)n_blocks *
			       (double)results->settings.placements;
	return n_cells > MAX_SPARSITY * ((double)results->n_repetitions + 1000);
}

/* Blocks are only names; the index of slots wants them dense. */
static int renumber_blocks(struct rs_results *results)
{
	const size_t n = results->n_repetitions;
	unsigned int *const blocks = calloc(n + 1, sizeof(*blocks));
	if (!blocks)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		blocks[i] = results->repetitions[i].block;
	const size_t n_blocks = make_unique(blocks, n);
	for (size_t i = 0; i < n; i++) {
		unsigned int *const block = &results->repetitions[i].block;
		const unsigned int *const found =
		    bsearch(block, blocks, n_blocks, sizeof(*blocks), compare_blocks);
		*block = (unsigned int)(found - blocks);
	}
	free(blocks);
	return is_sparse(results, n_blocks) ? -E2BIG : 0;
}

static int find_empties(struct rs_loaded *out)
{
	const struct rs_results *const results = &out->results;
	out->empties = calloc(results->n_rows + 1, sizeof(*out->empties));
	if (!out->empties)
		return -ENOMEM;
	for (size_t i = 0; i < results->n_rows; i++) {
		out->empties[i] = SIZE_MAX;
		for (size_t j = 0; j < results->n_rows; j++) {
			if (results->rows[j].role == RS_ROLE_EMPTY && i != j &&
			    strcmp(results->rows[j].workload,
				   results->rows[i].workload) == 0)
				out->empties[i] = j;
		}
	}
	return 0;
}

static int finish(struct rs_loading *loading)
{
	int ret = make_repetitions(loading);
	if (!ret)
		ret = renumber_blocks(&loading->out->results);
	return ret ? ret : find_empties(loading->out);
}

/* Who only knows a code leaves the sentence to here. */
static int explain(int ret, const char *name, struct rs_err *err)
{
	if (!ret || err->text[0])
		return ret;
	if (ret == -E2BIG)
		return rs_err_set(err, ret,
				  "%s: it has more rows, events or blocks than a "
				  "result file of retstack",
				  name);
	return rs_err_set(err, ret, "%s: not enough memory to read it", name);
}

int rs_load(struct rs_loaded *out, const char *path, struct rs_err *err)
{
	*out = (struct rs_loaded){0};
	err->text[0] = '\0';
	const char *const name = strcmp(path, "-") == 0 ? "standard input" : path;
	FILE *const file = open_file(path, name, err);
	if (!file)
		return -EIO;
	struct rs_loading loading = {.out = out};
	const struct kind *const kind = kind_of(file);
	out->kind = kind->name;
	int ret = rs_loading_text(&loading, name, &out->path);
	if (!ret)
		ret = kind->read(&loading, file, name, err);
	if (!ret)
		ret = finish(&loading);
	if (!ret && out->results.n_rows == 0)
		ret = rs_err_set(err, -EINVAL, "%s: it holds no results", name);
	fclose(file);
	free(loading.observations);
	ret = explain(ret, name, err);
	if (ret)
		rs_loaded_free(out);
	return ret;
}

void rs_loaded_free(struct rs_loaded *loaded)
{
	struct rs_results *const results = &loaded->results;
	for (size_t i = 0; i < results->n_repetitions; i++)
		free(results->repetitions[i].readings);
	for (size_t i = 0; i < loaded->n_texts; i++)
		free(loaded->texts[i]);
	free(loaded->texts);
	free(loaded->metric_texts);
	free(loaded->empties);
	free(results->repetitions);
	free(results->summaries);
	free(results->rows);
	free(results->metrics);
	free(results->facts);
	free(results->notes);
	*loaded = (struct rs_loaded){0};
}

const char *rs_loaded_fact(const struct rs_loaded *loaded, const char *name)
{
	for (size_t i = 0; i < loaded->results.n_facts; i++) {
		if (strcmp(loaded->results.facts[i].name, name) == 0)
			return loaded->results.facts[i].value;
	}
	return NULL;
}
