/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The extended attributes that pax records describe, in all their spellings:
 *
 *	SCHILY.xattr.NAME		the value as it is (star, GNU tar, libarchive, Go);
 *					'=' in the name is %3D, and %25 is '%' (GNU tar)
 *	LIBARCHIVE.xattr.NAME		name with %XX, value in base64
 *	RHT.security.selinux		the label without the NUL that the kernel keeps
 *					(GNU tar, star)
 *	SCHILY.acl.access, .default	ACLs as text, see acl.h (star, GNU tar, libarchive)
 *
 *	tar_xattrs_clear(&xattrs);
 *	tar_xattrs_add(&xattrs, &record, error);	for each record
 *	tar_xattrs_inherit(&xattrs, &defaults, error);	may be left out
 *	tar_xattrs_finish(&xattrs, &dropped, error);	then items[0..count) are sorted by name
 *
 * Where two spellings give the same attribute, the one higher up in the list above wins; of one
 * spelling given twice, the last; what is inherited yields to all.
 */
#ifndef MKROOTFS_TAR_XATTRS_H
#define MKROOTFS_TAR_XATTRS_H

#include "entry.h"
#include "pax.h"

#include "../base/buf.h"

#define TAR_XATTR_NAME_MAX 255	  /* XATTR_NAME_MAX of linux/limits.h */
#define TAR_XATTR_COUNT_MAX 32768 /* the most names that fit XATTR_LIST_MAX there */

/* Which of two that have the same name counts: the greater one. */
enum tar_xattr_origin {
	TAR_XATTR_FROM_DEFAULTS,
	TAR_XATTR_FROM_TEXT,
	TAR_XATTR_FROM_LIBARCHIVE,
	TAR_XATTR_FROM_SCHILY,
};

struct tar_xattr_found {
	struct tar_xattr xattr;
	uint32_t order;
	enum tar_xattr_origin origin;
};

enum { TAR_ACL_ACCESS, TAR_ACL_DEFAULT };

struct tar_xattrs {
	struct tar_xattr *items; /* borrow names and values from the records and acl_blobs */
	size_t count;
	struct tar_xattr_found *found;
	size_t found_count;
	size_t room;		 /* entries allocated in items and found */
	struct tar_text acls[2]; /* texts, by TAR_ACL_ACCESS and TAR_ACL_DEFAULT */
	int access_mode;	 /* permission bits that an access ACL's text implies, or -1 */
	struct buf acl_blobs[2];
};

void tar_xattrs_init(struct tar_xattrs *xattrs);
void tar_xattrs_clear(struct tar_xattrs *xattrs);
void tar_xattrs_free(struct tar_xattrs *xattrs);

/* Returns 1 when the record was an extended attribute's, 0 when not. It may change its bytes. */
int tar_xattrs_add(struct tar_xattrs *xattrs, const struct tar_pax_record *record,
		   struct mkrootfs_error *error);
/* Adds one whose name and value are known; what it borrows must outlive the list. */
int tar_xattrs_insert(struct tar_xattrs *xattrs, const struct tar_xattr *xattr,
		      enum tar_xattr_origin origin, struct mkrootfs_error *error);
int tar_xattrs_inherit(struct tar_xattrs *xattrs, const struct tar_xattrs *defaults,
		       struct mkrootfs_error *error);
/*
 * Setting an access ACL changes a file's mode, and libarchive relies on that: the header of an
 * entry with an ACL has the bits of the group, not of the mask. So access_mode overrides the
 * header's mode. It is -1 when the raw value is there.
 *
 * *dropped tells which ACL was left out and why: static, NULL for none. Afterwards the list may
 * inherit itself and take more records.
 */
int tar_xattrs_finish(struct tar_xattrs *xattrs, const char **dropped,
		      struct mkrootfs_error *error);
/* Bytes of all names and values. */
uint64_t tar_xattrs_size(const struct tar_xattrs *xattrs);

#endif
