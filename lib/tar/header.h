/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The 512-byte header of a tar member: a view of its bytes, decoded field by field on demand, so
 * that a field which an extended header overrides may hold anything.
 *
 *	if (!tar_header_is_valid(block))
 *		...
 *	struct tar_header header = tar_header_view(block);
 *	if (tar_header_number(&uid, &header, TAR_FIELD_UID, error) < 0)
 *		...
 *
 * Layout: POSIX.1-2017, pax, "ustar Interchange Format"; GNU tar manual, "Basic Tar Format".
 */
#ifndef MKROOTFS_TAR_HEADER_H
#define MKROOTFS_TAR_HEADER_H

#include "../base/buf.h"

#include <stdbool.h>

#define TAR_BLOCK_SIZE 512u

enum tar_form {
	TAR_FORM_V7,	/* no magic: neither prefix nor device numbers */
	TAR_FORM_USTAR, /* "ustar\0": POSIX, pax, star */
	TAR_FORM_GNU,	/* "ustar  \0": no prefix, sparse maps in the header */
};

struct tar_header {
	const uint8_t *block; /* borrowed */
	enum tar_form form;
	uint8_t type; /* typeflag */
};

enum tar_field {
	TAR_FIELD_MODE,
	TAR_FIELD_UID,
	TAR_FIELD_GID,
	TAR_FIELD_SIZE,
	TAR_FIELD_MTIME,
	TAR_FIELD_DEVICE_MAJOR,
	TAR_FIELD_DEVICE_MINOR,
	TAR_FIELD_REAL_SIZE, /* GNU 'S' headers only */
};

bool tar_block_is_zero(const uint8_t block[TAR_BLOCK_SIZE]);
/* The sum of all bytes. */
uint32_t tar_block_sum(const uint8_t block[TAR_BLOCK_SIZE]);
/* Whether the checksum is right, taken over unsigned bytes or, as old writers did, signed ones. */
bool tar_header_is_valid(const uint8_t block[TAR_BLOCK_SIZE]);
struct tar_header tar_header_view(const uint8_t block[TAR_BLOCK_SIZE]);

/*
 * A numeric field of up to 20 bytes: blanks, octal digits, then NUL or blank or its end; or
 * base-256 with the top bit set. Empty is 0. Numbers beyond int64_t become INT64_MAX or INT64_MIN.
 * False: the field holds something else.
 */
bool tar_number(int64_t *out, const uint8_t *field, size_t width);
/* The same for a field by name; an error names it. */
int tar_header_number(int64_t *out, const struct tar_header *header, enum tar_field field,
		      struct mkrootfs_error *error);

/* Append the member's name (prefix and all) and link name; the fields are not NUL-terminated. */
int tar_header_path(struct buf *out, const struct tar_header *header, struct mkrootfs_error *error);
int tar_header_link(struct buf *out, const struct tar_header *header, struct mkrootfs_error *error);

#endif
