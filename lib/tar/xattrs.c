/* SPDX-License-Identifier: Apache-2.0 */
#include "xattrs.h"

#include "acl.h"
#include "unescape.h"

#include "../base/checked.h"

#include <stdlib.h>
#include <string.h>

#define ACL_BLOB_MAX (64u << 10) /* XATTR_SIZE_MAX of linux/limits.h */

enum origin { FROM_DEFAULTS, FROM_TEXT, FROM_LIBARCHIVE, FROM_SCHILY };
enum { ACCESS, DEFAULT };

struct tar_xattr_found {
	struct tar_xattr xattr;
	uint32_t order;
	enum origin origin;
};

static const char schily_prefix[] = "SCHILY.xattr.";
static const char libarchive_prefix[] = "LIBARCHIVE.xattr.";
static const char selinux_key[] = "RHT.security.selinux";

static const struct {
	const char *key;
	const char *xattr;
} acl_keys[] = {
	[ACCESS] = { "SCHILY.acl.access", "system.posix_acl_access" },
	[DEFAULT] = { "SCHILY.acl.default", "system.posix_acl_default" },
};

void tar_xattrs_init(struct tar_xattrs *xattrs)
{
	*xattrs = (struct tar_xattrs){ .access_mode = -1 };
	for (int i = ACCESS; i <= DEFAULT; i++)
		xattrs->acl_blobs[i] = BUF_INIT(ACL_BLOB_MAX);
}

static void forget_found(struct tar_xattrs *xattrs)
{
	xattrs->found_count = 0;
	for (int i = ACCESS; i <= DEFAULT; i++)
		xattrs->acls[i] = (struct tar_text){ NULL, 0 };
}

void tar_xattrs_clear(struct tar_xattrs *xattrs)
{
	xattrs->count = 0;
	xattrs->access_mode = -1;
	forget_found(xattrs);
}

void tar_xattrs_free(struct tar_xattrs *xattrs)
{
	free(xattrs->items);
	free(xattrs->found);
	for (int i = ACCESS; i <= DEFAULT; i++)
		buf_free(&xattrs->acl_blobs[i]);
	tar_xattrs_init(xattrs);
}

static int reserve(struct tar_xattrs *xattrs, struct mkrootfs_error *error)
{
	size_t room = xattrs->room ? xattrs->room * 2 : 8, size;
	void *items, *found;

	if (xattrs->found_count == TAR_XATTR_COUNT_MAX)
		return error_set(error, MKROOTFS_ERROR_LIMIT, "more than %d extended attributes",
				 TAR_XATTR_COUNT_MAX);
	if (xattrs->found_count < xattrs->room)
		return 0;
	if (!checked_mul_size(&size, room, sizeof(*xattrs->found)))
		return error_no_memory(error);
	found = realloc(xattrs->found, size);
	if (!found)
		return error_no_memory(error);
	xattrs->found = found;
	items = realloc(xattrs->items, room * sizeof(*xattrs->items));
	if (!items)
		return error_no_memory(error);
	xattrs->items = items;
	xattrs->room = room;
	return 0;
}

static int add(struct tar_xattrs *xattrs, const struct tar_xattr *xattr, enum origin origin,
	       struct mkrootfs_error *error)
{
	int status;

	if (xattr->name_len == 0 || memchr(xattr->name, '\0', xattr->name_len))
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "an extended attribute's name is empty or holds a NUL");
	if (xattr->name_len > TAR_XATTR_NAME_MAX)
		return error_set(
			error, MKROOTFS_ERROR_LIMIT,
			"extended attribute '%.40s...': the name has %zu bytes, the limit is %d",
			xattr->name, xattr->name_len, TAR_XATTR_NAME_MAX);
	status = reserve(xattrs, error);
	if (status < 0)
		return status;
	xattrs->found[xattrs->found_count] = (struct tar_xattr_found){
		.xattr = *xattr, .order = (uint32_t)xattrs->found_count, .origin = origin
	};
	xattrs->found_count++;
	return 0;
}

static int add_texts(struct tar_xattrs *xattrs, const struct tar_text *name,
		     const struct tar_text *value, enum origin origin, struct mkrootfs_error *error)
{
	const struct tar_xattr xattr = {
		.name = name->data,
		.name_len = name->len,
		.value = (const uint8_t *)value->data,
		.value_len = value->len,
	};
	int status = add(xattrs, &xattr, origin, error);

	return status < 0 ? status : 1;
}

static int add_libarchive(struct tar_xattrs *xattrs, struct tar_text name, struct tar_text value,
			  struct mkrootfs_error *error)
{
	if (!tar_unescape_percent(&name) || !tar_unescape_base64(&value))
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "%s%.40s: the name is not percent-encoded or the value not base64",
				 libarchive_prefix, name.data);
	name.data[name.len] = '\0';
	return add_texts(xattrs, &name, &value, FROM_LIBARCHIVE, error);
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
	int status = add(xattrs, &xattr, FROM_TEXT, error);

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
		return add_texts(xattrs, &name, &record->value, FROM_SCHILY, error);
	if (has_prefix(&name, &record->key, libarchive_prefix))
		return add_libarchive(xattrs, name, record->value, error);
	if (!strcmp(record->key.data, selinux_key))
		return add_selinux(xattrs, &record->value, error);
	for (int i = ACCESS; i <= DEFAULT; i++) {
		if (!strcmp(record->key.data, acl_keys[i].key)) {
			xattrs->acls[i] = record->value;
			return 1;
		}
	}
	return 0;
}

int tar_xattrs_inherit(struct tar_xattrs *xattrs, const struct tar_xattrs *defaults,
		       struct mkrootfs_error *error)
{
	int status = 0;

	xattrs->access_mode = defaults->access_mode;
	for (size_t i = 0; status == 0 && i < defaults->count; i++) {
		const struct tar_xattr item = defaults->items[i]; /* add may move its own items */

		status = add(xattrs, &item, FROM_DEFAULTS, error);
	}
	return status;
}

static bool has_own(const struct tar_xattrs *xattrs, const char *name)
{
	for (size_t i = 0; i < xattrs->found_count; i++)
		if (xattrs->found[i].origin != FROM_DEFAULTS &&
		    !strcmp(xattrs->found[i].xattr.name, name))
			return true;
	return false;
}

static const char *why_dropped(enum tar_acl_result result)
{
	if (result == TAR_ACL_NAMES)
		return "an ACL is left out: it names users or groups without their numbers";
	return "an ACL is left out: no kernel would accept it";
}

/* An access ACL of three entries is no more than a mode; a default one changes what is created. */
static int convert_acl(struct tar_xattrs *xattrs, int which, const char **dropped,
		       struct mkrootfs_error *error)
{
	const struct tar_text *text = &xattrs->acls[which];
	struct buf *blob = &xattrs->acl_blobs[which];
	enum tar_acl_result result;
	struct tar_xattr xattr = { .name = acl_keys[which].xattr };
	int status = tar_acl_convert(&result, blob, text->data, text->len, error);

	if (status < 0)
		return error_prefix(error, "%s: ", acl_keys[which].key);
	if (result == TAR_ACL_NAMES || result == TAR_ACL_MALFORMED) {
		*dropped = why_dropped(result);
		return 0;
	}
	if (which == ACCESS)
		xattrs->access_mode = (int)tar_acl_mode(blob);
	if (result == TAR_ACL_TRIVIAL && which == ACCESS)
		return 0;
	xattr.name_len = strlen(xattr.name);
	xattr.value = blob->data;
	xattr.value_len = blob->len;
	return add(xattrs, &xattr, FROM_TEXT, error);
}

/* A raw value needs no text, and comes with the right mode. */
static int settle_acl(struct tar_xattrs *xattrs, int which, const char **dropped,
		      struct mkrootfs_error *error)
{
	if (!has_own(xattrs, acl_keys[which].xattr))
		return xattrs->acls[which].len > 0 ? convert_acl(xattrs, which, dropped, error) : 0;
	if (which == ACCESS)
		xattrs->access_mode = -1;
	return 0;
}

static int compare_names(const struct tar_xattr *a, const struct tar_xattr *b)
{
	size_t len = a->name_len < b->name_len ? a->name_len : b->name_len;
	int order = memcmp(a->name, b->name, len);

	if (order != 0)
		return order;
	return a->name_len < b->name_len ? -1 : a->name_len > b->name_len;
}

/* By name; of equal names the one that counts comes first. */
static int compare_found(const void *a, const void *b)
{
	const struct tar_xattr_found *x = a, *y = b;
	int order = compare_names(&x->xattr, &y->xattr);

	if (order != 0)
		return order;
	if (x->origin != y->origin)
		return x->origin > y->origin ? -1 : 1;
	return x->order > y->order ? -1 : 1;
}

static void keep_first_of_each(struct tar_xattrs *xattrs)
{
	xattrs->count = 0;
	for (size_t i = 0; i < xattrs->found_count; i++) {
		const struct tar_xattr *next = &xattrs->found[i].xattr;

		if (i == 0 || compare_names(next, &xattrs->items[xattrs->count - 1]) != 0)
			xattrs->items[xattrs->count++] = *next;
	}
}

int tar_xattrs_finish(struct tar_xattrs *xattrs, const char **dropped, struct mkrootfs_error *error)
{
	int status = 0;

	*dropped = NULL;
	for (int i = ACCESS; status == 0 && i <= DEFAULT; i++)
		status = settle_acl(xattrs, i, dropped, error);
	if (status < 0)
		return status;
	if (xattrs->found_count > 1)
		qsort(xattrs->found, xattrs->found_count, sizeof(*xattrs->found), compare_found);
	keep_first_of_each(xattrs);
	forget_found(xattrs);
	return 0;
}

uint64_t tar_xattrs_size(const struct tar_xattrs *xattrs)
{
	uint64_t size = 0;

	for (size_t i = 0; i < xattrs->count; i++)
		size += xattrs->items[i].name_len + xattrs->items[i].value_len;
	return size;
}
