/* SPDX-License-Identifier: Apache-2.0 */
/* Reading trees. */
#include "api.h"

#include "rootfs/tree_file.h"
#include "rootfs/tree_list.h"
#include "rootfs/tree_open.h"
#include "rootfs/tree_stat.h"

int mkrootfs_tree_open(struct mkrootfs_tree **tree, const char *path, struct mkrootfs_error *error)
{
	error = OR_LOCAL(error);
	*tree = NULL;
	if (!path)
		return missing(error, "the path");
	return done(tree_open(tree, path, error), error);
}

int mkrootfs_tree_open_image(struct mkrootfs_tree **tree, const struct mkrootfs_image *image,
			     struct mkrootfs_error *error)
{
	error = OR_LOCAL(error);
	*tree = NULL;
	if (!image)
		return missing(error, "the image");
	return done(tree_open_image(tree, image, error), error);
}

void mkrootfs_tree_close(struct mkrootfs_tree *tree)
{
	tree_close(tree);
}

/* What all questions to a tree need; 0 or the error that it set. */
static int check_question(const struct mkrootfs_tree *tree, const char *path, unsigned flags,
			  struct mkrootfs_error *error)
{
	if (!tree || !path)
		return missing(error, tree ? "the path" : "the tree");
	if (flags & ~(unsigned)MKROOTFS_NO_FOLLOW)
		return error_set(error, MKROOTFS_ERROR_INVALID, "unknown flags 0x%x", flags);
	return 0;
}

int mkrootfs_tree_stat(struct mkrootfs_stat *stat, const struct mkrootfs_tree *tree,
		       const char *path, unsigned flags, struct mkrootfs_error *error)
{
	int status;

	error = OR_LOCAL(error);
	*stat = (struct mkrootfs_stat){ 0 };
	status = check_question(tree, path, flags, error);
	if (status == 0)
		status = tree_stat(stat, tree, path, !(flags & MKROOTFS_NO_FOLLOW), error);
	return done(status, error);
}

int mkrootfs_tree_readlink(char target[MKROOTFS_LINK_SIZE], const struct mkrootfs_tree *tree,
			   const char *path, struct mkrootfs_error *error)
{
	int status;

	error = OR_LOCAL(error);
	*target = '\0';
	status = check_question(tree, path, 0, error);
	if (status == 0)
		status = tree_readlink(target, tree, path, error);
	return done(status, error);
}

int mkrootfs_tree_list(const struct mkrootfs_tree *tree, const char *path, mkrootfs_entry_fn fn,
		       void *user, struct mkrootfs_error *error)
{
	int status;

	error = OR_LOCAL(error);
	status = check_question(tree, path, 0, error);
	if (status == 0 && !fn)
		status = missing(error, "the function for entries");
	if (status == 0)
		status = tree_list(tree, path, fn, user, error);
	return done(status, error);
}

int mkrootfs_tree_xattrs(const struct mkrootfs_tree *tree, const char *path, unsigned flags,
			 mkrootfs_xattr_fn fn, void *user, struct mkrootfs_error *error)
{
	int status;

	error = OR_LOCAL(error);
	status = check_question(tree, path, flags, error);
	if (status == 0 && !fn)
		status = missing(error, "the function for attributes");
	if (status == 0)
		status = tree_xattrs(tree, path, !(flags & MKROOTFS_NO_FOLLOW), fn, user, error);
	return done(status, error);
}

int mkrootfs_file_open(struct mkrootfs_file **file, const struct mkrootfs_tree *tree,
		       const char *path, struct mkrootfs_error *error)
{
	int status;

	error = OR_LOCAL(error);
	*file = NULL;
	status = check_question(tree, path, 0, error);
	if (status == 0)
		status = tree_file_open(file, tree, path, error);
	return done(status, error);
}

uint64_t mkrootfs_file_size(const struct mkrootfs_file *file)
{
	return file->inode.head.size;
}

int mkrootfs_file_read(size_t *got, const struct mkrootfs_file *file, uint64_t offset, void *buffer,
		       size_t size, struct mkrootfs_error *error)
{
	error = OR_LOCAL(error);
	*got = 0;
	if (!file || (!buffer && size > 0))
		return missing(error, file ? "the buffer" : "the file");
	return done(tree_file_read(got, file, offset, buffer, size, error), error);
}

void mkrootfs_file_close(struct mkrootfs_file *file)
{
	tree_file_close(file);
}
