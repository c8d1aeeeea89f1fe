/* SPDX-License-Identifier: Apache-2.0 */
/* Where the fields of a header stand: POSIX.1-2017, pax, "ustar Interchange Format". */
#ifndef MKROOTFS_TAR_HEADER_FIELDS_H
#define MKROOTFS_TAR_HEADER_FIELDS_H

#include "header.h"

struct tar_field_place {
	const char *name;
	uint16_t offset;
	uint16_t width;
};

static const struct tar_field_place tar_fields[] = {
	[TAR_FIELD_MODE] = { "mode", 100, 8 },
	[TAR_FIELD_UID] = { "uid", 108, 8 },
	[TAR_FIELD_GID] = { "gid", 116, 8 },
	[TAR_FIELD_SIZE] = { "size", 124, 12 },
	[TAR_FIELD_MTIME] = { "mtime", 136, 12 },
	[TAR_FIELD_DEVICE_MAJOR] = { "devmajor", 329, 8 },
	[TAR_FIELD_DEVICE_MINOR] = { "devminor", 337, 8 },
	[TAR_FIELD_REAL_SIZE] = { "realsize", 483, 12 },
};

static const struct tar_field_place tar_name_field = { "name", 0, 100 };
static const struct tar_field_place tar_checksum_field = { "chksum", 148, 8 };
static const struct tar_field_place tar_link_field = { "linkname", 157, 100 };
static const struct tar_field_place tar_prefix_field = { "prefix", 345, 155 };
static const struct tar_field_place tar_star_prefix_field = { "prefix", 345, 131 };

enum { TAR_TYPE_OFFSET = 156, TAR_MAGIC_OFFSET = 257, TAR_STAR_MAGIC_OFFSET = 508 };

#endif
