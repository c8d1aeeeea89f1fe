/* SPDX-License-Identifier: Apache-2.0 */
/*
 * POSIX ACLs from the form in which xattrs show them to ext4's own: entries without an ID lose the
 * four bytes for it.
 */
#ifndef MKROOTFS_EXT4_ACL_H
#define MKROOTFS_EXT4_ACL_H

#include "../base/error.h"

/* out has room for len bytes. Fails with UNSUPPORTED on what is no ACL. */
int ext4_encode_acl(uint8_t *out, size_t *out_len, const uint8_t *value, size_t len,
		    struct mkrootfs_error *error);

#endif
