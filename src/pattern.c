#include "src/pattern.h"

#include <errno.h>
#include <string.h>

#include "src/base/text.h"
#include "src/operand.h"

static bool fits_operand(const char *pattern, const struct rs_workload *workload,
			 const struct rs_operand *operand)
{
	const struct rs_operand *const named = rs_operand_find(workload, pattern);
	if (named)
		return named->id == operand->id;
	return rs_text_glob(pattern, operand->name);
}

bool rs_pattern_fits(const struct rs_pattern *pattern,
		     const struct rs_workload *workload,
		     const struct rs_operand *operand)
{
	if (!rs_text_glob(pattern->workload, workload->name))
		return false;
	if (!operand)
		return !pattern->operand[0];
	return pattern->operand[0] && fits_operand(pattern->operand, workload, operand);
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
	char copy[sizeof(out->workload) + sizeof(out->operand) + sizeof(out->variant)];
	char clip[RS_CLIP_BYTES];
	bool whole = rs_text_copy(copy, sizeof(copy), text);
	const char *const variant = cut_at(copy, '/');
	const char *const operand = cut_at(copy, ':');
	whole &= rs_text_copy(out->workload, sizeof(out->workload), copy);
	whole &=
	    rs_text_copy(out->operand, sizeof(out->operand), operand ? operand : "");
	whole &=
	    rs_text_copy(out->variant, sizeof(out->variant), variant ? variant : "*");
	if (!whole)
		return rs_err_set(
		    err, -EINVAL,
		    "selector '%s' is too long for any workload or variant; "
		    "`retstack list workloads` shows them",
		    rs_text_clip(clip, text));
	if (!out->workload[0] || !out->variant[0] || (operand && !operand[0]))
		return rs_err_set(err, -EINVAL,
				  "selector '%s' has an empty part; write "
				  "WORKLOAD[:OPERAND][/VARIANT]",
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

static int no_such_operand(const struct rs_pattern *pattern, struct rs_err *err)
{
	char clip[RS_CLIP_BYTES];
	rs_text_clip(clip, pattern->operand);
	bool takes_any = false;
	rs_err_set(err, -EINVAL, "no workload that fits takes '%s'", clip);
	for (const struct rs_workload *w = rs_workloads(); w->name; w++) {
		const struct rs_operand *operand = rs_operands(w);
		if (!rs_text_glob(pattern->workload, w->name) || !operand->name)
			continue;
		takes_any = true;
		rs_text_append(err->text, sizeof(err->text), "; %s takes", w->name);
		for (; operand->name; operand++)
			rs_text_append(err->text, sizeof(err->text), " %s",
				       operand->name);
	}
	if (!takes_any)
		rs_text_append(err->text, sizeof(err->text),
			       ", nor anything else behind a colon");
	return -EINVAL;
}

static bool any_operand_fits(const struct rs_pattern *pattern,
			     const struct rs_workload *workload)
{
	if (!pattern->operand[0])
		return rs_pattern_fits(pattern, workload, NULL);
	for (const struct rs_operand *o = rs_operands(workload); o->name; o++) {
		if (rs_pattern_fits(pattern, workload, o))
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
	bool has_operand = false;
	struct rs_err names = {""};
	for (const struct rs_workload *w = rs_workloads(); w->name; w++) {
		has_workload |= rs_text_glob(pattern->workload, w->name);
		if (!any_operand_fits(pattern, w))
			continue;
		has_operand = true;
		const struct rs_family *const family = rs_isa_family(isa, w->family);
		names.text[0] = '\0';
		if (!family || any_variant_fits(pattern, family, &names))
			return 0;
	}
	if (!has_workload)
		return no_such_workload(pattern, err);
	if (!has_operand)
		return no_such_operand(pattern, err);
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
