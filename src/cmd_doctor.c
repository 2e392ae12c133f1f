#include "src/cmd.h"

#include <errno.h>

int rs_cmd_doctor(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	struct rs_err err;
	rs_err_set(&err, -ENOSYS, "'doctor' is not built yet");
	return rs_cmd_fail(RS_EXIT_UNMEASURABLE, &err);
}
