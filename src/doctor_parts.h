#ifndef SRC_DOCTOR_PARTS_H
#define SRC_DOCTOR_PARTS_H

#include "src/checks.h"
#include "src/host.h"

/* The parts of doctor.c, each adding its checks. */

/* Judgements that a table makes from one fact each. doctor_facts.c */
void rs_doctor_add_facts(struct rs_checks *checks, const struct rs_host *host);

/* What others took from the CPUs while this process napped. */
struct rs_bystanders {
	struct rs_maybe own;     /* busy share of the measured CPU, 0 to 1 */
	struct rs_maybe sibling; /* of the CPUs that share its core */
};

/* Judgements from several facts or from numbers. doctor_state.c */
void rs_doctor_add_state(struct rs_checks *checks, const struct rs_host *host,
			 const struct rs_bystanders *bystanders);

/* Whether this process may count: paranoid level, capabilities, seccomp.
 * doctor_rights.c */
void rs_doctor_add_rights(struct rs_checks *checks, const struct rs_host *host);

/* The PMU of cpu, every event alias as tried there, the self-test. doctor_events.c */
void rs_doctor_add_events(struct rs_checks *checks, unsigned int cpu);

#endif
