/* SPDX-License-Identifier: Apache-2.0 */
/*
 * POSIX ACLs: from the text that archivers store ("user::rw-,user:1000:r--,...") to the value that
 * the kernel keeps in system.posix_acl_access and system.posix_acl_default.
 *
 *	enum tar_acl_result result;
 *	status = tar_acl_convert(&result, &blob, text, len, error);
 *
 * Text: acl(5), separated by commas or newlines; star and libarchive add the numeric id as a fourth
 * field. Value: linux/posix_acl_xattr.h, version 2.
 */
#ifndef MKROOTFS_TAR_ACL_H
#define MKROOTFS_TAR_ACL_H

#include "../base/buf.h"

#include <stdbool.h>

enum tar_acl_result {
	TAR_ACL_CONVERTED, /* blob holds the value */
	TAR_ACL_TRIVIAL,   /* blob holds owner, group and others alone, as a mode does */
	TAR_ACL_NAMES,	   /* a user or group is named without its number */
	TAR_ACL_MALFORMED, /* no ACL that the kernel would take */
};

/* Replaces what blob holds; fails only when memory or the cap of blob is exhausted. */
int tar_acl_convert(enum tar_acl_result *result, struct buf *blob, const char *text, size_t len,
		    struct mkrootfs_error *error);

/*
 * The nine permission bits that a kernel would give to an inode with the converted ACL in blob: the
 * group's are those of the mask, where there is one.
 */
uint32_t tar_acl_mode(const struct buf *blob);

#endif
