#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/sink.h"
#include "report/utf8.h"
#include "report/writers.h"

/*
 * Test Anything Protocol, version 13 (testanything.org): one line for each check; what
 * could not be made is skipped, with the reason.
 */

static void put_text(struct rs_sink *sink, const char *text)
{
	char *const clean = rs_utf8_clean(text);
	if (!clean)
		rs_sink_fail(sink, -ENOMEM);
	/* It begins a directive. */
	for (char *hash = clean ? strchr(clean, '#') : NULL; hash;
	     hash = strchr(hash, '#'))
		*hash = ' ';
	rs_sink_text(sink, clean ? clean : "");
	free(clean);
}

static void put_diagnostic(struct rs_sink *sink, const char *text)
{
	if (!text)
		return;
	rs_sink_text(sink, "# ");
	put_text(sink, text);
	rs_sink_text(sink, "\n");
}

static void put_check(struct rs_sink *sink, const struct rs_check *check, size_t number)
{
	const bool is_bad = check->state == RS_CHECK_BAD;
	const bool is_skipped = check->state == RS_CHECK_UNKNOWN;
	rs_sink_printf(sink, "%s %zu - ", is_bad ? "not ok" : "ok", number);
	put_text(sink, check->name);
	if (is_skipped) {
		rs_sink_text(sink, " # SKIP ");
		put_text(sink, check->cause ? check->cause : "unknown");
	}
	rs_sink_text(sink, "\n");
	put_diagnostic(sink, check->value);
	if (!is_skipped)
		put_diagnostic(sink, check->cause);
	put_diagnostic(sink, check->remedy);
}

int rs_tap_checkup(const struct rs_checkup *checkup, const struct rs_style *style,
		   FILE *out)
{
	(void)style;
	struct rs_sink sink;
	rs_sink_begin(&sink, out);
	rs_sink_printf(&sink, "TAP version 13\n1..%zu\n", checkup->n_checks);
	for (size_t i = 0; i < checkup->n_checks; i++)
		put_check(&sink, &checkup->checks[i], i + 1);
	return rs_sink_end(&sink);
}
