/* SPDX-License-Identifier: Apache-2.0 */
#include "decode.h"

#include <string.h>

/* As much of a name as fits is kept, so that an error can tell it. */
static int set_name(const struct tar_decoding *d, struct buf *out, const char *text, size_t len,
		    const char *what)
{
	size_t part = len < out->cap ? len : out->cap;
	int status = buf_append(out, text, part, d->error);

	if (status < 0)
		return status;
	if (part < len)
		return error_set(d->error, MKROOTFS_ERROR_LIMIT,
				 "the %s has %zu bytes, the limit is %zu", what, len, out->cap);
	if (memchr(text, '\0', len))
		return error_set(d->error, MKROOTFS_ERROR_MALFORMED, "the %s holds a NUL", what);
	return 0;
}

int tar_decode_path(const struct tar_decoding *d)
{
	const struct tar_text *value = tar_decoding_value(d, TAR_KEY_SPARSE_NAME);
	const struct tar_long_text *long_name = &d->ext->name;
	struct buf *path = &d->member->path;
	int status;

	if (!value)
		value = tar_decoding_value(d, TAR_KEY_PATH);
	if (value)
		status = set_name(d, path, value->data, value->len, "name");
	else if (long_name->is_set)
		status = set_name(d, path, (char *)long_name->text.data, long_name->text.len,
				  "name");
	else
		status = tar_header_path(path, d->header, d->error);
	if (status == 0 && path->len == 0)
		status = tar_decoding_malformed(d, "the name is empty");
	return status;
}

int tar_decode_link(const struct tar_decoding *d)
{
	const struct tar_text *value = tar_decoding_value(d, TAR_KEY_LINKPATH);
	const struct tar_long_text *long_link = &d->ext->link;
	struct buf *link = &d->member->link;
	int status;

	if (d->member->entry.type != TAR_SYMLINK && d->member->entry.type != TAR_HARDLINK)
		return link->data ? 0 : buf_append(link, "", 0, d->error);
	if (value)
		status = set_name(d, link, value->data, value->len, "link target");
	else if (long_link->is_set)
		status = set_name(d, link, (char *)long_link->text.data, long_link->text.len,
				  "link target");
	else
		status = tar_header_link(link, d->header, d->error);
	if (status == 0 && link->len == 0)
		status = tar_decoding_malformed(d, "the link target is empty");
	return status;
}
