/* SPDX-License-Identifier: Apache-2.0 */
#include "disk_open.h"

#include "../io/source.h"
#include "../vmdk/parse.h"

#include <string.h>

#define PATH_CAP 16384u

static int read_descriptor(struct vmdk_disk *disk, const char *path, struct mkrootfs_error *error)
{
	struct buf text = BUF_INIT(VMDK_DESCRIPTOR_MAX);
	struct source *source = NULL;
	int status = source_file(&source, path, error);

	if (status == 0)
		status = source_read_all(&text, source, error);
	source_close(source);
	if (status == 0) {
		status = vmdk_parse(disk, text.data, text.len, error);
		if (status < 0)
			error_prefix(error, "'%s': ", path);
	}
	buf_free(&text);
	return status;
}

static int add_extent(struct extents *extents, const char *path, const struct vmdk_extent *extent,
		      struct mkrootfs_error *error)
{
	const char *slash = strrchr(path, '/');
	size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
	struct buf full = BUF_INIT(PATH_CAP);
	int status = buf_append(&full, path, folder, error);

	if (status == 0)
		status = buf_append_string(&full, extent->name, error);
	if (status == 0)
		status = extents_add(extents, (char *)full.data, extent->sectors * VMDK_SECTOR_SIZE,
				     error);
	buf_free(&full);
	return status;
}

static int open_extents(struct extents **out, const struct vmdk_disk *disk, const char *path,
			struct mkrootfs_error *error)
{
	int status = extents_create(out, error);

	for (size_t i = 0; status == 0 && i < disk->count; i++)
		status = add_extent(*out, path, &disk->extents[i], error);
	/* The descriptor is there; a file that it names and that is missing is damage. */
	if (status == MKROOTFS_ERROR_NOT_FOUND)
		status = error->status = MKROOTFS_ERROR_MALFORMED;
	if (status < 0) {
		extents_close(*out);
		*out = NULL;
	}
	return status;
}

int disk_open(struct extents **out, const char *path, struct mkrootfs_error *error)
{
	struct vmdk_disk disk;
	int status = read_descriptor(&disk, path, error);

	*out = NULL;
	if (status < 0)
		return status;
	status = open_extents(out, &disk, path, error);
	vmdk_disk_free(&disk);
	return status < 0 ? error_prefix(error, "disk '%s': ", path) : 0;
}
