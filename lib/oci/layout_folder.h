/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files of an OCI image layout.
 *
 *	struct layout_folder folder;
 *	layout_folder_open(&folder, path, error);
 *	layout_folder_read(&bytes, &folder, "index.json", error);
 *	layout_blob_name(name, &digest);
 *	layout_folder_file(&source, &folder, name, error);
 *	layout_folder_close(&folder);
 */
#ifndef MKROOTFS_OCI_LAYOUT_FOLDER_H
#define MKROOTFS_OCI_LAYOUT_FOLDER_H

#include "../io/source.h"

struct layout_folder {
	int fd; /* -1: not open */
};

#define LAYOUT_BLOB_NAME_SIZE (DIGEST_TEXT_SIZE + 8)

/* Checks the marker file oci-layout, whose version must be 1.x. folder may be closed in any case.
 */
int layout_folder_open(struct layout_folder *folder, const char *path,
		       struct mkrootfs_error *error);
/*
 * A file below the folder from offset on, which must be a regular one and no link: a pipe or a
 * device would hang the reader.
 */
int layout_folder_file(struct source **out, const struct layout_folder *folder, const char *name,
		       uint64_t offset, struct mkrootfs_error *error);
/* Appends a file to out, whose cap bounds it. */
int layout_folder_read(struct buf *out, const struct layout_folder *folder, const char *name,
		       struct mkrootfs_error *error);
void layout_folder_close(struct layout_folder *folder);

/* "blobs/<algorithm>/<hex>" */
void layout_blob_name(char name[LAYOUT_BLOB_NAME_SIZE], const struct digest *digest);

#endif
