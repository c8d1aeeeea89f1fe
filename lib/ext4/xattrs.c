/* SPDX-License-Identifier: Apache-2.0 */
#include "xattrs.h"

#include "../base/bytes.h"
#include "../base/checked.h"
#include "../base/crc32c.h"
#include "acl.h"

#include <stdlib.h>
#include <string.h>

/* Offsets in a block's header and in an entry. */
enum { H_MAGIC = 0, H_REFCOUNT = 4, H_BLOCKS = 8, H_HASH = 12, H_CHECKSUM = 16 };
enum { E_NAME_LEN = 0, E_NAME_INDEX = 1, E_VALUE_OFFS = 2, E_VALUE_SIZE = 8, E_HASH = 12 };

struct ext4_xattr {
	uint8_t index; /* of the name's prefix */
	const char *name;
	size_t name_len; /* of the rest */
	const uint8_t *value;
	size_t value_len;
};

static const struct prefix {
	const char *text;
	uint8_t index;
	bool whole; /* the prefix is the full name */
} prefixes[] = {
	{ "user.", EXT4_XATTR_INDEX_USER, false },
	{ "trusted.", EXT4_XATTR_INDEX_TRUSTED, false },
	{ "security.", EXT4_XATTR_INDEX_SECURITY, false },
	{ "system.posix_acl_access", EXT4_XATTR_INDEX_POSIX_ACL_ACCESS, true },
	{ "system.posix_acl_default", EXT4_XATTR_INDEX_POSIX_ACL_DEFAULT, true },
};

int ext4_xattrs_create(struct ext4_xattrs **out, struct mkrootfs_error *error)
{
	*out = calloc(1, sizeof(**out));
	return *out ? 0 : error_no_memory(error);
}

void ext4_xattrs_free(struct ext4_xattrs *xattrs)
{
	if (!xattrs)
		return;
	free(xattrs->list);
	free(xattrs->acls);
	free(xattrs);
}

/* ---- Reading a set ---- */

static bool split(struct ext4_xattr *out, const struct xattr_entry *entry)
{
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		size_t len = strlen(prefixes[i].text);

		if (entry->name_len < len || memcmp(entry->name, prefixes[i].text, len) != 0)
			continue;
		out->index = prefixes[i].index;
		out->name = entry->name + len;
		out->name_len = entry->name_len - len;
		return prefixes[i].whole == (out->name_len == 0);
	}
	return false;
}

static int make_room(struct ext4_xattrs *x, const struct xattr_pool *pool, uint32_t set,
		     struct mkrootfs_error *error)
{
	size_t count = xattr_set_count(pool, set);

	/* Two values at most are ACLs, and those get no longer. */
	if (!x->acls) {
		x->acls_room = (size_t)2 * XATTR_VALUE_MAX_BYTES;
		x->acls = malloc(x->acls_room);
	}
	if (count > x->room) {
		free(x->list);
		x->list = calloc(count, sizeof(*x->list));
		x->room = x->list ? count : 0;
	}
	return x->acls && x->list ? 0 : error_no_memory(error);
}

static int take_value(struct ext4_xattrs *x, struct ext4_xattr *out,
		      const struct xattr_entry *entry, struct mkrootfs_error *error)
{
	uint8_t *acl = x->acls;

	out->value = entry->value;
	out->value_len = entry->value_len;
	if (out->index == EXT4_XATTR_INDEX_POSIX_ACL_DEFAULT)
		acl += XATTR_VALUE_MAX_BYTES;
	else if (out->index != EXT4_XATTR_INDEX_POSIX_ACL_ACCESS)
		return 0;
	if (entry->value_len > XATTR_VALUE_MAX_BYTES)
		return error_set(error, MKROOTFS_ERROR_UNSUPPORTED, "it is too long");
	out->value = acl;
	return ext4_encode_acl(acl, &out->value_len, entry->value, entry->value_len, error);
}

static int name_error(const struct xattr_entry *entry, struct mkrootfs_error *error)
{
	return error_prefix(error, "extended attribute '%.*s': ", (int)entry->name_len,
			    entry->name);
}

static int take(struct ext4_xattrs *x, size_t place, const struct xattr_entry *entry,
		struct mkrootfs_error *error)
{
	struct ext4_xattr *out = &x->list[place];
	int status = 0;

	if (!split(out, entry))
		status = error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
				   "ext4 has no place for names of its kind");
	if (status == 0)
		status = take_value(x, out, entry, error);
	return status < 0 ? name_error(entry, error) : 0;
}

/* The order that a block must have, and that readers look names up by. */
static int compare(const void *a, const void *b)
{
	const struct ext4_xattr *x = a, *y = b;

	if (x->index != y->index)
		return x->index < y->index ? -1 : 1;
	if (x->name_len != y->name_len)
		return x->name_len < y->name_len ? -1 : 1;
	return memcmp(x->name, y->name, x->name_len);
}

/* ---- Placing ---- */

/* A run of entries that grows up from start, and of values that grows down from end. */
struct area {
	uint8_t *bytes;
	size_t next; /* entry */
	size_t end;  /* of the free space */
	size_t base; /* what value offsets count from */
	bool hashed;
};

static size_t pad(size_t len)
{
	return (size_t)round_up_u64(len, EXT4_XATTR_PAD);
}

/* The names' end is four zero bytes. */
static bool fits(const struct area *area, const struct ext4_xattr *xattr)
{
	return EXT4_XATTR_ENTRY_SIZE + pad(xattr->name_len) + pad(xattr->value_len) + 4 <=
	       area->end - area->next;
}

static uint32_t hash_of(const struct ext4_xattr *xattr, const uint8_t *padded_value)
{
	uint32_t hash = 0;

	for (size_t i = 0; i < xattr->name_len; i++)
		hash = (hash << 5 | hash >> 27) ^ (uint32_t)(signed char)xattr->name[i];
	for (size_t at = 0; at < xattr->value_len; at += 4)
		hash = (hash << 16 | hash >> 16) ^ get_le32(padded_value + at);
	return hash;
}

static void put(struct area *area, const struct ext4_xattr *xattr)
{
	uint8_t *entry = area->bytes + area->next;

	entry[E_NAME_LEN] = (uint8_t)xattr->name_len;
	entry[E_NAME_INDEX] = xattr->index;
	put_le32(entry + E_VALUE_SIZE, (uint32_t)xattr->value_len);
	memcpy(entry + EXT4_XATTR_ENTRY_SIZE, xattr->name, xattr->name_len);
	area->next += EXT4_XATTR_ENTRY_SIZE + pad(xattr->name_len);
	if (xattr->value_len > 0) {
		area->end -= pad(xattr->value_len);
		put_le16(entry + E_VALUE_OFFS, (uint16_t)(area->end - area->base));
		memcpy(area->bytes + area->end, xattr->value, xattr->value_len);
	}
	if (area->hashed)
		put_le32(entry + E_HASH, hash_of(xattr, area->bytes + area->end));
}

/* h_hash: over those of the entries, none when an entry has none. */
static uint32_t hash_of_block(const uint8_t block[EXT4_BLOCK_SIZE])
{
	uint32_t hash = 0;

	for (size_t at = EXT4_XATTR_HEADER_SIZE; get_le32(block + at) != 0;
	     at += EXT4_XATTR_ENTRY_SIZE + pad(block[at + E_NAME_LEN])) {
		uint32_t of_entry = get_le32(block + at + E_HASH);

		if (of_entry == 0)
			return 0;
		hash = (hash << 16 | hash >> 16) ^ of_entry;
	}
	return hash;
}

/* All in the inode if they fit; else there what fits, in their order. */
static int place(struct ext4_xattrs *x, size_t count, struct mkrootfs_error *error)
{
	struct area body = { x->body, 4, EXT4_XATTR_BODY_SIZE, 4, false };
	struct area block = { x->block, EXT4_XATTR_HEADER_SIZE, EXT4_BLOCK_SIZE, 0, true };

	memset(x->body, 0, sizeof(x->body));
	memset(x->block, 0, sizeof(x->block));
	x->has_body = x->has_block = false;
	for (size_t i = 0; i < count; i++) {
		bool in_body = fits(&body, &x->list[i]);

		if (!in_body && !fits(&block, &x->list[i]))
			return error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
					 "its extended attributes do not fit the inode and one "
					 "block of %u bytes, as much as ext4 has for them",
					 EXT4_BLOCK_SIZE);
		put(in_body ? &body : &block, &x->list[i]);
		x->has_body |= in_body;
		x->has_block |= !in_body;
	}
	if (x->has_body)
		put_le32(x->body, EXT4_XATTR_MAGIC);
	return 0;
}

int ext4_xattrs_encode(struct ext4_xattrs *x, const struct xattr_pool *pool, uint32_t set,
		       struct mkrootfs_error *error)
{
	uint32_t count = xattr_set_count(pool, set);
	struct xattr_entry entry;
	int status;

	if (x->set == set && set != 0)
		return 0;
	x->set = 0;
	status = make_room(x, pool, set, error);
	for (uint32_t i = 0; status == 0 && i < count; i++) {
		xattr_set_get(pool, set, i, &entry);
		status = take(x, i, &entry, error);
	}
	if (status < 0)
		return status;
	qsort(x->list, count, sizeof(*x->list), compare);
	status = place(x, count, error);
	x->set = status == 0 ? set : 0;
	return status;
}

void ext4_xattr_block_finish(uint8_t block[EXT4_BLOCK_SIZE], uint64_t number, uint32_t users,
			     uint32_t seed)
{
	uint8_t le[8];

	put_le32(block + H_MAGIC, EXT4_XATTR_MAGIC);
	put_le32(block + H_REFCOUNT, users);
	put_le32(block + H_BLOCKS, 1);
	put_le32(block + H_HASH, hash_of_block(block));
	put_le32(block + H_CHECKSUM, 0);
	put_le64(le, number);
	put_le32(block + H_CHECKSUM, crc32c(crc32c(seed, le, sizeof(le)), block, EXT4_BLOCK_SIZE));
}
