/* SPDX-License-Identifier: Apache-2.0 */
#include "read_xattrs.h"

#include "../base/array.h"
#include "../base/buf.h"
#include "../base/bytes.h"
#include "../base/checked.h"
#include "xattr_name.h"

#include <stdlib.h>
#include <string.h>

enum { H_SHARED_COUNT = 4, E_NAME_LEN = 0, E_NAME_INDEX = 1, E_VALUE_SIZE = 2 };

/* What one inode has: full names and values in one buffer, entries that point into it. */
struct collected {
	struct buf bytes;
	struct xattr_entry *entries;
	size_t count, room;
};

#define BYTES_CAP (4u << 20)

static int malformed(struct mkrootfs_error *error)
{
	return error_set(error, MKROOTFS_ERROR_MALFORMED, "an extended attribute is damaged");
}

/* Offsets first, since the buffer may move; resolve() turns them into pointers. */
static int collect(struct collected *list, uint8_t index, const uint8_t *name, size_t name_len,
		   const uint8_t *value, size_t value_len, struct mkrootfs_error *error)
{
	const char *prefix = erofs_xattr_prefix(index);
	size_t start = list->bytes.len;
	struct xattr_entry *entry;
	int status = array_reserve(&list->entries, &list->room, list->count, sizeof(*list->entries),
				   error);

	if (!prefix)
		return malformed(error);
	if (status == 0)
		status = buf_append_string(&list->bytes, prefix, error);
	if (status == 0)
		status = buf_append(&list->bytes, name, name_len, error);
	if (status == 0)
		status = buf_append(&list->bytes, value, value_len, error);
	if (status < 0)
		return status;
	entry = &list->entries[list->count++];
	entry->name_len = strlen(prefix) + name_len;
	entry->value_len = value_len;
	entry->name = NULL;
	entry->value = NULL;
	return list->bytes.len - start == entry->name_len + value_len ? 0 : malformed(error);
}

static void resolve(struct collected *list)
{
	const uint8_t *at = list->bytes.data;

	for (size_t i = 0; i < list->count; i++) {
		list->entries[i].name = (const char *)at;
		list->entries[i].value = at + list->entries[i].name_len;
		at += list->entries[i].name_len + list->entries[i].value_len;
	}
}

static int collect_inline(struct collected *list, const uint8_t *at, const uint8_t *end,
			  struct mkrootfs_error *error)
{
	int status = 0;

	while (status == 0 && at < end) {
		size_t name_len = at[E_NAME_LEN], value_len = get_le16(at + E_VALUE_SIZE);
		size_t size = EROFS_XATTR_ENTRY_SIZE + name_len + value_len;

		size = (size_t)round_up_u64(size, EROFS_XATTR_ALIGN);
		if ((size_t)(end - at) < size)
			return malformed(error);
		status = collect(list, at[E_NAME_INDEX], at + EROFS_XATTR_ENTRY_SIZE, name_len,
				 at + EROFS_XATTR_ENTRY_SIZE + name_len, value_len, error);
		at += size;
	}
	return status;
}

static int collect_shared(struct collected *list, struct erofs_reader *reader, uint32_t id,
			  struct mkrootfs_error *error)
{
	uint64_t offset =
		((uint64_t)erofs_reader_superblock(reader)->xattr_block << EROFS_BLOCK_BITS) +
		(uint64_t)id * EROFS_XATTR_ALIGN;
	uint8_t head[EROFS_XATTR_ENTRY_SIZE], *bytes;
	size_t name_len, value_len;
	int status = erofs_reader_read(reader, offset, head, sizeof(head), error);

	if (status < 0)
		return status;
	name_len = head[E_NAME_LEN];
	value_len = get_le16(head + E_VALUE_SIZE);
	bytes = malloc(name_len + value_len + 1);
	if (!bytes)
		return error_no_memory(error);
	status = erofs_reader_read(reader, offset + sizeof(head), bytes, name_len + value_len,
				   error);
	if (status == 0)
		status = collect(list, head[E_NAME_INDEX], bytes, name_len, bytes + name_len,
				 value_len, error);
	free(bytes);
	return status;
}

static int collect_body(struct collected *list, struct erofs_reader *reader, const uint8_t *body,
			uint32_t size, struct mkrootfs_error *error)
{
	uint32_t shared = body[H_SHARED_COUNT];
	const uint8_t *ids = body + EROFS_XATTR_IBODY_HEADER_SIZE;
	int status = 0;

	if (shared * 4u > size - EROFS_XATTR_IBODY_HEADER_SIZE)
		return malformed(error);
	for (uint32_t i = 0; status == 0 && i < shared; i++)
		status = collect_shared(list, reader, get_le32(ids + 4u * i), error);
	return status < 0 ? status : collect_inline(list, ids + 4u * shared, body + size, error);
}

int erofs_read_xattrs(struct erofs_reader *reader, struct xattr_pool *pool, uint32_t *set,
		      uint64_t offset, uint32_t size, struct mkrootfs_error *error)
{
	struct collected list = { .bytes = BUF_INIT(BYTES_CAP) };
	uint8_t *body;
	int status;

	*set = 0;
	if (size == 0)
		return 0;
	body = malloc(size);
	if (!body)
		return error_no_memory(error);
	status = erofs_reader_read(reader, offset, body, size, error);
	if (status == 0)
		status = collect_body(&list, reader, body, size, error);
	if (status == 0) {
		resolve(&list);
		status = xattr_pool_add(pool, set, list.entries, list.count, error);
	}
	free(body);
	free(list.entries);
	buf_free(&list.bytes);
	return status;
}
