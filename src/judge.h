#ifndef SRC_JUDGE_H
#define SRC_JUDGE_H

/* What each instruction of a piece does to the link stack, given where it stands. */

#include "src/findings.h"
#include "src/walk.h"

/* Adds what is found in a settled piece. Returns 0 or -ENOMEM. */
int rs_judge(struct rs_findings *findings, const struct rs_walk *walk);

#endif
