#ifndef SRC_VOTE_H
#define SRC_VOTE_H

#include <stdbool.h>
#include <stddef.h>

/* Which of several explanations the processes of a probe agree on. */

#define RS_MAX_EXPLANATIONS 8

struct rs_vote {
	bool is_clear;
	size_t best;       /* with the least median distance */
	size_t runner_up;  /* the next one of another class; best: there is none */
	size_t n_agreeing; /* processes that chose the class of best */
	double distances[RS_MAX_EXPLANATIONS]; /* medians over the processes */
};

struct rs_voting {
	/* What was measured from what each explanation predicts: n_explanations of each
	 * process, one after another. */
	const double *distances;
	size_t n_processes;
	size_t n_explanations; /* 1 to RS_MAX_EXPLANATIONS */
	/* Explanations of one class predict the same here, so that none is chosen. */
	const unsigned int *classes;
	double furthest; /* a distance above this explains nothing */
};

/*
 * A process chooses the nearest explanation where it is within furthest, and at most
 * half as far as the next of another class. The vote is clear when three processes in
 * four, and at least RS_MIN_PROCESSES of src/knee.h, choose the class of best.
 */
struct rs_vote rs_vote_count(const struct rs_voting *voting);

#endif
