#include "src/linkstack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* 16 bytes, so that four share a cache line. */
struct rs_linkstack_slot {
	uint64_t address;
	uint32_t site;
	uint32_t n_calls; /* that share it: 1, or up to rules.merge */
};

static const char *const overflow_names[] = {
    [RS_OVERFLOW_CIRCULAR] = "circular",
    [RS_OVERFLOW_DROP_OLDEST] = "drop-oldest",
    [RS_OVERFLOW_REFUSE] = "refuse",
    [RS_OVERFLOW_REFUSE_COUNT] = "refuse-count",
};

static const char *const underflow_names[] = {
    [RS_UNDERFLOW_STALE] = "stale",
    [RS_UNDERFLOW_NONE] = "none",
};

static const char *const linkreg_names[] = {
    [RS_LINKREG_ISA] = "isa",
    [RS_LINKREG_X1] = "x1",
    [RS_LINKREG_ODD] = "odd",
};

const char *rs_overflow_name(enum rs_overflow overflow)
{
	return overflow < RS_N_OVERFLOW ? overflow_names[overflow] : NULL;
}

const char *rs_underflow_name(enum rs_underflow underflow)
{
	return underflow < RS_N_UNDERFLOW ? underflow_names[underflow] : NULL;
}

const char *rs_linkreg_name(enum rs_linkreg linkreg)
{
	return linkreg < RS_N_LINKREG ? linkreg_names[linkreg] : NULL;
}

const char *rs_exempt_name(unsigned int bit)
{
	switch (bit) {
	case RS_EXEMPT_ISA:
		return "isa";
	case RS_EXEMPT_NEXT:
		return "next";
	case RS_EXEMPT_BLRL:
		return "blrl";
	default:
		return NULL;
	}
}

int rs_linkstack_open(struct rs_linkstack *stack,
		      const struct rs_linkstack_rules *rules, struct rs_err *err)
{
	*stack = (struct rs_linkstack){0};
	if (rules->entries < 1 || rules->entries > RS_LINKSTACK_MAX_ENTRIES)
		return rs_err_set(err, -EINVAL,
				  "a link stack has 1 to %u entries, not %u",
				  RS_LINKSTACK_MAX_ENTRIES, rules->entries);
	if (rules->merge < 1)
		return rs_err_set(err, -EINVAL,
				  "at least one push belongs to each entry");
	struct rs_linkstack_slot *const slots = calloc(rules->entries, sizeof(*slots));
	if (!slots)
		return rs_err_set(err, -ENOMEM,
				  "not enough memory for a link stack of %u entries",
				  rules->entries);
	for (uint32_t i = 0; i < rules->entries; i++)
		slots[i].site = RS_NO_SITE;
	stack->rules = *rules;
	stack->slots = slots;
	return 0;
}

void rs_linkstack_close(struct rs_linkstack *stack)
{
	free(stack->slots);
	*stack = (struct rs_linkstack){0};
}

void rs_linkstack_reset_counts(struct rs_linkstack *stack)
{
	stack->counts = (struct rs_linkstack_counts){0};
}

/* Pointers go round by comparison: a division costs more than all the rest here. */
static uint32_t above(const struct rs_linkstack *stack, uint32_t index)
{
	return index + 1 == stack->rules.entries ? 0 : index + 1;
}

static uint32_t below(const struct rs_linkstack *stack, uint32_t index)
{
	return (index ? index : stack->rules.entries) - 1;
}

static bool merges(const struct rs_linkstack *stack, uint64_t address)
{
	const struct rs_linkstack_slot *const top = &stack->slots[stack->top];
	return stack->n_held && top->address == address &&
	       top->n_calls < stack->rules.merge;
}

void rs_linkstack_push(struct rs_linkstack *stack, uint64_t address, uint32_t site)
{
	stack->counts.pushes++;
	if (stack->n_refused) {
		stack->n_refused++;
		return;
	}
	if (merges(stack, address)) {
		stack->slots[stack->top].n_calls++;
		return;
	}
	if (stack->n_held < stack->rules.entries) {
		stack->n_held++;
	} else if (stack->rules.overflow >= RS_OVERFLOW_REFUSE) {
		stack->n_refused += stack->rules.overflow == RS_OVERFLOW_REFUSE_COUNT;
		return;
	}
	stack->top = above(stack, stack->top);
	stack->slots[stack->top] = (struct rs_linkstack_slot){address, site, 1};
}

static struct rs_guess guess_from(const struct rs_linkstack *stack, uint32_t index,
				  uint64_t target)
{
	const struct rs_linkstack_slot *const slot = &stack->slots[index];
	return (struct rs_guess){
	    .is_made = slot->n_calls != 0, /* 0: nothing was ever there */
	    .is_right = slot->n_calls != 0 && slot->address == target,
	    .address = slot->address,
	    .site = slot->site,
	};
}

/* With nothing held, only a pointer that cannot know it moves on. */
static struct rs_guess pop_empty(struct rs_linkstack *stack, uint64_t target)
{
	if (stack->rules.underflow == RS_UNDERFLOW_NONE)
		return (struct rs_guess){.site = RS_NO_SITE};
	if (stack->rules.overflow != RS_OVERFLOW_CIRCULAR)
		return guess_from(stack, above(stack, stack->top), target);
	const uint32_t stale = stack->top;
	stack->top = below(stack, stale);
	return guess_from(stack, stale, target);
}

static struct rs_guess pop_held(struct rs_linkstack *stack, uint64_t target)
{
	const uint32_t top = stack->top;
	const struct rs_guess guess = guess_from(stack, top, target);
	if (stack->slots[top].n_calls > 1) {
		stack->slots[top].n_calls--;
		return guess;
	}
	stack->top = below(stack, top);
	stack->n_held--;
	return guess;
}

struct rs_guess rs_linkstack_pop(struct rs_linkstack *stack, uint64_t target)
{
	struct rs_guess guess = {.site = RS_NO_SITE};
	const bool was_empty = stack->n_held == 0;
	stack->counts.pops++;
	if (stack->n_refused)
		stack->n_refused--;
	else
		guess =
		    stack->n_held ? pop_held(stack, target) : pop_empty(stack, target);
	guess.was_empty = was_empty;
	stack->counts.mispredicts += !guess.is_right;
	return guess;
}

void rs_linkstack_exempt(struct rs_linkstack *stack)
{
	stack->counts.exempt++;
}

static bool is_call_to_next(const struct rs_executed *executed)
{
	const struct rs_insn *const insn = executed->insn;
	return insn->has_target && insn->target == executed->address + insn->n_bytes;
}

/* What an instruction is to a core that takes other registers for link registers. */
static enum rs_flow by_register(const struct rs_insn *insn, enum rs_linkreg linkreg)
{
	const bool is_call = linkreg == RS_LINKREG_X1
				 ? insn->link == RS_REG(1)
				 : insn->link && (insn->link - RS_REG(0)) % 2 == 1;
	if (is_call)
		return RS_FLOW_PUSH;
	if (insn->flow == RS_FLOW_POP)
		return RS_FLOW_POP;
	return insn->link ? RS_FLOW_EXEMPT : RS_FLOW_OTHER;
}

/* The form by the published rules, then as this processor differs from them. */
static enum rs_flow flow_of(const struct rs_linkstack_rules *rules,
			    const struct rs_executed *executed)
{
	const struct rs_insn *const insn = executed->insn;
	const bool is_special = insn->link == RS_REG_STACK || insn->link == RS_REG_LR;
	if (rules->linkreg != RS_LINKREG_ISA && !is_special)
		return by_register(insn, rules->linkreg);
	switch (insn->flow) {
	case RS_FLOW_PUSH:
		return rules->exempt & RS_EXEMPT_NEXT && is_call_to_next(executed)
			   ? RS_FLOW_EXEMPT
			   : RS_FLOW_PUSH;
	case RS_FLOW_EXEMPT:
		return is_special && is_call_to_next(executed) &&
			       !(rules->exempt & (RS_EXEMPT_ISA | RS_EXEMPT_NEXT))
			   ? RS_FLOW_PUSH
			   : RS_FLOW_EXEMPT;
	case RS_FLOW_POP_PUSH:
		return rules->exempt & RS_EXEMPT_BLRL && insn->through == RS_REG_LR
			   ? RS_FLOW_POP
			   : RS_FLOW_POP_PUSH;
	case RS_FLOW_POP:
		return RS_FLOW_POP;
	default:
		return RS_FLOW_OTHER;
	}
}

enum rs_flow rs_linkstack_step(struct rs_linkstack *stack,
			       const struct rs_executed *executed,
			       struct rs_guess *guess)
{
	const struct rs_insn *const insn = executed->insn;
	const uint64_t after = executed->address + insn->n_bytes;
	const bool is_taken = executed->next != after || !insn->is_conditional;
	if (insn->flow == RS_FLOW_OTHER || !is_taken)
		return RS_FLOW_OTHER;
	const enum rs_flow flow = flow_of(&stack->rules, executed);
	if (flow == RS_FLOW_EXEMPT)
		rs_linkstack_exempt(stack);
	if (flow == RS_FLOW_POP || flow == RS_FLOW_POP_PUSH)
		*guess = rs_linkstack_pop(stack, executed->next);
	if (flow == RS_FLOW_PUSH || flow == RS_FLOW_POP_PUSH)
		rs_linkstack_push(stack, after, executed->site);
	return flow;
}
