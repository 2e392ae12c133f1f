#include "events/pmu.h"

#include <errno.h>
#include <string.h>

#include "events/machine.h"
#include "src/base/file.h"
#include "src/base/text.h"

#define PMU_FILE "%s/bus/event_source/devices/%s/%s/%s"

/* Reads digits at *text; false when there are none or the number is above 63. */
static bool take_bit(const char **text, unsigned int *bit)
{
	if (**text < '0' || **text > '9')
		return false;
	*bit = 0;
	while (**text >= '0' && **text <= '9' && *bit < 64)
		*bit = *bit * 10 + (unsigned int)(*(*text)++ - '0');
	return *bit < 64;
}

/* Moves the low bits of *value into word at first..last. */
static void put_range(uint64_t *word, unsigned int first, unsigned int last,
		      uint64_t *value)
{
	const unsigned int width = last - first + 1;
	const uint64_t mask = width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
	*word &= ~(mask << first);
	*word |= (*value & mask) << first;
	*value = width == 64 ? 0 : *value >> width;
}

int rs_pmu_put_bits(const char *format, uint64_t value, uint64_t config[3])
{
	static const char *const words[] = {"config:", "config1:", "config2:"};
	size_t which = 0;
	while (which < 3 && strncmp(format, words[which], strlen(words[which])) != 0)
		which++;
	if (which == 3)
		return -EINVAL;
	const char *text = format + strlen(words[which]);
	for (;;) {
		unsigned int first;
		if (!take_bit(&text, &first))
			return -EINVAL;
		unsigned int last = first;
		if (*text == '-') {
			text++;
			if (!take_bit(&text, &last) || last < first)
				return -EINVAL;
		}
		put_range(&config[which], first, last, &value);
		if (*text == '\0')
			return value ? -ERANGE : 0;
		if (*text++ != ',')
			return -EINVAL;
	}
}

/* One "term", "term=value" or event name of a PMU. */
struct term {
	char name[128];
	char value[32]; /* "" when there is no '=' */
	bool has_value;
};

static const char *const config_terms[] = {"config", "config1", "config2"};

static int put_term(const struct rs_pmu *pmu, const struct term *term,
		    uint64_t config[3], struct rs_err *err)
{
	uint64_t value = 1;
	if (term->has_value && rs_text_u64(term->value, 0, UINT64_MAX, &value))
		return rs_err_set(
		    err, -EINVAL,
		    "term '%s=%s' of PMU %s needs a number, decimal or 0x", term->name,
		    term->value, pmu->name);
	for (size_t i = 0; i < 3; i++) {
		if (strcmp(term->name, config_terms[i]) == 0) {
			config[i] |= value;
			return 0;
		}
	}
	char format[128];
	if (strchr(term->name, '/') || term->name[0] == '.' ||
	    rs_file_read_text(format, sizeof(format), PMU_FILE, rs_roots_get()->sys,
			      pmu->name, "format", term->name) < 0)
		return rs_err_set(err, -EINVAL,
				  "PMU %s has no term '%s'; its terms are the files of "
				  "/sys/bus/event_source/devices/%s/format and /events",
				  pmu->name, term->name, pmu->name);
	const int ret = rs_pmu_put_bits(format, value, config);
	if (ret == -ERANGE)
		return rs_err_set(err, -EINVAL,
				  "value %s of term '%s' does not fit its bits (%s)",
				  term->value, term->name, format);
	if (ret)
		return rs_err_set(err, -EINVAL,
				  "the kernel describes term '%s' of PMU %s as '%s', "
				  "which is no bit range",
				  term->name, pmu->name, format);
	return 0;
}

static int split_term(struct term *term, const char *start, size_t length,
		      const struct rs_pmu *pmu, struct rs_err *err)
{
	char text[160];
	if (length == 0)
		return rs_err_set(err, -EINVAL, "an empty term in '%s/.../'",
				  pmu->name);
	if (length >= sizeof(text))
		return rs_err_set(err, -EINVAL, "a term of '%s/.../' is too long",
				  pmu->name);
	memcpy(text, start, length);
	text[length] = '\0';
	char *const equals = strchr(text, '=');
	if (equals)
		*equals = '\0';
	*term = (struct term){.has_value = equals != NULL};
	if (!rs_text_copy(term->name, sizeof(term->name), text) ||
	    (equals && !rs_text_copy(term->value, sizeof(term->value), equals + 1)))
		return rs_err_set(err, -EINVAL, "a term of '%s/.../' is too long",
				  pmu->name);
	return 0;
}

/* may_name_events is false inside an events/ file, which cannot name another. */
static int put_terms(const struct rs_pmu *pmu, const char *terms, bool may_name_events,
		     uint64_t config[3], struct rs_err *err)
{
	for (;;) {
		const size_t length = strcspn(terms, ",");
		struct term term;
		int ret = split_term(&term, terms, length, pmu, err);
		if (ret)
			return ret;
		char event[512];
		const bool is_event = may_name_events && !term.has_value &&
				      !strchr(term.name, '/') && term.name[0] != '.' &&
				      rs_file_read_text(event, sizeof(event), PMU_FILE,
							rs_roots_get()->sys, pmu->name,
							"events", term.name) > 0;
		ret = is_event ? put_terms(pmu, event, false, config, err)
			       : put_term(pmu, &term, config, err);
		if (ret)
			return ret;
		if (!terms[length])
			return 0;
		terms += length + 1;
	}
}

int rs_pmu_encode(const struct rs_pmu *pmu, const char *terms, uint64_t config[3],
		  struct rs_err *err)
{
	memset(config, 0, 3 * sizeof(*config));
	return put_terms(pmu, terms, true, config, err);
}
