/* SPDX-License-Identifier: Apache-2.0 */
#include "decode.h"

void tar_member_init(struct tar_member *member)
{
	*member = (struct tar_member){
		.path = BUF_INIT(TAR_NAME_MAX),
		.link = BUF_INIT(TAR_NAME_MAX),
	};
}

void tar_member_free(struct tar_member *member)
{
	buf_free(&member->path);
	buf_free(&member->link);
}

static enum tar_type file_or_directory(const struct tar_decoding *d)
{
	const struct buf *path = &d->member->path;

	/* How directories were written before there was a type for them. */
	return path->data[path->len - 1] == '/' ? TAR_DIRECTORY : TAR_FILE;
}

int tar_decode_type(const struct tar_decoding *d)
{
	enum tar_type *type = &d->member->entry.type;

	switch (d->header->type) {
	case '\0':
	case '0':
	case '7': /* contiguous, a hint for the disk */
	case 'S':
		*type = file_or_directory(d);
		return 0;
	case '1':
		*type = TAR_HARDLINK;
		return 0;
	case '2':
		*type = TAR_SYMLINK;
		return 0;
	case '3':
		*type = TAR_CHARACTER;
		return 0;
	case '4':
		*type = TAR_BLOCK;
		return 0;
	case '5':
	case 'D': /* GNU: with a list of the directory's names as content */
		*type = TAR_DIRECTORY;
		return 0;
	case '6':
		*type = TAR_FIFO;
		return 0;
	case 'M':
		return error_set(d->error, MKROOTFS_ERROR_UNSUPPORTED,
				 "it continues a file of another volume");
	default: /* POSIX asks for this */
		*type = file_or_directory(d);
		d->member->warning = "unknown type, taken as a regular file";
		return 0;
	}
}

int tar_decode_xattrs(const struct tar_decoding *d)
{
	struct tar_entry *entry = &d->member->entry;
	struct tar_xattrs *own = &d->ext->own.xattrs;
	const struct tar_xattrs *defaults = &d->ext->defaults.xattrs;
	const struct tar_xattrs *xattrs = d->ext->has_own ? own : defaults;
	const char *dropped = NULL;
	int status = 0;

	if (d->ext->has_own)
		status = tar_xattrs_inherit(own, defaults, d->error);
	if (d->ext->has_own && status == 0)
		status = tar_xattrs_finish(own, &dropped, d->error);
	if (dropped)
		d->member->warning = dropped;
	if (xattrs->access_mode >= 0)
		entry->mode = (entry->mode & 07000) | (uint32_t)xattrs->access_mode;
	entry->xattrs = xattrs->items;
	entry->xattr_count = xattrs->count;
	return status;
}

static int (*const steps[])(const struct tar_decoding *) = {
	tar_decode_path,	   tar_decode_type,   tar_decode_link,
	tar_decode_mode_and_owner, tar_decode_mtime,  tar_decode_device,
	tar_decode_size,	   tar_decode_xattrs, tar_decode_sparse,
};

int tar_member_decode(struct tar_member *member, const struct tar_header *header,
		      struct tar_extensions *ext, struct tar_input *input,
		      struct mkrootfs_error *error)
{
	const struct tar_decoding decoding = { member, header, ext, input, error };
	struct tar_entry *entry = &member->entry;
	int status = 0;

	buf_clear(&member->path);
	buf_clear(&member->link);
	member->warning = NULL;
	for (size_t i = 0; status == 0 && i < sizeof(steps) / sizeof(steps[0]); i++)
		status = steps[i](&decoding);
	entry->path = (const char *)member->path.data;
	entry->path_len = member->path.len;
	entry->link = (const char *)member->link.data;
	entry->link_len = member->link.len;
	return status;
}
