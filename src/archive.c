#include "src/archive.h"

#include <ar.h>
#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/text.h"

static const char thin[] = "!<thin>\n";

bool rs_archive_is(const void *bytes, size_t n_bytes)
{
	return n_bytes >= SARMAG &&
	       (memcmp(bytes, ARMAG, SARMAG) == 0 || memcmp(bytes, thin, SARMAG) == 0);
}

int rs_archive_open(struct rs_archive *out, const char *path, const void *bytes,
		    size_t n_bytes, struct rs_err *err)
{
	*out = (struct rs_archive){
	    .bytes = bytes, .n_bytes = n_bytes, .at = SARMAG, .path = path};
	if (memcmp(bytes, thin, SARMAG) == 0)
		return rs_err_set(err, -EINVAL,
				  "%s is a thin archive, which only names its members; "
				  "give those files instead",
				  path);
	return 0;
}

/* A decimal number in a field that blanks fill up; false if there is none. */
static bool number_of(const char *field, size_t n, uint64_t *out)
{
	char text[16] = "";
	size_t n_digits = 0;
	while (n_digits < n && n_digits < sizeof(text) - 1 &&
	       isdigit((unsigned char)field[n_digits])) {
		text[n_digits] = field[n_digits];
		n_digits++;
	}
	return rs_text_u64(text, 0, UINT32_MAX * UINT64_C(4), out) == 0;
}

static void copy_name(struct rs_member *member, const char *name, size_t n)
{
	size_t i = 0;
	for (; i < n && i < sizeof(member->name) - 1 && name[i] && name[i] != '/'; i++)
		member->name[i] = name[i];
	while (i > 0 && member->name[i - 1] == ' ')
		i--;
	member->name[i] = '\0';
}

/* In the table a name ends with a slash and a line feed. */
static void set_long_name(const struct rs_archive *archive, struct rs_member *member,
			  uint64_t at)
{
	member->name[0] = '\0';
	if (archive->names && at < archive->n_name_bytes)
		copy_name(member, archive->names + at, archive->n_name_bytes - at);
	if (!member->name[0])
		rs_text_copy(member->name, sizeof(member->name), "?");
}

/* BSD's long names are the first bytes of the member. */
static void take_inner_name(struct rs_member *member, uint64_t n)
{
	if (n > member->n_bytes)
		n = member->n_bytes;
	copy_name(member, (const char *)member->bytes, n);
	member->bytes += n;
	member->n_bytes -= n;
}

/* False where it is a table of the archive's own. */
static bool take_name(struct rs_archive *archive, struct rs_member *member,
		      const struct ar_hdr *header)
{
	const char *const name = header->ar_name;
	uint64_t number = 0;
	if (memcmp(name, "// ", 3) == 0) {
		archive->names = (const char *)member->bytes;
		archive->n_name_bytes = member->n_bytes;
		return false;
	}
	if (memcmp(name, "/ ", 2) == 0 || memcmp(name, "/SYM64/", 7) == 0 ||
	    memcmp(name, "__.SYMDEF", 9) == 0)
		return false;
	if (memcmp(name, "#1/", 3) == 0 &&
	    number_of(name + 3, sizeof(header->ar_name) - 3, &number))
		take_inner_name(member, number);
	else if (name[0] == '/' &&
		 number_of(name + 1, sizeof(header->ar_name) - 1, &number))
		set_long_name(archive, member, number);
	else
		copy_name(member, name, sizeof(header->ar_name));
	return strncmp(member->name, "__.SYMDEF", 9) != 0;
}

static int fail(const struct rs_archive *archive, const char *why, struct rs_err *err)
{
	return rs_err_set(err, -EBADMSG,
			  "archive %s: the member at byte %zu %s; the file is damaged "
			  "or cut off",
			  archive->path, archive->at, why);
}

int rs_archive_next(struct rs_archive *archive, struct rs_member *member,
		    struct rs_err *err)
{
	struct ar_hdr header;
	for (;;) {
		const size_t n_left = archive->n_bytes - archive->at;
		uint64_t n_bytes = 0;
		if (n_left == 0)
			return 0;
		if (n_left < sizeof(header))
			return fail(archive, "has no whole header", err);
		memcpy(&header, archive->bytes + archive->at, sizeof(header));
		if (memcmp(header.ar_fmag, ARFMAG, 2) != 0 ||
		    !number_of(header.ar_size, sizeof(header.ar_size), &n_bytes))
			return fail(archive, "has a wrong header", err);
		if (n_bytes > n_left - sizeof(header))
			return fail(archive, "does not end in the file", err);
		member->bytes = archive->bytes + archive->at + sizeof(header);
		member->n_bytes = (size_t)n_bytes;
		archive->at += sizeof(header) + (size_t)n_bytes;
		if (n_bytes % 2 && archive->at < archive->n_bytes)
			archive->at++;
		if (take_name(archive, member, &header))
			return 1;
	}
}
