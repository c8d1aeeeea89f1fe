/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One member put together: its header, overridden by its extensions, checked against the ranges of
 * struct tar_entry.
 *
 *	tar_member_decode(&member, &header, &ext, &input, error);
 *	use(member.entry, member.stored_size);
 */
#ifndef MKROOTFS_TAR_MEMBER_H
#define MKROOTFS_TAR_MEMBER_H

#include "entry.h"
#include "extensions.h"

/*
 * What the header before said, and its bytes: most members have the owner and the mode of their
 * neighbours, and need not be decoded again.
 */
struct tar_last_fields {
	uint8_t owner_bytes[24]; /* the fields mode, uid and gid, which stand side by side */
	uint8_t mtime_bytes[12];
	bool has_owner, has_mtime;
	uint32_t mode, uid, gid;
	int64_t mtime;
};

struct tar_member {
	struct tar_entry entry; /* borrows path, link, and what ext holds */
	struct tar_last_fields last;
	struct buf path;
	struct buf link;
	uint64_t stored_size; /* bytes of content that stand in the archive */
	const char *warning;  /* static, or NULL */
};

void tar_member_init(struct tar_member *member);
void tar_member_free(struct tar_member *member);

/*
 * Decodes the member whose header was just consumed; reads on where a sparse map stands behind it.
 * After a failure member->path holds what is known of the name.
 */
int tar_member_decode(struct tar_member *member, const struct tar_header *header,
		      struct tar_extensions *ext, struct tar_input *input,
		      struct mkrootfs_error *error);

#endif
