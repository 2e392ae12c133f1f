#include "src/pattern.h"

#include <errno.h>
#include <string.h>

#include "src/base/text.h"

const struct rs_clock *rs_default_clock(void)
{
	return rs_clock_find("monotonic");
}

static bool fits_clock(const char *pattern, const struct rs_clock *clock)
{
	const struct rs_clock *const named = rs_clock_find(pattern);
	if (named)
		return named->id == clock->id;
	return rs_text_glob(pattern, clock->name);
}

bool rs_pattern_fits(const struct rs_pattern *pattern,
		     const struct rs_workload *workload, const struct rs_clock *clock)
{
	if (!rs_text_glob(pattern->workload, workload->name))
		return false;
	if (!clock)
		return !pattern->clock[0];
	return pattern->clock[0] && fits_clock(pattern->clock, clock);
}

bool rs_pattern_fits_variant(const struct rs_pattern *pattern,
			     const struct rs_variant *variant)
{
	return rs_text_glob(pattern->variant, variant->name);
}

/* Cuts text at the first of mark, in place; NULL when there is none. */
static char *cut_at(char *text, char mark)
{
	char *const found = strchr(text, mark);
	if (!found)
		return NULL;
	*found = '\0';
	return found + 1;
}

static int split(struct rs_pattern *out, const char *text, struct rs_err *err)
{
	char copy[sizeof(out->workload) + sizeof(out->clock) + sizeof(out->variant)];
	char clip[RS_CLIP_BYTES];
	bool whole = rs_text_copy(copy, sizeof(copy), text);
	const char *const variant = cut_at(copy, '/');
	const char *const clock = cut_at(copy, ':');
	whole &= rs_text_copy(out->workload, sizeof(out->workload), copy);
	whole &= rs_text_copy(out->clock, sizeof(out->clock), clock ? clock : "");
	whole &=
	    rs_text_copy(out->variant, sizeof(out->variant), variant ? variant : "*");
	if (!whole)
		return rs_err_set(
		    err, -EINVAL,
		    "selector '%s' is too long for any workload or variant; "
		    "`retstack list workloads` shows them",
		    rs_text_clip(clip, text));
	if (!out->workload[0] || !out->variant[0] || (clock && !clock[0]))
		return rs_err_set(err, -EINVAL,
				  "selector '%s' has an empty part; write "
				  "WORKLOAD[:CLOCK][/VARIANT]",
				  rs_text_clip(clip, text));
	return 0;
}

static int no_such_workload(const struct rs_pattern *pattern, struct rs_err *err)
{
	const char *names[64];
	size_t n = 0;
	for (const struct rs_workload *w = rs_workloads(); w->name && n < 63; w++)
		names[n++] = w->name;
	names[n] = NULL;
	char clip[RS_CLIP_BYTES];
	const char *const nearest = rs_text_nearest(pattern->workload, names);
	rs_err_set(err, -EINVAL, "no workload fits '%s'",
		   rs_text_clip(clip, pattern->workload));
	if (nearest)
		rs_text_append(err->text, sizeof(err->text), "; did you mean '%s'?",
			       nearest);
	else
		rs_text_append(err->text, sizeof(err->text),
			       "; `retstack list workloads` shows them");
	return -EINVAL;
}

static int no_such_clock(const struct rs_pattern *pattern, struct rs_err *err)
{
	char clip[RS_CLIP_BYTES];
	rs_err_set(err, -EINVAL, "no workload that fits takes a clock '%s'; clocks are",
		   rs_text_clip(clip, pattern->clock));
	for (const struct rs_clock *clock = rs_clocks(); clock->name; clock++)
		rs_text_append(err->text, sizeof(err->text), " %s", clock->name);
	rs_text_append(err->text, sizeof(err->text),
		       ", for clock_gettime and clock_getres");
	return -EINVAL;
}

static bool any_clock_fits(const struct rs_pattern *pattern,
			   const struct rs_workload *workload)
{
	if (!pattern->clock[0])
		return rs_pattern_fits(pattern, workload, NULL);
	if (!workload->takes_clock)
		return false;
	for (const struct rs_clock *clock = rs_clocks(); clock->name; clock++) {
		if (rs_pattern_fits(pattern, workload, clock))
			return true;
	}
	return false;
}

static bool any_variant_fits(const struct rs_pattern *pattern,
			     const struct rs_family *family, struct rs_err *names)
{
	for (const struct rs_variant *v = family->variants; v->name; v++) {
		if (rs_pattern_fits_variant(pattern, v))
			return true;
		rs_text_append(names->text, sizeof(names->text), " %s", v->name);
	}
	return false;
}

static int check(const struct rs_pattern *pattern, const struct rs_isa *isa,
		 struct rs_err *err)
{
	bool has_workload = false;
	bool has_clock = false;
	struct rs_err names = {""};
	for (const struct rs_workload *w = rs_workloads(); w->name; w++) {
		has_workload |= rs_text_glob(pattern->workload, w->name);
		if (!any_clock_fits(pattern, w))
			continue;
		has_clock = true;
		const struct rs_family *const family = rs_isa_family(isa, w->family);
		names.text[0] = '\0';
		if (!family || any_variant_fits(pattern, family, &names))
			return 0;
	}
	if (!has_workload)
		return no_such_workload(pattern, err);
	if (!has_clock)
		return no_such_clock(pattern, err);
	char clip[RS_CLIP_BYTES];
	return rs_err_set(
	    err, -EINVAL, "workload '%s' has no variant '%s'; it has%.800s",
	    pattern->workload, rs_text_clip(clip, pattern->variant), names.text);
}

int rs_pattern_parse(struct rs_pattern *out, const char *text, const struct rs_isa *isa,
		     struct rs_err *err)
{
	const int ret = split(out, text, err);
	return ret ? ret : check(out, isa, err);
}
