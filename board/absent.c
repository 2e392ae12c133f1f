/*
 * What retstack has from libraries, for a program without any: no event names but the
 * two clocks, no tables of them, no decoders and so no model of the link stack.
 */

#include <errno.h>

#include "events/alias.h"
#include "events/pfm.h"
#include "src/base/ini.h"
#include "src/run_parts.h"

/* Elsewhere the build writes it from events/alias/. */
extern const struct rs_alias_text rs_alias_text_rows[];
const struct rs_alias_text rs_alias_text_rows[] = {{.name = NULL}};

int rs_ini_parse(const char *name, const char *text, size_t n_bytes, rs_ini_take *take,
		 void *user, struct rs_err *err)
{
	(void)text;
	(void)n_bytes;
	(void)take;
	(void)user;
	return rs_err_set(err, -ENOTSUP, "%s is not read: this program has no tables",
			  name);
}

int rs_pfm_encode(const char *text, struct rs_pfm_code *out, const char **why)
{
	(void)text;
	(void)out;
	*why = "this program has no event names";
	return -ENOENT;
}

const char *rs_pfm_core_pmu(size_t i, bool *is_present)
{
	(void)i;
	*is_present = false;
	return NULL;
}

const char *rs_pfm_version(void)
{
	return NULL;
}

const char *rs_pfm_pmu(void)
{
	return NULL;
}

int rs_run_choose_preset(struct rs_run *run, unsigned int cpu, struct rs_err *err)
{
	(void)run;
	(void)cpu;
	(void)err;
	return 0;
}

int rs_run_forecast(struct rs_run *run, struct rs_err *err)
{
	(void)run;
	(void)err;
	return 0;
}

void rs_run_add_forecast(struct rs_run *run)
{
	(void)run;
}

void rs_run_free_forecast(struct rs_run *run)
{
	(void)run;
}
