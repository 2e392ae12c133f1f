#ifndef SRC_TRACESITES_H
#define SRC_TRACESITES_H

/*
 * What a trace found, by the instruction that did it. The table is bounded: what comes
 * after the last free row is counted in a row for all others.
 */

#include <stddef.h>
#include <stdint.h>

/* What an instruction did to the link stack that it should not have. */
enum rs_trace_kind {
	RS_TRACE_PUSH_WITHOUT_POP, /* a call that no return took off */
	RS_TRACE_POP_WITHOUT_PUSH, /* a return to where no call said */
	RS_TRACE_DISPLACED, /* a return below which other entries had come to be on top
			     */
	RS_TRACE_OVERFLOW,  /* a return whose call was lost in a full stack */
	RS_TRACE_UNDERFLOW, /* a return that met an empty stack */
	RS_N_TRACE_KIND
};

/* "push-without-pop", ...; NULL outside the enum. */
const char *rs_trace_kind_name(enum rs_trace_kind kind);

/* One kind at one site. */
struct rs_trace_count {
	uint64_t times;
	uint64_t mispredicts; /* of the site itself; none for calls */
	/* Of other returns, which the last unbalanced call or return before them is
	 * blamed for. */
	uint64_t caused;
};

struct rs_trace_site {
	uint32_t image;  /* by the caller's number */
	uint64_t offset; /* in its file */
	struct rs_trace_count counts[RS_N_TRACE_KIND];
};

#define RS_TRACESITES_MAX    65536U
#define RS_TRACESITES_OTHERS 0U /* index of the row for those without one */

struct rs_tracesites {
	struct rs_trace_site *sites; /* sites[RS_TRACESITES_OTHERS] is the others' */
	uint32_t n_sites;
	uint32_t max_sites; /* at least 1 */
	uint32_t *slots;    /* a hash table of indices; 0: free */
};

/* max_sites: 2 to RS_TRACESITES_MAX. Returns 0 or -ENOMEM. */
int rs_tracesites_open(struct rs_tracesites *out, uint32_t max_sites);

/* Accepts an empty object and leaves it empty. */
void rs_tracesites_close(struct rs_tracesites *table);

/* The index of a site, which is added if it is new. */
uint32_t rs_tracesites_find(struct rs_tracesites *table, uint32_t image,
			    uint64_t offset);

#endif
