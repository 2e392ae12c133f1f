#ifndef SRC_HOST_PARTS_H
#define SRC_HOST_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "src/fact_list.h"

/* The parts of host.c. Each adds its facts, known or not. cpu is the measured one. */

void rs_host_add_cpu(struct rs_facts *facts, unsigned int cpu);    /* host_cpu.c */
void rs_host_add_clocks(struct rs_facts *facts, unsigned int cpu); /* host_clock.c */
void rs_host_add_hypervisor(struct rs_facts *facts, unsigned int cpu); /* host_virt.c */
void rs_host_add_emulator(struct rs_facts *facts, unsigned int cpu);   /* host_virt.c */
void rs_host_add_kernel(struct rs_facts *facts, unsigned int cpu); /* host_kernel.c */

/* A file of one line that is a fact as it stands; an empty one is the fact "none". */
struct rs_file_fact {
	const char *name;   /* NULL ends a list */
	const char *path;   /* below per_cpu's folder of the CPU, or absolute */
	bool is_per_cpu;    /* path is relative to /sys/devices/system/cpu/cpuN */
	const char *absent; /* what a missing file means; NULL: that the kernel does
			       not show it */
};

#define RS_FILE_FACT(fact, file, per_cpu, why)                                         \
	{                                                                              \
		.name = (fact), .path = (file), .is_per_cpu = (per_cpu),               \
		.absent = (why)                                                        \
	}
#define RS_END_OF_FILE_FACTS RS_FILE_FACT(NULL, NULL, false, NULL)

#define RS_CLOCKSOURCE "/sys/devices/system/clocksource/clocksource0/"

void rs_host_add_files(struct rs_facts *facts, const struct rs_file_fact *rows,
		       unsigned int cpu);

/* What others take from the measured CPU; cumulative since boot. host_load.c */
struct rs_pressure {
	bool has_steal;
	bool has_throttled;
	bool has_load;
	double steal_ms;
	double throttled_ms;
	uint64_t n_throttled;
	double load; /* 1-minute average of the machine */
};

struct rs_pressure rs_pressure_read(unsigned int cpu);

/* Adds steal_WHEN, throttled_WHEN and load_average_WHEN; when is "before" or "after".
 */
void rs_pressure_add(struct rs_facts *facts, const struct rs_pressure *pressure,
		     const char *when);

/* Online CPUs of the machine; 0: unknown. */
unsigned int rs_host_n_online(void);

#endif
