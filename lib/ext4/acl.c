/* SPDX-License-Identifier: Apache-2.0 */
#include "acl.h"

#include "../base/bytes.h"
#include "format.h"

#include <stdbool.h>
#include <string.h>

/* include/uapi/linux/posix_acl_xattr.h */
#define POSIX_ACL_XATTR_VERSION 2
#define XATTR_HEADER 4u
#define XATTR_ENTRY 8u /* tag, permissions, ID */

enum acl_tag {
	ACL_USER_OBJ = 0x01,
	ACL_USER = 0x02,
	ACL_GROUP_OBJ = 0x04,
	ACL_GROUP = 0x08,
	ACL_MASK = 0x10,
	ACL_OTHER = 0x20,
};

static bool has_id(uint16_t tag)
{
	return tag == ACL_USER || tag == ACL_GROUP;
}

static bool is_tag(uint16_t tag)
{
	return has_id(tag) || tag == ACL_USER_OBJ || tag == ACL_GROUP_OBJ || tag == ACL_MASK ||
	       tag == ACL_OTHER;
}

int ext4_encode_acl(uint8_t *out, size_t *out_len, const uint8_t *value, size_t len,
		    struct mkrootfs_error *error)
{
	size_t used = EXT4_ACL_HEADER;

	*out_len = 0;
	if (len < XATTR_HEADER || (len - XATTR_HEADER) % XATTR_ENTRY ||
	    get_le32(value) != POSIX_ACL_XATTR_VERSION)
		return error_set(error, MKROOTFS_ERROR_UNSUPPORTED, "it is no POSIX ACL");
	put_le32(out, EXT4_ACL_VERSION);
	for (size_t at = XATTR_HEADER; at < len; at += XATTR_ENTRY) {
		uint16_t tag = get_le16(value + at);
		size_t size = has_id(tag) ? EXT4_ACL_ENTRY : EXT4_ACL_ENTRY_SHORT;

		if (!is_tag(tag))
			return error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
					 "a POSIX ACL with an entry of unknown kind 0x%x", tag);
		memcpy(out + used, value + at, size);
		used += size;
	}
	*out_len = used;
	return 0;
}
