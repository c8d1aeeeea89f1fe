/* SPDX-License-Identifier: Apache-2.0 */
#include "attributes.h"

#include <string.h>

static const char *const key_names[TAR_KEY_COUNT] = {
	[TAR_KEY_PATH] = "path",
	[TAR_KEY_LINKPATH] = "linkpath",
	[TAR_KEY_SIZE] = "size",
	[TAR_KEY_UID] = "uid",
	[TAR_KEY_GID] = "gid",
	[TAR_KEY_MTIME] = "mtime",
	[TAR_KEY_DEVICE_MAJOR] = "SCHILY.devmajor",
	[TAR_KEY_DEVICE_MINOR] = "SCHILY.devminor",
	[TAR_KEY_SPARSE_NAME] = "GNU.sparse.name",
	[TAR_KEY_SPARSE_MAJOR] = "GNU.sparse.major",
	[TAR_KEY_SPARSE_MINOR] = "GNU.sparse.minor",
	[TAR_KEY_SPARSE_REAL_SIZE] = "GNU.sparse.realsize",
	[TAR_KEY_SPARSE_SIZE] = "GNU.sparse.size",
	[TAR_KEY_SPARSE_MAP] = "GNU.sparse.map",
	[TAR_KEY_SPARSE_OFFSET] = "GNU.sparse.offset",
	[TAR_KEY_SPARSE_BYTES] = "GNU.sparse.numbytes",
};

void tar_attributes_init(struct tar_attributes *attributes, struct tar_sparse_map *map)
{
	*attributes = (struct tar_attributes){ .map = map };
	tar_xattrs_init(&attributes->xattrs);
}

void tar_attributes_clear(struct tar_attributes *attributes)
{
	memset(attributes->values, 0, sizeof(attributes->values));
	tar_xattrs_clear(&attributes->xattrs);
	if (attributes->map)
		tar_sparse_clear(attributes->map);
}

void tar_attributes_free(struct tar_attributes *attributes)
{
	tar_xattrs_free(&attributes->xattrs);
}

static enum tar_key key_of(const struct tar_text *key)
{
	int i = 0;

	while (i < TAR_KEY_COUNT && strcmp(key_names[i], key->data) != 0)
		i++;
	return (enum tar_key)i;
}

static int set_value(struct tar_attributes *attributes, enum tar_key key,
		     const struct tar_text *value, struct mkrootfs_error *error)
{
	if (key >= TAR_KEY_SPARSE_NAME && !attributes->map)
		return error_set(error, MKROOTFS_ERROR_MALFORMED, "%s in a global header",
				 key_names[key]);
	attributes->values[key] = *value;
	if (key == TAR_KEY_SPARSE_OFFSET)
		return tar_sparse_add_offset(attributes->map, value, error);
	if (key == TAR_KEY_SPARSE_BYTES)
		return tar_sparse_add_bytes(attributes->map, value, error);
	return 0;
}

static int apply(struct tar_attributes *attributes, const struct tar_pax_record *record,
		 struct mkrootfs_error *error)
{
	enum tar_key key = key_of(&record->key);

	if (key < TAR_KEY_COUNT)
		return set_value(attributes, key, &record->value, error);
	return tar_xattrs_add(&attributes->xattrs, record, error);
}

int tar_attributes_parse(struct tar_attributes *attributes, struct tar_text body,
			 struct mkrootfs_error *error)
{
	struct tar_pax_record record;
	int status;

	while ((status = tar_pax_next(&record, &body, error)) > 0) {
		status = apply(attributes, &record, error);
		if (status < 0)
			return status;
	}
	return status;
}

/* ---- Keeping ---- */

/* Appends a copy, with a NUL behind it, to storage that has room for it. */
static void *copy_to(struct buf *storage, const void *data, size_t len)
{
	uint8_t *copy = storage->data + storage->len;

	if (len > 0)
		memcpy(copy, data, len);
	copy[len] = 0;
	storage->len += len + 1;
	return copy;
}

static size_t size_to_keep(const struct tar_attributes *attributes)
{
	size_t size = tar_xattrs_size(&attributes->xattrs) + 2 * attributes->xattrs.count;

	for (int i = 0; i < TAR_KEY_COUNT; i++)
		size += attributes->values[i].len + 1;
	return size;
}

static void copy_all(struct tar_attributes *attributes, struct buf *storage)
{
	for (int i = 0; i < TAR_KEY_COUNT; i++) {
		struct tar_text *value = &attributes->values[i];

		if (value->data)
			value->data = copy_to(storage, value->data, value->len);
	}
	for (size_t i = 0; i < attributes->xattrs.count; i++) {
		struct tar_xattr *xattr = &attributes->xattrs.items[i];

		xattr->name = copy_to(storage, xattr->name, xattr->name_len);
		xattr->value = copy_to(storage, xattr->value, xattr->value_len);
	}
}

int tar_attributes_keep(struct tar_attributes *attributes, struct buf *storage,
			struct mkrootfs_error *error)
{
	struct buf fresh = BUF_INIT(storage->cap);
	uint8_t *room;
	int status = buf_grow(&fresh, &room, size_to_keep(attributes), error);

	if (status < 0) {
		buf_free(&fresh);
		return status;
	}
	fresh.len = 0;
	copy_all(attributes, &fresh);
	buf_free(storage);
	*storage = fresh;
	return 0;
}

/* ---- Asking ---- */

bool tar_attributes_are_sparse(const struct tar_attributes *own)
{
	for (int i = TAR_KEY_SPARSE_NAME; i < TAR_KEY_COUNT; i++)
		if (own->values[i].len > 0)
			return true;
	return false;
}
