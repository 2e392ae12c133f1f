/*
 * What does the audit say of the host's own kernels? It finds something in those that
 * are there to unbalance the link stack, and in no other.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "arch/arch.h"
#include "src/audit.h"

/* The decoder whose name is the ISA's, which writes x86_64 with a hyphen. */
static const struct rs_decoder *host_decoder(void)
{
	const char *const name = rs_isa_host()->name;
	const struct rs_decoder *const found =
	    rs_decoder_find(strcmp(name, "x86-64") == 0 ? "x86_64" : name);
	if (!found)
		fail_msg("no decoder for %s", name);
	return found;
}

/*
 * The tracer of this one writes another return address into its caller's frame, where
 * no reading of a single function sees it. A signal handler is entered by the kernel.
 */
static bool is_out_of_sight(const struct rs_family *family,
			    const struct rs_variant *variant)
{
	return (strcmp(family->name, "profile") == 0 &&
		strcmp(variant->name, "graph+jmp") == 0) ||
	       strcmp(family->name, "signal") == 0;
}

static size_t n_found(const struct rs_kernel *kernel)
{
	struct rs_audit audit;
	struct rs_err err;
	assert_int_equal(rs_audit_raw(&audit, host_decoder(), kernel->start,
				      (size_t)(kernel->end - kernel->start),
				      (uintptr_t)kernel->start, &err),
			 0);
	const size_t n = rs_audit_count(&audit, RS_GRADE_FINDING);
	rs_audit_close(&audit);
	return n;
}

static size_t check(const struct rs_family *family, const struct rs_variant *variant)
{
	const bool is_corrupting = variant->effect == RS_EFFECT_CORRUPTING &&
				   !is_out_of_sight(family, variant);
	if (!variant->kernel)
		return 0;
	const size_t n = n_found(variant->kernel);
	print_message("%s %s: %s, %zu found\n", family->name, variant->name,
		      rs_effect_name(variant->effect), n);
	assert_int_equal(n > 0, is_corrupting);
	return is_corrupting;
}

static void test_finds_corrupting_kernels(void **state)
{
	(void)state;
	size_t n_corrupting = 0;
	for (const struct rs_family *f = rs_isa_host()->families; f->name; f++) {
		for (const struct rs_variant *v = f->variants; v->name; v++)
			n_corrupting += check(f, v);
	}
	assert_true(n_corrupting >= 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_finds_corrupting_kernels),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
