#include "src/exec_log.h"

#include <elf.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "src/tally.h"

#define N_ROWS(rows) (sizeof(rows) / sizeof((rows)[0]))
#define MAX_STEPS    4

/* What a log says; an address of 0 ends the steps. */
static const struct {
	const char *name;
	uint16_t machine;
	const char *text;
	struct rs_exec_step steps[MAX_STEPS];
	int end; /* what follows them: 0 or a negative errno */
	bool is_cut;
	const char *sentence; /* part of it, of an error */
} logs[] = {
    {"one thread, among other lines",
     EM_PPC64,
     "host mmap_min_addr=0x10000\n"
     "Trace 0: 0x7fff880003c0 [00000000/0000000010000628/00000000/ff000200] _start\n"
     "Linking TBs 0x7fff8 [0000] index 0 -> 0x7fff9 [0001]\n"
     "Trace 0: 0x7fff88000500 [00000000/000000001000062c/00000000/ff000200] a]b[c\n",
     {{0, 0x10000628}, {0, 0x1000062c}},
     0,
     false,
     NULL},
    {"two threads, and no flags as before version 5",
     EM_X86_64,
     "Trace 0: 0x7f00 [0000000000000000/0000000000401000/00c0b3] \n"
     "Trace 12: 0x7f40 [0000000000000000/ffffffffff600000/00c0b3] f\n",
     {{0, 0x401000}, {12, 0xffffffffff600000}},
     0,
     false,
     NULL},
    {"s390x's execute",
     EM_S390,
     "Trace 0: 0x7f00 [0000000000000000/0000000001000628/1/2] f\n"
     "Trace 0: 0x7f40 [d20050001000/0000000001000628/1/2] f\n"
     "Trace 0: 0x7f80 [0000000000000000/000000000100062e/1/2] f\n",
     {{0, 0x1000628}, {0, 0x100062e}},
     0,
     false,
     NULL},
    {"a base that means something else",
     EM_AARCH64,
     "Trace 0: 0x7f00 [800000/0000000000400000/1/2] f\n",
     {{0, 0x400000}},
     0,
     false,
     NULL},
    {"cut in the middle of an address",
     EM_PPC,
     "Trace 0: 0x7f00 [00000000/10000628/00000000/ff000200] f\n"
     "Trace 0: 0x7f00 [00000000/100",
     {{0, 0x10000628}},
     0,
     true,
     NULL},
    {"nothing", EM_PPC, "", {{0, 0}}, -EBADMSG, false, "-singlestep -d nochain,exec"},
    {"another log", EM_PPC, "IN: main\n", {{0, 0}}, -EBADMSG, false, "no executed"},
    {"an address that is none",
     EM_PPC,
     "\nTrace 0: 0x7f00 [00000000/here/00000000/ff000200] f\n",
     {{0, 0}},
     -EBADMSG,
     false,
     "line 2: 'Trace'"},
};

static void write_file(const char *path, const char *text)
{
	FILE *const file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static void logs_are_read(void **state)
{
	(void)state;
	char path[] = "/tmp/exec_log_XXXXXX";
	const int fd = mkstemp(path);
	assert_true(fd >= 0);
	close(fd);
	for (size_t i = 0; i < N_ROWS(logs); i++) {
		struct rs_exec_log log;
		struct rs_exec_step step;
		struct rs_err err = {.text = ""};
		print_message("%s\n", logs[i].name);
		write_file(path, logs[i].text);
		assert_int_equal(rs_exec_log_open(&log, path, logs[i].machine, &err),
				 0);
		for (size_t k = 0; logs[i].steps[k].address; k++) {
			assert_int_equal(rs_exec_log_next(&log, &step, &err), 1);
			assert_int_equal(step.cpu, logs[i].steps[k].cpu);
			assert_int_equal(step.address, logs[i].steps[k].address);
		}
		assert_int_equal(rs_exec_log_next(&log, &step, &err), logs[i].end);
		assert_int_equal(log.is_cut, logs[i].is_cut);
		if (logs[i].sentence)
			assert_non_null(strstr(err.text, logs[i].sentence));
		rs_exec_log_close(&log);
		rs_exec_log_close(&log);
	}
	unlink(path);
}

static void what_is_no_file_is_an_error(void **state)
{
	(void)state;
	struct rs_exec_log log;
	struct rs_exec_step step;
	struct rs_err err = {.text = ""};
	assert_int_equal(rs_exec_log_open(&log, "/nonexistent/log", EM_PPC, &err),
			 -ENOENT);
	assert_non_null(strstr(err.text, "'/nonexistent/log'"));
	assert_int_equal(rs_exec_log_open(&log, "/", EM_PPC, &err), 0);
	assert_int_equal(rs_exec_log_next(&log, &step, &err), -EISDIR);
	rs_exec_log_close(&log);
}

static void branches_are_tallied(void **state)
{
	(void)state;
	static const struct {
		struct rs_insn insn;
		bool is_taken;
		struct rs_tally tally;
	} rows[] = {
	    {{.flow = RS_FLOW_OTHER}, false, {1, 0, 0, 0, 0}},
	    {{.flow = RS_FLOW_PUSH}, true, {1, 1, 1, 0, 0}},
	    {{.flow = RS_FLOW_PUSH}, false, {1, 1, 1, 0, 0}},
	    {{.flow = RS_FLOW_EXEMPT}, true, {1, 1, 0, 0, 1}},
	    {{.flow = RS_FLOW_POP}, true, {1, 1, 0, 1, 0}},
	    {{.flow = RS_FLOW_POP, .is_conditional = true}, true, {1, 1, 0, 1, 0}},
	    {{.flow = RS_FLOW_POP, .is_conditional = true}, false, {1, 1, 0, 0, 0}},
	    {{.flow = RS_FLOW_POP_PUSH}, true, {1, 1, 1, 1, 0}},
	    {{.flow = RS_FLOW_JUMP, .is_conditional = true}, false, {1, 1, 0, 0, 0}},
	    {{.flow = RS_FLOW_INDIRECT}, true, {1, 1, 0, 0, 0}},
	    {{.flow = RS_FLOW_TRAP}, true, {1, 0, 0, 0, 0}},
	};
	for (size_t i = 0; i < N_ROWS(rows); i++) {
		struct rs_tally tally = {0};
		rs_tally_add(&tally, &rows[i].insn, rows[i].is_taken);
		print_message("row %zu\n", i);
		assert_memory_equal(&tally, &rows[i].tally, sizeof(tally));
		rs_tally_add(&tally, &rows[i].insn, rows[i].is_taken);
		assert_int_equal(tally.pushes, 2 * rows[i].tally.pushes);
	}
}

static void images_have_decoders(void **state)
{
	(void)state;
	for (const struct rs_decoder *d = rs_decoders(); d->name; d++)
		assert_ptr_equal(
		    rs_decoder_of_elf(d->machine, d->elf_class, d->elf_data), d);
	assert_null(rs_decoder_of_elf(EM_SPARC, ELFCLASS64, ELFDATA2MSB));
	assert_null(rs_decoder_of_elf(EM_X86_64, ELFCLASS64, ELFDATA2MSB));
	assert_null(rs_decoder_of_elf(EM_S390, ELFCLASS32, ELFDATA2MSB));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(logs_are_read),
	    cmocka_unit_test(what_is_no_file_is_an_error),
	    cmocka_unit_test(branches_are_tallied),
	    cmocka_unit_test(images_have_decoders),
	};
	return cmocka_run_group_tests_name("exec_log", tests, NULL, NULL);
}
