#ifndef SRC_PROBES_H
#define SRC_PROBES_H

/* The questions that `probe` can answer: what each measures and what it makes of it. */

#include "src/cells.h"
#include "src/predictor.h"
#include "src/probe.h"
#include "src/stats.h"

/* What is known beside the measurement. Borrowed. */
struct rs_probe_context {
	const struct rs_predictor *preset; /* that of the CPU, or the default */
	uint64_t seed;
};

struct rs_probe_report {
	struct rs_cells cells;
	double x[RS_PROBE_MAX_DEPTHS];
	double y[RS_PROBE_MAX_DEPTHS];
	char curve_title[160];
	struct rs_curve curve; /* points into x and y; n is 0 where there is none */
};

struct rs_probe_kind {
	const char *name; /* "depth"; NULL ends the list */
	const char *text; /* one sentence */
	/* Adds what is to be measured to an empty probe. -ENOTSUP where nothing is. */
	int (*list)(struct rs_probe *probe, struct rs_err *err);
	/* Turns a measured probe, maybe a partial one, into a report. 0 or -ENOMEM. */
	int (*judge)(const struct rs_probe *probe,
		     const struct rs_probe_context *context,
		     struct rs_probe_report *out, struct rs_err *err);
};

/* All of them, in the order of the help. */
const struct rs_probe_kind *rs_probe_kinds(void);
/* NULL when there is none of that name. */
const struct rs_probe_kind *rs_probe_kind_find(const char *name);

void rs_probe_report_free(struct rs_probe_report *report);

/* For the files of the kinds: */

int rs_probe_depth_list(struct rs_probe *probe, struct rs_err *err);
int rs_probe_depth_judge(const struct rs_probe *probe,
			 const struct rs_probe_context *context,
			 struct rs_probe_report *out, struct rs_err *err);
int rs_probe_forms_list(struct rs_probe *probe, struct rs_err *err);
int rs_probe_forms_judge(const struct rs_probe *probe,
			 const struct rs_probe_context *context,
			 struct rs_probe_report *out, struct rs_err *err);
int rs_probe_policy_list(struct rs_probe *probe, struct rs_err *err);
int rs_probe_policy_judge(const struct rs_probe *probe,
			  const struct rs_probe_context *context,
			  struct rs_probe_report *out, struct rs_err *err);
int rs_probe_penalty_list(struct rs_probe *probe, struct rs_err *err);
int rs_probe_penalty_judge(const struct rs_probe *probe,
			   const struct rs_probe_context *context,
			   struct rs_probe_report *out, struct rs_err *err);

/* Adds every chain of this ISA whose sites are of the set, bits 1 << RS_SITES_*. */
int rs_probe_list_chains(struct rs_probe *probe, const char *workload,
			 unsigned int sites, struct rs_err *err);

/* The knee of a chain, which each process has one of, agreed upon. */
struct rs_agreement rs_probe_knee(const struct rs_probe *probe,
				  const struct rs_probe_series *series, uint64_t seed);

/* Why events were not counted, that the probe ended early, which kernels died. */
void rs_probe_note_limits(const struct rs_probe *probe, struct rs_cells *cells);

/* Median over the processes of the cost of each cell, less that of base unless NULL. */
void rs_probe_plot(const struct rs_probe *probe, const struct rs_probe_series *series,
		   const struct rs_probe_series *base, struct rs_probe_report *out);

/* The least-squares slope of n costs over depths. */
double rs_probe_slope(const unsigned int *depths, const double *costs, size_t n);

/* Adds the variants of a family of this ISA that are wanted; none without the family.
 */
int rs_probe_list_family(struct rs_probe *probe, const char *name,
			 bool (*wants)(const struct rs_family *family,
				       const struct rs_variant *form),
			 struct rs_err *err);

/* The series of its family's baseline; NULL where it is not measured. */
const struct rs_probe_series *rs_probe_baseline(const struct rs_probe *probe,
						const struct rs_probe_series *series);

/* What a form costs more than its baseline, below 1 to RS_MAX_FRAMES frames. */
bool rs_probe_extra(const struct rs_probe *probe, const struct rs_probe_series *series,
		    size_t process, enum rs_probe_metric metric,
		    double extra[RS_MAX_FRAMES]);
/* And with each frame more. */
bool rs_probe_extra_slope(const struct rs_probe *probe,
			  const struct rs_probe_series *series, size_t process,
			  enum rs_probe_metric metric, double *out);

/* A value that each of n processes gave: the median and its 95 % interval. */
struct rs_probe_estimate {
	size_t n; /* 0: nothing is known */
	double median;
	struct rs_interval interval;
};

/* Sorts the values, RS_MAX_PROCESSES at most. */
struct rs_probe_estimate rs_probe_estimate_of(double *values, size_t n, uint64_t seed);

#endif
