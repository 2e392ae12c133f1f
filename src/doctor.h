#ifndef SRC_DOCTOR_H
#define SRC_DOCTOR_H

#include "src/base/err.h"
#include "src/model.h"

/*
 * What can be measured on cpu, what cannot, and why. Binds the calling thread to cpu
 * and naps for a moment to see who else is busy; changes nothing on the machine.
 */
struct rs_doctor;

/* Returns 0 or a negative errno; whatever is wrong with the machine is a check. */
int rs_doctor_examine(struct rs_doctor **out, unsigned int cpu, struct rs_err *err);
void rs_doctor_free(struct rs_doctor *doctor);

const struct rs_checkup *rs_doctor_checkup(const struct rs_doctor *doctor);

#endif
