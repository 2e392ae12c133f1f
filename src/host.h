#ifndef SRC_HOST_H
#define SRC_HOST_H

#include <stddef.h>

#include "src/base/err.h"
#include "src/model.h"

/*
 * Facts of the machine that travel with every result. cpu is the CPU that will be
 * measured. Each is unknown (value NULL, note says why) rather than guessed. Changes
 * nothing on the machine.
 */
struct rs_host;

int rs_host_read(struct rs_host **out, unsigned int cpu, struct rs_err *err);
void rs_host_free(struct rs_host *host);

const struct rs_fact *rs_host_facts(const struct rs_host *host, size_t *n_facts);

/* NULL: unknown, or no such fact. */
const char *rs_host_fact(const struct rs_host *host, const char *name);

/*
 * Reads again what may have changed during a run (clock source, steal time, throttling)
 * and appends the "after" facts; writes up to max sentences for the reader about what
 * did change, owned by host, and returns how many.
 */
size_t rs_host_read_after(struct rs_host *host, const char **notes, size_t max);

#endif
