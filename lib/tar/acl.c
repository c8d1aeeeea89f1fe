/* SPDX-License-Identifier: Apache-2.0 */
#include "acl.h"

#include "../base/bytes.h"

#include <stdlib.h>
#include <string.h>

/* linux/posix_acl.h and linux/posix_acl_xattr.h */
enum {
	ACL_VERSION = 2,
	ACL_USER_OBJ = 0x01,
	ACL_USER = 0x02,
	ACL_GROUP_OBJ = 0x04,
	ACL_GROUP = 0x08,
	ACL_MASK = 0x10,
	ACL_OTHER = 0x20,
	ACL_HEADER_SIZE = 4,
	ACL_ENTRY_SIZE = 8, /* le16 tag, le16 permissions, le32 id */
};
#define ACL_NO_ID 0xffffffffu

struct part {
	const char *data;
	size_t len;
};

struct acl_entry {
	uint16_t tag;
	uint16_t permissions;
	uint32_t id;
};

/* The kernel's order: by tag, then by id, each at most once. As stored, so that qsort can sort it.
 */
static uint64_t rank_of(const uint8_t *stored)
{
	return (uint64_t)get_le16(stored) << 32 | get_le32(stored + 4);
}

static int compare(const void *a, const void *b)
{
	uint64_t x = rank_of(a), y = rank_of(b);

	return x < y ? -1 : x > y;
}

static bool part_is(const struct part *part, const char *name)
{
	return part->len == strlen(name) && !memcmp(part->data, name, part->len);
}

static bool is_one_of(char c, const char *set)
{
	return c && strchr(set, c);
}

/* Takes what stands before the next separator; false when nothing is left. */
static bool take_part(struct part *out, struct part *rest, const char *separators)
{
	size_t len = 0;

	if (!rest->data)
		return false;
	while (len < rest->len && !is_one_of(rest->data[len], separators))
		len++;
	*out = (struct part){ rest->data, len };
	if (len == rest->len)
		*rest = (struct part){ NULL, 0 };
	else
		*rest = (struct part){ rest->data + len + 1, rest->len - len - 1 };
	return true;
}

static void trim(struct part *part)
{
	while (part->len > 0 && is_one_of(part->data[0], " \t\r")) {
		part->data++;
		part->len--;
	}
	while (part->len > 0 && is_one_of(part->data[part->len - 1], " \t\r"))
		part->len--;
}

/* "r-x", in any order, also with fewer letters. */
static bool parse_permissions(uint16_t *out, const struct part *part)
{
	*out = 0;
	for (size_t i = 0; i < part->len; i++) {
		switch (part->data[i]) {
		case 'r':
			*out |= 4;
			break;
		case 'w':
			*out |= 2;
			break;
		case 'x':
			*out |= 1;
			break;
		case '-':
			break;
		default:
			return false;
		}
	}
	return part->len > 0;
}

static bool parse_id(uint32_t *out, const struct part *part)
{
	uint64_t value = 0;

	for (size_t i = 0; i < part->len; i++) {
		if (part->data[i] < '0' || part->data[i] > '9')
			return false;
		value = value * 10 + (uint64_t)(part->data[i] - '0');
		if (value >= ACL_NO_ID)
			return false;
	}
	*out = (uint32_t)value;
	return part->len > 0;
}

static uint16_t tag_of(const struct part *kind, bool qualified)
{
	if (part_is(kind, "user") || part_is(kind, "u"))
		return qualified ? ACL_USER : ACL_USER_OBJ;
	if (part_is(kind, "group") || part_is(kind, "g"))
		return qualified ? ACL_GROUP : ACL_GROUP_OBJ;
	if (part_is(kind, "mask") || part_is(kind, "m"))
		return qualified ? 0 : ACL_MASK;
	if (part_is(kind, "other") || part_is(kind, "o"))
		return qualified ? 0 : ACL_OTHER;
	return 0;
}

/* "user:lisa:rw-:1000", "user:1000:rw-", "user::rw-", "mask::r--", and Solaris' "mask:r--". */
static enum tar_acl_result parse_entry(struct acl_entry *entry, struct part text)
{
	struct part kind, name, permissions, number = { NULL, 0 };

	if (!take_part(&kind, &text, ":") || !take_part(&name, &text, ":"))
		return TAR_ACL_MALFORMED;
	if (!take_part(&permissions, &text, ":")) {
		permissions = name;
		name.len = 0;
	}
	take_part(&number, &text, ":");
	entry->tag = tag_of(&kind, name.len > 0);
	entry->id = ACL_NO_ID;
	if (!entry->tag || text.data || !parse_permissions(&entry->permissions, &permissions))
		return TAR_ACL_MALFORMED;
	if (name.len == 0)
		return TAR_ACL_CONVERTED;
	if (parse_id(&entry->id, number.data ? &number : &name))
		return TAR_ACL_CONVERTED;
	return number.data ? TAR_ACL_MALFORMED : TAR_ACL_NAMES;
}

static int append_entry(struct buf *blob, const struct acl_entry *entry,
			struct mkrootfs_error *error)
{
	uint8_t stored[ACL_ENTRY_SIZE];

	put_le16(stored, entry->tag);
	put_le16(stored + 2, entry->permissions);
	put_le32(stored + 4, entry->id);
	return buf_append(blob, stored, sizeof(stored), error);
}

/* What the kernel asks of an ACL: owner, group and others once each, a mask if anybody is named. */
static enum tar_acl_result check(const uint8_t *entries, size_t count)
{
	const unsigned base = ACL_USER_OBJ | ACL_GROUP_OBJ | ACL_OTHER;
	unsigned seen = 0;

	for (size_t i = 0; i < count; i++) {
		const uint8_t *entry = entries + i * ACL_ENTRY_SIZE;

		seen |= get_le16(entry);
		if (i > 0 && rank_of(entry - ACL_ENTRY_SIZE) >= rank_of(entry))
			return TAR_ACL_MALFORMED;
	}
	if ((seen & base) != base)
		return TAR_ACL_MALFORMED;
	if ((seen & (ACL_USER | ACL_GROUP)) && !(seen & ACL_MASK))
		return TAR_ACL_MALFORMED;
	return seen == base ? TAR_ACL_TRIVIAL : TAR_ACL_CONVERTED;
}

/* One line of the text: an entry, or nothing, and perhaps a comment as getfacl writes it. */
static int convert_entry(enum tar_acl_result *result, struct buf *blob, struct part line,
			 struct mkrootfs_error *error)
{
	const char *comment = line.len > 0 ? memchr(line.data, '#', line.len) : NULL;
	struct acl_entry entry;

	*result = TAR_ACL_CONVERTED;
	if (comment)
		line.len = (size_t)(comment - line.data);
	trim(&line);
	if (line.len == 0)
		return 0;
	*result = parse_entry(&entry, line);
	return *result == TAR_ACL_CONVERTED ? append_entry(blob, &entry, error) : 0;
}

int tar_acl_convert(enum tar_acl_result *result, struct buf *blob, const char *text, size_t len,
		    struct mkrootfs_error *error)
{
	const uint8_t version[ACL_HEADER_SIZE] = { ACL_VERSION };
	struct part line, rest = { text, len };
	int status;
	size_t count;

	buf_clear(blob);
	*result = TAR_ACL_CONVERTED;
	status = buf_append(blob, version, sizeof(version), error);
	while (status == 0 && *result == TAR_ACL_CONVERTED && take_part(&line, &rest, ",\n"))
		status = convert_entry(result, blob, line, error);
	if (status < 0 || *result != TAR_ACL_CONVERTED)
		return status;
	count = (blob->len - ACL_HEADER_SIZE) / ACL_ENTRY_SIZE;
	qsort(blob->data + ACL_HEADER_SIZE, count, ACL_ENTRY_SIZE, compare);
	*result = check(blob->data + ACL_HEADER_SIZE, count);
	return 0;
}

uint32_t tar_acl_mode(const struct buf *blob)
{
	uint32_t mode = 0;

	for (size_t at = ACL_HEADER_SIZE; at < blob->len; at += ACL_ENTRY_SIZE) {
		uint32_t permissions = get_le16(blob->data + at + 2);

		switch (get_le16(blob->data + at)) {
		case ACL_USER_OBJ:
			mode |= permissions << 6;
			break;
		case ACL_GROUP_OBJ:
			mode |= permissions << 3;
			break;
		case ACL_MASK: /* sorted behind the group */
			mode = (mode & ~070u) | permissions << 3;
			break;
		case ACL_OTHER:
			mode |= permissions;
			break;
		}
	}
	return mode;
}
