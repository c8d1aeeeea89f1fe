/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The steps of tar_member_decode, in the order that their needs dictate: messages need the name,
 * the link needs the type, and the sparse map, which reads on and so loses the header, comes last.
 */
#ifndef MKROOTFS_TAR_DECODE_H
#define MKROOTFS_TAR_DECODE_H

#include "member.h"

struct tar_decoding {
	struct tar_member *member;
	const struct tar_header *header;
	struct tar_extensions *ext;
	struct tar_input *input;
	struct mkrootfs_error *error;
};

int tar_decode_path(const struct tar_decoding *d);
int tar_decode_type(const struct tar_decoding *d);
int tar_decode_link(const struct tar_decoding *d);
int tar_decode_mode_and_owner(const struct tar_decoding *d);
int tar_decode_mtime(const struct tar_decoding *d);
int tar_decode_device(const struct tar_decoding *d);
int tar_decode_size(const struct tar_decoding *d);
int tar_decode_xattrs(const struct tar_decoding *d);
int tar_decode_sparse(const struct tar_decoding *d);

/* ---- Shared by the steps ---- */

/* The record in force for key, or NULL. */
static inline const struct tar_text *tar_decoding_value(const struct tar_decoding *d,
							enum tar_key key)
{
	return tar_attributes_value(&d->ext->own, &d->ext->defaults, key);
}

static inline int tar_decoding_malformed(const struct tar_decoding *d, const char *what)
{
	return error_set(d->error, MKROOTFS_ERROR_MALFORMED, "%s", what);
}

/* The record's text where a number was expected. */
int tar_decoding_no_number(const struct tar_decoding *d, const struct tar_text *value,
			   const char *what);
/* A number from the record for key, or from the header's field when there is none. */
int tar_decoding_number(int64_t *out, const struct tar_decoding *d, enum tar_key key,
			enum tar_field field, const char *what);

#endif
