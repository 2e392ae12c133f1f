#include "src/doctor.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "src/affinity.h"
#include "src/busy.h"
#include "src/doctor_parts.h"

/* Long against the 10 ms of /proc/stat, short for a person who waits. */
#define NAP_NS 200000000

struct rs_doctor {
	struct rs_checks checks;
	struct rs_checkup checkup;
};

static void add_pinning(struct rs_checks *checks, unsigned int cpu)
{
	struct rs_cpus allowed = {0};
	struct rs_err err = {""};
	char list[RS_CPUS_TEXT] = "?";
	char value[RS_CPUS_TEXT + 64];
	if (rs_affinity_allowed(&allowed, &err) == 0)
		rs_cpus_format(&allowed, list);
	rs_cpus_free(&allowed);
	const int ret = rs_affinity_pin(cpu, &err);
	snprintf(value, sizeof(value), "%s cpu %u of %s",
		 ret ? "cannot bind to" : "bound to", cpu, list);
	rs_checks_add(checks,
		      &(struct rs_check){
			  .name = "pinning",
			  .state = ret ? RS_CHECK_BAD : RS_CHECK_GOOD,
			  .value = value,
			  .cause = ret ? err.text : NULL,
			  .remedy = ret ? "choose another CPU with --cpu" : NULL,
		      });
}

static void nap(void)
{
	struct timespec left = {.tv_nsec = NAP_NS};
	while (nanosleep(&left, &left) && errno == EINTR)
		continue;
}

/*
 * cpu, and a list such as "2-3" without it. What cannot be kept stays out of the sets,
 * and its share is then unknown.
 */
static void other_cpus(const char *list, unsigned int cpu, struct rs_cpus *own,
		       struct rs_cpus *others)
{
	rs_cpus_add(own, cpu);
	rs_cpus_parse(list ? list : "", others);
	rs_cpus_remove(others, cpu);
}

static struct rs_bystanders watch_bystanders(const char *siblings, unsigned int cpu)
{
	struct rs_cpus own = {0};
	struct rs_cpus others = {0};
	other_cpus(siblings, cpu, &own, &others);
	const struct rs_cpu_time own_before = rs_cpu_time_read(&own);
	const struct rs_cpu_time others_before = rs_cpu_time_read(&others);
	nap();
	const struct rs_cpu_time own_after = rs_cpu_time_read(&own);
	const struct rs_cpu_time others_after = rs_cpu_time_read(&others);
	rs_cpus_free(&own);
	rs_cpus_free(&others);
	return (struct rs_bystanders){
	    .own = rs_busy_share(&own_before, &own_after),
	    .sibling = rs_busy_share(&others_before, &others_after),
	};
}

static int examine(struct rs_checks *checks, unsigned int cpu, struct rs_err *err)
{
	struct rs_host *host = NULL;
	add_pinning(checks, cpu);
	const int ret = rs_host_read(&host, cpu, err);
	if (ret)
		return ret;
	rs_doctor_add_events(checks, cpu);
	const struct rs_bystanders bystanders =
	    watch_bystanders(rs_host_fact(host, "smt_siblings"), cpu);
	rs_doctor_add_rights(checks, host);
	rs_doctor_add_state(checks, host, &bystanders);
	rs_doctor_add_facts(checks, host);
	rs_host_free(host);
	return checks->code ? rs_err_set(err, checks->code, "no memory for the checks")
			    : 0;
}

int rs_doctor_examine(struct rs_doctor **out, unsigned int cpu, struct rs_err *err)
{
	*out = NULL;
	struct rs_doctor *const doctor = calloc(1, sizeof(*doctor));
	if (!doctor)
		return rs_err_set(err, -ENOMEM, "no memory for the checks");
	const int ret = examine(&doctor->checks, cpu, err);
	if (ret) {
		rs_doctor_free(doctor);
		return ret;
	}
	doctor->checkup = (struct rs_checkup){
	    .checks = doctor->checks.rows,
	    .n_checks = doctor->checks.n_rows,
	};
	*out = doctor;
	return 0;
}

void rs_doctor_free(struct rs_doctor *doctor)
{
	if (!doctor)
		return;
	rs_checks_free(&doctor->checks);
	free(doctor);
}

const struct rs_checkup *rs_doctor_checkup(const struct rs_doctor *doctor)
{
	return &doctor->checkup;
}
