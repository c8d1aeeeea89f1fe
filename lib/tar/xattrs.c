/* SPDX-License-Identifier: Apache-2.0 */
#include "xattrs.h"

#include "../base/array.h"
#include "acl.h"

#include <stdlib.h>
#include <string.h>

#define ACL_BLOB_MAX (64u << 10) /* XATTR_SIZE_MAX of linux/limits.h */

static const char *const acl_names[] = {
	[TAR_ACL_ACCESS] = "system.posix_acl_access",
	[TAR_ACL_DEFAULT] = "system.posix_acl_default",
};

void tar_xattrs_init(struct tar_xattrs *xattrs)
{
	*xattrs = (struct tar_xattrs){ .access_mode = -1 };
	for (int i = TAR_ACL_ACCESS; i <= TAR_ACL_DEFAULT; i++)
		xattrs->acl_blobs[i] = BUF_INIT(ACL_BLOB_MAX);
}

static void forget_found(struct tar_xattrs *xattrs)
{
	xattrs->found_count = 0;
	for (int i = TAR_ACL_ACCESS; i <= TAR_ACL_DEFAULT; i++)
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
	for (int i = TAR_ACL_ACCESS; i <= TAR_ACL_DEFAULT; i++)
		buf_free(&xattrs->acl_blobs[i]);
	tar_xattrs_init(xattrs);
}

static int reserve(struct tar_xattrs *xattrs, struct mkrootfs_error *error)
{
	size_t room = xattrs->room, count = xattrs->found_count;

	if (count == TAR_XATTR_COUNT_MAX)
		return error_set(error, MKROOTFS_ERROR_LIMIT, "more than %d extended attributes",
				 TAR_XATTR_COUNT_MAX);
	if (array_reserve(&xattrs->found, &room, count, sizeof(*xattrs->found), error) < 0)
		return error->status;
	return array_reserve(&xattrs->items, &xattrs->room, count, sizeof(*xattrs->items), error);
}

int tar_xattrs_insert(struct tar_xattrs *xattrs, const struct tar_xattr *xattr,
		      enum tar_xattr_origin origin, struct mkrootfs_error *error)
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

int tar_xattrs_inherit(struct tar_xattrs *xattrs, const struct tar_xattrs *defaults,
		       struct mkrootfs_error *error)
{
	int status = 0;

	xattrs->access_mode = defaults->access_mode;
	for (size_t i = 0; status == 0 && i < defaults->count; i++) {
		/* A copy: the list may inherit itself, and move its items. */
		const struct tar_xattr item = defaults->items[i];

		status = tar_xattrs_insert(xattrs, &item, TAR_XATTR_FROM_DEFAULTS, error);
	}
	return status;
}

static bool has_own(const struct tar_xattrs *xattrs, const char *name)
{
	for (size_t i = 0; i < xattrs->found_count; i++)
		if (xattrs->found[i].origin != TAR_XATTR_FROM_DEFAULTS &&
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
	struct tar_xattr xattr = { .name = acl_names[which] };
	int status = tar_acl_convert(&result, blob, text->data, text->len, error);

	if (status < 0)
		return error_prefix(error, "%s: ", acl_names[which]);
	if (result == TAR_ACL_NAMES || result == TAR_ACL_MALFORMED) {
		*dropped = why_dropped(result);
		return 0;
	}
	if (which == TAR_ACL_ACCESS)
		xattrs->access_mode = (int)tar_acl_mode(blob);
	if (result == TAR_ACL_TRIVIAL && which == TAR_ACL_ACCESS)
		return 0;
	xattr.name_len = strlen(xattr.name);
	xattr.value = blob->data;
	xattr.value_len = blob->len;
	return tar_xattrs_insert(xattrs, &xattr, TAR_XATTR_FROM_TEXT, error);
}

/* A raw value needs no text, and comes with the right mode. */
static int settle_acl(struct tar_xattrs *xattrs, int which, const char **dropped,
		      struct mkrootfs_error *error)
{
	if (!has_own(xattrs, acl_names[which]))
		return xattrs->acls[which].len > 0 ? convert_acl(xattrs, which, dropped, error) : 0;
	if (which == TAR_ACL_ACCESS)
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
	for (int i = TAR_ACL_ACCESS; status == 0 && i <= TAR_ACL_DEFAULT; i++)
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
