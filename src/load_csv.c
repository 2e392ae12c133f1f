#include "src/load_parts.h"

#include <errno.h>
#include <string.h>

#include "src/base/records.h"
#include "src/base/text.h"

#define MAX_PLACEMENT 1000
#define MAX_BLOCK     100000000

/* The columns that are read, by what their header says. */
enum column {
	COL_SCHEMA,
	COL_RUN_ID,
	COL_WORKLOAD,
	COL_VARIANT,
	COL_PLACEMENT,
	COL_DEPTH,
	COL_BLOCK,
	COL_ORDER,
	COL_CALLS,
	COL_EVENT,
	COL_SOURCE,
	COL_CONFIG,
	COL_VALUE,
	COL_STATUS,
	COL_BLOCK_BYTES,
	COL_CLOCK_READS,
	COL_THREADS,
	N_COLUMNS
};

static const struct {
	const char *name;
	bool is_needed;
} columns[N_COLUMNS] = {
    [COL_SCHEMA] = {"schema", true},
    [COL_RUN_ID] = {"run_id", false},
    [COL_WORKLOAD] = {"workload", true},
    [COL_VARIANT] = {"variant", true},
    [COL_PLACEMENT] = {"placement", true},
    [COL_DEPTH] = {"depth", false},
    [COL_BLOCK] = {"block", true},
    [COL_ORDER] = {"order", false},
    [COL_CALLS] = {"calls", true},
    [COL_EVENT] = {"event", true},
    [COL_SOURCE] = {"source", false},
    [COL_CONFIG] = {"config", false},
    [COL_VALUE] = {"value", true},
    [COL_STATUS] = {"status", true},
    [COL_BLOCK_BYTES] = {"block_bytes", false},
    [COL_CLOCK_READS] = {"clock_reads", false},
    [COL_THREADS] = {"threads", false},
};

struct reader {
	struct rs_loading *loading;
	struct rs_csv csv;
	size_t at[N_COLUMNS]; /* index of the field; SIZE_MAX: no such column */
	size_t n_columns;
	struct rs_err *err;
};

static const char *field(const struct reader *reader, enum column column)
{
	const size_t at = reader->at[column];
	return at == SIZE_MAX ? "" : reader->csv.fields[at];
}

static const char *field_or_null(const struct reader *reader, enum column column)
{
	const char *const text = field(reader, column);
	return *text ? text : NULL;
}

static int bad(const struct reader *reader, enum column column, const char *why)
{
	char clip[RS_CLIP_BYTES];
	return rs_err_set(reader->err, -EINVAL, "%s line %zu: %s '%s' %s",
			  reader->csv.name, reader->csv.line, columns[column].name,
			  rs_text_clip(clip, field(reader, column)), why);
}

static int read_number(const struct reader *reader, enum column column, uint64_t min,
		       uint64_t max, uint64_t *out)
{
	*out = 0;
	if (!*field(reader, column) && !columns[column].is_needed)
		return 0;
	if (rs_text_u64(field(reader, column), min, max, out))
		return bad(reader, column, "is not a number in range");
	return 0;
}

static int check_header(const struct reader *reader)
{
	for (size_t i = 0; i < N_COLUMNS; i++) {
		if (reader->at[i] != SIZE_MAX || !columns[i].is_needed)
			continue;
		const bool is_summary = i == COL_PLACEMENT || i == COL_BLOCK;
		return rs_err_set(reader->err, -EINVAL, "%s: it has no column '%s'%s",
				  reader->csv.name, columns[i].name,
				  is_summary ? "; is it a summary? the dump of `run "
					       "--csv' is needed"
					     : "");
	}
	return 0;
}

static int read_header(struct reader *reader)
{
	const int ret = rs_csv_next(&reader->csv, reader->err);
	if (ret <= 0)
		return ret ? ret
			   : rs_err_set(reader->err, -EINVAL, "%s: it is empty",
					reader->csv.name);
	reader->n_columns = reader->csv.n_fields;
	for (size_t i = 0; i < N_COLUMNS; i++) {
		reader->at[i] = SIZE_MAX;
		for (size_t f = 0; f < reader->csv.n_fields; f++) {
			if (strcmp(columns[i].name, reader->csv.fields[f]) == 0)
				reader->at[i] = f;
		}
	}
	return check_header(reader);
}

/* The same for every line. */
static int check_run(struct reader *reader)
{
	struct rs_results *const results = &reader->loading->out->results;
	const char *const run_id = field(reader, COL_RUN_ID);
	uint64_t schema;
	int ret = read_number(reader, COL_SCHEMA, 1, UINT32_MAX, &schema);
	if (ret)
		return ret;
	if (schema > RS_SCHEMA)
		return bad(reader, COL_SCHEMA, "is newer than this retstack");
	if (!*run_id)
		return 0;
	if (!results->run_id)
		return rs_loading_text(reader->loading, run_id, &results->run_id);
	if (strcmp(results->run_id, run_id) != 0)
		return bad(reader, COL_RUN_ID,
			   "begins another run; give each run a file of its own");
	return 0;
}

static int find_row(struct reader *reader, struct rs_observation *observation)
{
	uint64_t depth;
	uint64_t block_bytes;
	uint64_t clock_reads;
	uint64_t threads;
	size_t row;
	int ret = read_number(reader, COL_DEPTH, 0, UINT32_MAX, &depth);
	if (!ret)
		ret = read_number(reader, COL_BLOCK_BYTES, 0, UINT64_MAX, &block_bytes);
	if (!ret)
		ret = read_number(reader, COL_CLOCK_READS, 0, UINT32_MAX, &clock_reads);
	if (!ret)
		ret = read_number(reader, COL_THREADS, 0, UINT32_MAX, &threads);
	if (ret)
		return ret;
	const char *const variant = field(reader, COL_VARIANT);
	ret = rs_loading_row(reader->loading,
			     &(struct rs_row){
				 .workload = field(reader, COL_WORKLOAD),
				 .variant = variant,
				 .depth = (unsigned int)depth,
				 .role = rs_role_of_variant(variant),
				 .block_bytes = block_bytes,
				 .clock_reads = (unsigned int)clock_reads,
				 .threads = (unsigned int)threads,
			     },
			     &row);
	observation->row = (uint32_t)row;
	return ret;
}

static const char *unit_of(const char *event)
{
	static const char *const own[] = {"ns", "ticks", "cycles"};
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		if (strcmp(event, own[i]) == 0)
			return own[i];
	}
	return "events";
}

static int find_metric(struct reader *reader, struct rs_observation *observation,
		       enum rs_status status)
{
	size_t metric;
	const char *const event = field(reader, COL_EVENT);
	const int ret =
	    rs_loading_metric(reader->loading,
			      &(struct rs_metric){
				  .name = event,
				  .source = field_or_null(reader, COL_SOURCE),
				  .config = field_or_null(reader, COL_CONFIG),
				  .unit = unit_of(event),
				  .status = status,
			      },
			      &metric);
	observation->metric = (uint32_t)metric;
	return ret;
}

static int read_place(const struct reader *reader, struct rs_observation *observation)
{
	const struct {
		enum column column;
		uint64_t max;
		uint32_t *out;
	} numbers[] = {
	    {COL_PLACEMENT, MAX_PLACEMENT, &observation->placement},
	    {COL_BLOCK, MAX_BLOCK, &observation->block},
	    {COL_ORDER, UINT32_MAX, &observation->order},
	};
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		uint64_t value;
		const int ret =
		    read_number(reader, numbers[i].column, 0, numbers[i].max, &value);
		if (ret)
			return ret;
		*numbers[i].out = (uint32_t)value;
	}
	return read_number(reader, COL_CALLS, 1, UINT64_MAX, &observation->calls);
}

/* A row that never ran has one line, without an event, whose status says why. */
static int take_row_state(struct reader *reader, size_t row)
{
	struct rs_row *const to = &reader->loading->out->results.rows[row];
	for (int i = 0; i < RS_N_ROW_STATE; i++) {
		if (strcmp(field(reader, COL_STATUS),
			   rs_row_state_name((enum rs_row_state)i)) == 0)
			to->state = (enum rs_row_state)i;
	}
	return 0;
}

static int take_line(struct reader *reader)
{
	static const char rejected[] = "rejected:";
	struct rs_observation observation = {0};
	enum rs_status status = RS_STATUS_OK;
	const char *const word = field(reader, COL_STATUS);
	int ret = find_row(reader, &observation);
	if (!ret && !*field(reader, COL_EVENT))
		return take_row_state(reader, observation.row);
	if (!ret && strncmp(word, rejected, sizeof(rejected) - 1) == 0)
		ret = rs_loading_text(reader->loading, word + sizeof(rejected) - 1,
				      &observation.rejected);
	else if (!ret && rs_status_parse(word, &status))
		ret = bad(reader, COL_STATUS, "is no status");
	if (!ret)
		ret = find_metric(reader, &observation, status);
	if (ret || status != RS_STATUS_OK)
		return ret;
	ret = read_place(reader, &observation);
	if (!ret)
		ret = read_number(reader, COL_VALUE, 0, UINT64_MAX, &observation.value);
	return ret ? ret : rs_loading_observe(reader->loading, &observation);
}

static int read_line(struct reader *reader)
{
	if (reader->csv.n_fields != reader->n_columns)
		return rs_err_set(reader->err, -EINVAL,
				  "%s line %zu: it has %zu fields, the header %zu; is "
				  "the file cut off?",
				  reader->csv.name, reader->csv.line,
				  reader->csv.n_fields, reader->n_columns);
	const int ret = check_run(reader);
	return ret ? ret : take_line(reader);
}

int rs_load_csv(struct rs_loading *loading, FILE *file, const char *name,
		struct rs_err *err)
{
	struct reader reader = {.loading = loading, .err = err};
	rs_csv_begin(&reader.csv, file, name, ',');
	int ret = read_header(&reader);
	while (!ret) {
		ret = rs_csv_next(&reader.csv, err);
		if (ret <= 0)
			break;
		ret = read_line(&reader);
	}
	rs_csv_end(&reader.csv);
	return ret;
}
