/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What pax records say about a member, or about all members that follow a global header. Unknown
 * keys are ignored, also those of vendors; so is hdrcharset, since names are bytes here.
 *
 *	tar_attributes_clear(&own);
 *	tar_attributes_parse(&own, body, error);		an 'x' header
 *	tar_attributes_parse(&defaults, body, error);		a 'g' header, then
 *	tar_attributes_keep(&defaults, &storage, error);	its body may go
 *	value = tar_attributes_value(&own, &defaults, TAR_KEY_UID);
 */
#ifndef MKROOTFS_TAR_ATTRIBUTES_H
#define MKROOTFS_TAR_ATTRIBUTES_H

#include "sparse.h"
#include "xattrs.h"

enum tar_key {
	TAR_KEY_PATH,
	TAR_KEY_LINKPATH,
	TAR_KEY_SIZE,
	TAR_KEY_UID,
	TAR_KEY_GID,
	TAR_KEY_MTIME,
	TAR_KEY_DEVICE_MAJOR,
	TAR_KEY_DEVICE_MINOR,
	TAR_KEY_SPARSE_NAME, /* the sparse ones describe one file: never in a global header */
	TAR_KEY_SPARSE_MAJOR,
	TAR_KEY_SPARSE_MINOR,
	TAR_KEY_SPARSE_REAL_SIZE,
	TAR_KEY_SPARSE_SIZE,
	TAR_KEY_SPARSE_MAP,
	TAR_KEY_SPARSE_OFFSET,
	TAR_KEY_SPARSE_BYTES,
	TAR_KEY_COUNT
};

struct tar_attributes {
	struct tar_text values[TAR_KEY_COUNT]; /* len 0: cancels what was said before */
	struct tar_xattrs xattrs;
	struct tar_sparse_map *map; /* takes pairs of offset and size; borrowed, NULL for globals */
};

void tar_attributes_init(struct tar_attributes *attributes, struct tar_sparse_map *map);
void tar_attributes_clear(struct tar_attributes *attributes);
void tar_attributes_free(struct tar_attributes *attributes);

/* Applies the records of a header's body, in their order; borrows the body, and changes it. */
int tar_attributes_parse(struct tar_attributes *attributes, struct tar_text body,
			 struct mkrootfs_error *error);
/* Moves all values into storage, which may be the one that holds some of them now. */
int tar_attributes_keep(struct tar_attributes *attributes, struct buf *storage,
			struct mkrootfs_error *error);

/* The value in force, or NULL: the member's own, else the default; an empty one counts as none. */
static inline const struct tar_text *tar_attributes_value(const struct tar_attributes *own,
							  const struct tar_attributes *defaults,
							  enum tar_key key)
{
	const struct tar_text *value = &own->values[key];

	if (!value->data)
		value = &defaults->values[key];
	return value->len > 0 ? value : NULL;
}
/* Any record of GNU's sparse formats 0.0, 0.1 and 1.0. */
bool tar_attributes_are_sparse(const struct tar_attributes *own);

#endif
