#include "src/eh_frame.h"

#include <elf.h>
#include <string.h>

/* Encodings of pointers: how many bytes, and relative to what. */
enum {
	PE_ABSPTR = 0x00,
	PE_UDATA2 = 0x02,
	PE_UDATA4 = 0x03,
	PE_UDATA8 = 0x04,
	PE_SIGNED = 0x08,
	PE_FORMAT = 0x0f,
	PE_RELATIVE = 0x70,
	PE_PCREL = 0x10,
};

/* Part of the section, from at to end, both offsets in the image. */
struct cursor {
	const struct rs_section *section;
	const struct rs_image *image;
	uint64_t at;
	uint64_t end;
	bool is_bad;
};

/* What the common entry says of those that point to it. */
struct common {
	uint8_t encoding;
	bool is_signal;
};

static uint64_t take_number(struct cursor *cursor, unsigned int n_bytes)
{
	uint64_t value = 0;
	if (cursor->end - cursor->at < n_bytes ||
	    !rs_image_number(cursor->image, cursor->at, n_bytes, &value)) {
		cursor->is_bad = true;
		return 0;
	}
	cursor->at += n_bytes;
	return value;
}

/* A number of 7 bits a byte; one that does not end, or is too long, is bad. */
static void skip_leb128(struct cursor *cursor)
{
	for (unsigned int i = 0; i < 10 && !cursor->is_bad; i++) {
		if (!(take_number(cursor, 1) & 0x80))
			return;
	}
	cursor->is_bad = true;
}

static unsigned int bytes_of(const struct cursor *cursor, uint8_t encoding)
{
	switch (encoding & PE_FORMAT & ~PE_SIGNED) {
	case PE_ABSPTR:
		return cursor->image->bits / 8;
	case PE_UDATA2:
		return 2;
	case PE_UDATA4:
		return 4;
	case PE_UDATA8:
		return 8;
	default:
		return 0;
	}
}

/* Without what it is relative to. */
static uint64_t take_pointer(struct cursor *cursor, uint8_t encoding)
{
	const unsigned int n_bytes = bytes_of(cursor, encoding);
	if (n_bytes == 0) {
		cursor->is_bad = true;
		return 0;
	}
	const uint64_t value = take_number(cursor, n_bytes);
	const uint64_t sign = UINT64_C(1) << (8 * n_bytes - 1);
	return encoding & PE_SIGNED ? (value ^ sign) - sign : value;
}

static uint64_t take_address(struct cursor *cursor, uint8_t encoding)
{
	const uint64_t here =
	    cursor->section->address + (cursor->at - cursor->section->offset);
	uint64_t value = take_pointer(cursor, encoding);
	if ((encoding & PE_RELATIVE) == PE_PCREL)
		value += here;
	else if (encoding & PE_RELATIVE)
		cursor->is_bad = true;
	return cursor->image->bits == 32 ? (uint32_t)value : value;
}

/* What stands behind the augmentation string, a letter of it at a time. */
static void take_augmentation(struct cursor *cursor, const char *letters, size_t n,
			      struct common *common)
{
	skip_leb128(cursor);
	for (size_t i = 1; i < n && !cursor->is_bad; i++) {
		switch (letters[i]) {
		case 'R':
			common->encoding = (uint8_t)take_number(cursor, 1);
			break;
		case 'L':
			take_number(cursor, 1);
			break;
		case 'P':
			take_pointer(cursor, (uint8_t)take_number(cursor, 1));
			break;
		case 'S':
			common->is_signal = true;
			break;
		default:
			return;
		}
	}
}

#define MAX_LETTERS 8

static void read_common(struct cursor *cursor, struct common *common)
{
	char letters[MAX_LETTERS];
	size_t n = 0;
	*common = (struct common){.encoding = PE_ABSPTR};
	const uint64_t version = take_number(cursor, 1);
	while (n < MAX_LETTERS && !cursor->is_bad &&
	       (letters[n] = (char)take_number(cursor, 1)) != '\0')
		n++;
	if (n == MAX_LETTERS)
		cursor->is_bad = true;
	if (version >= 4)
		take_number(cursor, 2);
	skip_leb128(cursor);
	skip_leb128(cursor);
	if (version == 1)
		take_number(cursor, 1);
	else
		skip_leb128(cursor);
	if (n && letters[0] == 'z')
		take_augmentation(cursor, letters, n, common);
}

/* Opens the entry at cursor->at and moves cursor behind it; false at the end. */
static bool next_entry(struct cursor *cursor, struct cursor *entry)
{
	uint64_t n_bytes = take_number(cursor, 4);
	if (n_bytes == UINT32_MAX)
		n_bytes = take_number(cursor, 8);
	if (cursor->is_bad || n_bytes == 0 || n_bytes > cursor->end - cursor->at)
		return false;
	*entry = *cursor;
	entry->end = cursor->at + n_bytes;
	cursor->at = entry->end;
	return true;
}

/* The common entry that lies back bytes before at. */
static bool find_common(const struct cursor *entry, uint64_t at, uint64_t back,
			struct common *common)
{
	struct cursor all = *entry;
	struct cursor found;
	if (back > at - all.section->offset)
		return false;
	all.at = at - back;
	all.end = all.section->offset + all.section->n_bytes;
	if (!next_entry(&all, &found) || take_number(&found, 4) != 0)
		return false;
	read_common(&found, common);
	return !found.is_bad;
}

static int take_entry(struct cursor *entry, rs_eh_frame_take *take, void *user)
{
	struct common common;
	const uint64_t at = entry->at;
	const uint64_t back = take_number(entry, 4);
	if (back == 0 || !find_common(entry, at, back, &common))
		return 0;
	const uint64_t address = take_address(entry, common.encoding);
	const uint64_t n_bytes = take_pointer(entry, common.encoding & PE_FORMAT);
	if (entry->is_bad || n_bytes == 0)
		return 0;
	return take(user, address, n_bytes, common.is_signal);
}

int rs_eh_frame_each(const struct rs_sections *sections, rs_eh_frame_take *take,
		     void *user)
{
	int ret = 0;
	if (sections->image->type == ET_REL)
		return 0;
	for (size_t i = 0; i < sections->n_rows && !ret; i++) {
		const struct rs_section *const section = &sections->rows[i];
		struct cursor cursor = {
		    .section = section,
		    .image = sections->image,
		    .at = section->offset,
		    .end = section->offset + section->n_bytes,
		};
		struct cursor entry;
		if (strcmp(section->name, ".eh_frame") != 0 ||
		    section->type == SHT_NOBITS)
			continue;
		while (!ret && next_entry(&cursor, &entry))
			ret = take_entry(&entry, take, user);
	}
	return ret;
}
