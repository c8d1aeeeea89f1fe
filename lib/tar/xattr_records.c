/* SPDX-License-Identifier: Apache-2.0 */
/* The spellings of extended attributes in pax records. */
#include "unescape.h"
#include "xattrs.h"

#include <string.h>

static const char schily_prefix[] = "SCHILY.xattr.";
static const char libarchive_prefix[] = "LIBARCHIVE.xattr.";
static const char selinux_key[] = "RHT.security.selinux";
static const char *const acl_keys[] = {
	[TAR_ACL_ACCESS] = "SCHILY.acl.access",
	[TAR_ACL_DEFAULT] = "SCHILY.acl.default",
};

static int add_texts(struct tar_xattrs *xattrs, const struct tar_text *name,
		     const struct tar_text *value, enum tar_xattr_origin origin,
		     struct mkrootfs_error *error)
{
	const struct tar_xattr xattr = {
		.name = name->data,
		.name_len = name->len,
		.value = (const uint8_t *)value->data,
		.value_len = value->len,
	};
	int status = tar_xattrs_insert(xattrs, &xattr, origin, error);

	return status < 0 ? status : 1;
}

/* GNU tar escapes '=', which would end the key, and its own sign for that; nothing else. */
static int add_schily(struct tar_xattrs *xattrs, struct tar_text name, const struct tar_text *value,
		      struct mkrootfs_error *error)
{
	size_t used = 0;

	for (size_t i = 0; i < name.len; i++) {
		char c = name.data[i];

		/* A NUL stands behind the name. */
		if (!strncmp(name.data + i, "%3D", 3) || !strncmp(name.data + i, "%25", 3)) {
			c = name.data[i + 1] == '3' ? '=' : '%';
			i += 2;
		}
		name.data[used++] = c;
	}
	name.data[used] = '\0';
	name.len = used;
	return add_texts(xattrs, &name, value, TAR_XATTR_FROM_SCHILY, error);
}

static int add_libarchive(struct tar_xattrs *xattrs, struct tar_text name, struct tar_text value,
			  struct mkrootfs_error *error)
{
	if (!tar_unescape_percent(&name) || !tar_unescape_base64(&value))
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "%s%.40s: the name is not percent-encoded or the value not base64",
				 libarchive_prefix, name.data);
	name.data[name.len] = '\0';
	return add_texts(xattrs, &name, &value, TAR_XATTR_FROM_LIBARCHIVE, error);
}

/* The kernel's value ends with a NUL, which the record has in the place of its newline. */
static int add_selinux(struct tar_xattrs *xattrs, const struct tar_text *label,
		       struct mkrootfs_error *error)
{
	const struct tar_xattr xattr = {
		.name = "security.selinux",
		.name_len = strlen("security.selinux"),
		.value = (const uint8_t *)label->data,
		.value_len = label->len + 1,
	};
	int status = tar_xattrs_insert(xattrs, &xattr, TAR_XATTR_FROM_TEXT, error);

	return status < 0 ? status : 1;
}

static bool has_prefix(struct tar_text *rest, const struct tar_text *key, const char *prefix)
{
	size_t len = strlen(prefix);

	if (key->len < len || memcmp(key->data, prefix, len) != 0)
		return false;
	*rest = (struct tar_text){ key->data + len, key->len - len };
	return true;
}

int tar_xattrs_add(struct tar_xattrs *xattrs, const struct tar_pax_record *record,
		   struct mkrootfs_error *error)
{
	struct tar_text name;

	if (has_prefix(&name, &record->key, schily_prefix))
		return add_schily(xattrs, name, &record->value, error);
	if (has_prefix(&name, &record->key, libarchive_prefix))
		return add_libarchive(xattrs, name, record->value, error);
	if (!strcmp(record->key.data, selinux_key))
		return add_selinux(xattrs, &record->value, error);
	for (int i = TAR_ACL_ACCESS; i <= TAR_ACL_DEFAULT; i++) {
		if (!strcmp(record->key.data, acl_keys[i])) {
			xattrs->acls[i] = record->value;
			return 1;
		}
	}
	return 0;
}
