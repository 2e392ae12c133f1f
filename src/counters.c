#include "src/counters.h"

#include <stddef.h>

#include "arch/arch.h"

const struct rs_backend *rs_counters_of_host(void)
{
	char hypervisor[RS_HYPERVISOR_ID_BYTES];
	rs_hypervisor_id(hypervisor);
	return rs_backend_perf(rs_ticks_name() ? rs_ticks : NULL, hypervisor);
}

int rs_counters_list_aliases(struct rs_event_list *list, unsigned int cpu,
			     const char *data_dir, struct rs_err *err)
{
	struct rs_alias_table *aliases = NULL;
	int ret = rs_alias_table_load(data_dir, &aliases, err);
	if (!ret)
		ret = rs_event_list_add_all_aliases(list, aliases,
						    rs_counters_of_host(), cpu, err);
	rs_alias_table_free(aliases);
	return ret;
}
