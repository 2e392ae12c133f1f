#include "src/random_state.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "arch/arch.h"

int rs_random_query(const void *function, struct rs_random_params *out)
{
	*out = (struct rs_random_params){0};
	const unsigned long args[RS_N_VDSO_ARGS] = {
	    [3] = (uintptr_t)out,
	    [4] = ~0UL,
	};
	const long ret = rs_vdso_call(function, args);
	if (ret < 0)
		return (int)ret;
	const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	return out->n_state_bytes && out->n_state_bytes <= page_bytes ? 0 : -ERANGE;
}

int rs_random_map(struct rs_random_states *out, const struct rs_random_params *params,
		  unsigned int n)
{
	const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	*out = (struct rs_random_states){.pages = NULL};
	void *const pages = mmap(NULL, n * page_bytes, (int)params->map_prot,
				 (int)params->map_flags, -1, 0);
	if (pages == MAP_FAILED)
		return -errno;
	*out = (struct rs_random_states){
	    .pages = pages,
	    .n_bytes = n * page_bytes,
	    .stride = page_bytes,
	    .n_state_bytes = params->n_state_bytes,
	};
	return 0;
}

void rs_random_unmap(struct rs_random_states *states)
{
	if (states->pages)
		munmap(states->pages, states->n_bytes);
	*states = (struct rs_random_states){.pages = NULL};
}
