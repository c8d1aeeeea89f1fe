/* SPDX-License-Identifier: Apache-2.0 */
#include "tree_file.h"

#include "../erofs/read_data.h"

#include <stdlib.h>
#include <string.h>

static int check(const struct erofs_placed_inode *inode, const char *path,
		 struct mkrootfs_error *error)
{
	if (S_ISDIR(inode->head.mode))
		return error_set(error, MKROOTFS_ERROR_INVALID, "'%s' is a directory", path);
	if (!S_ISREG(inode->head.mode))
		return error_set(error, MKROOTFS_ERROR_INVALID, "'%s' is not a regular file", path);
	if (inode->head.size > INT64_MAX)
		return error_set(error, MKROOTFS_ERROR_MALFORMED,
				 "'%s': a file's size is out of range", path);
	return 0;
}

int tree_file_open(struct mkrootfs_file **out, const struct mkrootfs_tree *tree, const char *path,
		   struct mkrootfs_error *error)
{
	struct tree_found found;
	struct mkrootfs_file *file;
	int status = tree_resolve(&found, tree, path, true, error);

	*out = NULL;
	if (status == 0)
		status = check(&found.inode, path, error);
	if (status < 0)
		return status;
	file = malloc(sizeof(*file));
	if (!file)
		return error_no_memory(error);
	*file = (struct mkrootfs_file){ tree, found.inode, strdup(path) };
	if (!file->path) {
		free(file);
		return error_no_memory(error);
	}
	*out = file;
	return 0;
}

/* Says what an fsmeta alone is, to who asked it for data. */
static int explain(const struct mkrootfs_file *file, struct mkrootfs_error *error)
{
	const char *name = extents_path(erofs_reader_extents(file->tree->reader), 0);

	error_set(
		error, MKROOTFS_ERROR_NOT_FOUND,
		"'%s': '%s' holds metadata alone, or is cut short: file data are in the disk that "
		"it belongs to",
		file->path, name);
	return error_advise(error, "name the disk.vmdk or the image's folder");
}

int tree_file_read(size_t *got, const struct mkrootfs_file *file, uint64_t offset, void *buffer,
		   size_t size, struct mkrootfs_error *error)
{
	uint64_t left = offset < file->inode.head.size ? file->inode.head.size - offset : 0;
	size_t len = size < left ? size : (size_t)left;
	int status = erofs_read_data(&file->inode, file->tree->reader, offset, buffer, len, error);

	*got = status < 0 ? 0 : len;
	if (status == MKROOTFS_ERROR_NOT_FOUND)
		return explain(file, error);
	return status < 0 ? error_prefix(error, "'%s': ", file->path) : 0;
}

void tree_file_close(struct mkrootfs_file *file)
{
	if (!file)
		return;
	free(file->path);
	free(file);
}
