/* SPDX-License-Identifier: Apache-2.0 */
#include "tree_open.h"

#include "../base/bytes.h"
#include "../vmdk/parse.h"
#include "disk_open.h"
#include "image.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_CAP 16384u
#define HEAD_SIZE (EROFS_SUPER_OFFSET + 4u) /* up to the magic of EROFS */

/* Takes the extents, also when it fails. */
static int open_extents(struct mkrootfs_tree **out, struct extents *extents,
			struct mkrootfs_error *error)
{
	struct mkrootfs_tree *tree = calloc(1, sizeof(*tree));
	const struct erofs_superblock *sb;
	int status = tree ? 0 : error_no_memory(error);

	if (status == 0)
		status = erofs_reader_open_extents(&tree->reader, extents, error);
	if (status < 0) {
		extents_close(extents);
		free(tree);
		return status;
	}
	sb = erofs_reader_superblock(tree->reader);
	tree->metadata_only = erofs_reader_size(tree->reader) >> EROFS_BLOCK_BITS < sb->blocks;
	*out = tree;
	return 0;
}

static int open_disk(struct mkrootfs_tree **out, const char *path, struct mkrootfs_error *error)
{
	struct extents *extents;
	int status = disk_open(&extents, path, error);

	return status < 0 ? status : open_extents(out, extents, error);
}

/* ---- An fsmeta with its disk beside it ---- */

static bool is_first_file(const struct extents *disk, const struct extents *fsmeta)
{
	struct extent_place a, b;
	struct stat first, other;

	return extents_find(&a, disk, 0) && extents_find(&b, fsmeta, 0) &&
	       fstat(a.fd, &first) == 0 && fstat(b.fd, &other) == 0 &&
	       first.st_dev == other.st_dev && first.st_ino == other.st_ino;
}

static int beside(struct buf *out, const char *path, const char *name, struct mkrootfs_error *error)
{
	const char *slash = strrchr(path, '/');
	int status = buf_append(out, path, slash ? (size_t)(slash - path) + 1 : 0, error);

	return status < 0 ? status : buf_append_string(out, name, error);
}

/* The disk that the metadata at path are the beginning of, or the metadata alone. */
static int complete(struct mkrootfs_tree **tree, const char *path, struct mkrootfs_error *error)
{
	const struct extents *fsmeta = erofs_reader_extents((*tree)->reader);
	struct buf name = BUF_INIT(PATH_CAP);
	struct mkrootfs_error ignored;
	struct mkrootfs_tree *disk;
	struct extents *extents;
	int status = beside(&name, path, IMAGE_DISK, error);

	if (status == 0 && disk_open(&extents, (char *)name.data, &ignored) == 0) {
		if (!is_first_file(extents, fsmeta)) {
			extents_close(extents);
		} else if (open_extents(&disk, extents, &ignored) == 0) {
			tree_close(*tree);
			*tree = disk;
		}
	}
	buf_free(&name);
	return status;
}

static int open_erofs(struct mkrootfs_tree **out, const char *path, struct mkrootfs_error *error)
{
	struct extents *extents;
	int status = extents_create(&extents, error);

	if (status < 0)
		return status;
	status = extents_add(extents, path, EXTENTS_WHOLE, error);
	if (status < 0) {
		extents_close(extents);
		return status;
	}
	status = open_extents(out, extents, error);
	if (status == 0 && (*out)->metadata_only)
		status = complete(out, path, error);
	return status;
}

/* ---- What a path holds ---- */

static int open_folder(struct mkrootfs_tree **out, const char *path, struct mkrootfs_error *error)
{
	struct buf disk = BUF_INIT(PATH_CAP);
	int status = buf_printf(&disk, error, "%s/%s", path, IMAGE_DISK);

	if (status == 0)
		status = open_disk(out, (char *)disk.data, error);
	if (status == MKROOTFS_ERROR_NOT_FOUND)
		status = error_set(error, MKROOTFS_ERROR_NOT_FOUND,
				   "folder '%s' is no image: it has no %s", path, IMAGE_DISK);
	buf_free(&disk);
	return status;
}

static int open_file(struct mkrootfs_tree **out, const char *path, struct mkrootfs_error *error)
{
	uint8_t head[HEAD_SIZE] = { 0 };
	struct extents *file;
	size_t len;
	int status = extents_create(&file, error);

	if (status < 0)
		return status;
	status = extents_add(file, path, EXTENTS_WHOLE, error);
	len = extents_size(file) < sizeof(head) ? (size_t)extents_size(file) : sizeof(head);
	if (status == 0)
		status = extents_read(file, 0, head, len, error);
	extents_close(file);
	if (status < 0)
		return status;
	if (vmdk_is_descriptor(head, len))
		return open_disk(out, path, error);
	if (len == sizeof(head) && get_le32(head + EROFS_SUPER_OFFSET) == EROFS_SUPER_MAGIC_V1)
		return open_erofs(out, path, error);
	return error_set(error, MKROOTFS_ERROR_MALFORMED,
			 "'%s' is neither an EROFS image nor a VMDK descriptor", path);
}

int tree_open(struct mkrootfs_tree **out, const char *path, struct mkrootfs_error *error)
{
	struct stat st;

	*out = NULL;
	if (stat(path, &st) < 0)
		return error_set_errno(error, errno, "open '%s'", path);
	return S_ISDIR(st.st_mode) ? open_folder(out, path, error) : open_file(out, path, error);
}

int tree_open_image(struct mkrootfs_tree **out, const struct mkrootfs_image *image,
		    struct mkrootfs_error *error)
{
	int status;

	*out = NULL;
	if (image->problem)
		return error_set(error, MKROOTFS_ERROR_MALFORMED, "%s", image->problem);
	status = open_disk(out, image->disk, error);
	/* The image's folder was there when the image was opened. */
	if (status == MKROOTFS_ERROR_NOT_FOUND)
		error_prefix(error, "the image was removed meanwhile: ");
	return status;
}

void tree_close(struct mkrootfs_tree *tree)
{
	if (!tree)
		return;
	erofs_reader_close(tree->reader);
	free(tree);
}
