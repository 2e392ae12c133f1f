#include "src/findings.h"

#include <errno.h>
#include <stdlib.h>

/* The field of an ISA's advice that a kind asks for. */
enum ask {
	ASK_NOTHING,
	ASK_READ_PC,
	ASK_JUMP,
	ASK_RET,
	ASK_CALL,
	ASK_PATHS
};

static const struct row {
	const char *name;
	const char *text;
	enum rs_grade grade;
	enum ask ask;
	unsigned int mispredicts;
} rows[RS_N_FINDING_KINDS] = {
    [RS_PUSH_WITHOUT_POP] = {"push-without-pop",
			     "a call that only reads the PC is pushed and never popped",
			     RS_GRADE_FINDING, ASK_READ_PC, 1},
    [RS_POP_WITHOUT_PUSH] = {"pop-without-push",
			     "a return instruction that jumps elsewhere",
			     RS_GRADE_FINDING, ASK_JUMP, 2},
    [RS_CALL_POPS] = {"pop-without-push",
		      "a call through the link register pops an entry first",
		      RS_GRADE_FINDING, ASK_CALL, 2},
    [RS_RETURN_BY_JUMP] = {"return-by-jump",
			   "an indirect jump takes the return address",
			   RS_GRADE_FINDING, ASK_RET, 1},
    [RS_UNBALANCED_PATH] = {"unbalanced-path",
			    "paths meet or return at different depths",
			    RS_GRADE_FINDING, ASK_PATHS, 1},
    [RS_NOTE_EXEMPT] = {"exempt-read", "reads the PC in a form that is not pushed",
			RS_GRADE_NOTE, ASK_NOTHING, 0},
    [RS_NOTE_THUNK] = {"get-pc-thunk",
		       "tells where it was called from, and returns there",
		       RS_GRADE_NOTE, ASK_NOTHING, 0},
    [RS_NOTE_RETPOLINE] = {"retpoline",
			   "a return to another address, mispredicted on purpose",
			   RS_GRADE_NOTE, ASK_NOTHING, 0},
    [RS_NOTE_SWITCH] = {"stack-switch",
			"leaves for another stack, where nothing can balance",
			RS_GRADE_NOTE, ASK_NOTHING, 0},
    [RS_NOTE_TRAMPOLINE] = {"signal-trampoline",
			    "entered by the kernel or by a handler's return",
			    RS_GRADE_NOTE, ASK_NOTHING, 0},
    [RS_UNDECODED] = {"undecoded", "bytes that are no instruction", RS_GRADE_UNDECODED,
		      ASK_NOTHING, 0},
};

int rs_findings_add(struct rs_findings *findings, const struct rs_finding *finding)
{
	if (findings->n_rows == findings->max_rows) {
		const size_t max = findings->max_rows ? 2 * findings->max_rows : 64;
		struct rs_finding *const grown =
		    reallocarray(findings->rows, max, sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		findings->rows = grown;
		findings->max_rows = max;
	}
	findings->rows[findings->n_rows++] = *finding;
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct rs_finding *const left = a;
	const struct rs_finding *const right = b;
	if (left->address != right->address)
		return left->address < right->address ? -1 : 1;
	return (left->kind > right->kind) - (left->kind < right->kind);
}

void rs_findings_sort(struct rs_findings *findings)
{
	if (findings->n_rows)
		qsort(findings->rows, findings->n_rows, sizeof(*findings->rows),
		      compare);
}

void rs_findings_free(struct rs_findings *findings)
{
	free(findings->rows);
	*findings = (struct rs_findings){.rows = NULL};
}

enum rs_grade rs_finding_grade(enum rs_finding_kind kind)
{
	return rows[kind].grade;
}

const char *rs_grade_name(enum rs_grade grade)
{
	static const char *const names[] = {
	    [RS_GRADE_FINDING] = "finding",
	    [RS_GRADE_NOTE] = "note",
	    [RS_GRADE_UNDECODED] = "undecoded",
	};
	return names[grade];
}

const char *rs_finding_name(enum rs_finding_kind kind)
{
	return rows[kind].name;
}

const char *rs_finding_text(enum rs_finding_kind kind)
{
	return rows[kind].text;
}

unsigned int rs_finding_mispredicts(enum rs_finding_kind kind)
{
	return rows[kind].mispredicts;
}

const char *rs_finding_severity(enum rs_finding_kind kind,
				const struct rs_decoder *decoder)
{
	if (rows[kind].grade != RS_GRADE_FINDING)
		return NULL;
	return rs_advice_of(decoder)->is_published ? "high" : "possible";
}

const char *rs_finding_replacement(enum rs_finding_kind kind,
				   const struct rs_decoder *decoder)
{
	const struct rs_advice *const advice = rs_advice_of(decoder);
	switch (rows[kind].ask) {
	case ASK_NOTHING:
		return NULL;
	case ASK_READ_PC:
		return advice->read_pc;
	case ASK_JUMP:
		return advice->jump;
	case ASK_RET:
		return advice->ret;
	case ASK_CALL:
		return advice->call;
	case ASK_PATHS:
		return "as many calls as returns on every path";
	}
	return NULL;
}
