/* SPDX-License-Identifier: Apache-2.0 */
#include "host_inode.h"

#include "../io/regular_file.h"
#include "host_xattrs.h"

#include <errno.h>
#include <limits.h>
#ifdef __linux__
#include <sys/sysmacros.h>
#endif
#include <unistd.h>

/* As chown(2) does: a file that runs as its owner must not become another's that does. */
static void drop_set_ids(struct tree_inode *inode, const struct tree_attributes *attributes,
			 const struct stat *st)
{
	if (!S_ISREG(st->st_mode))
		return;
	if (attributes->uid != st->st_uid)
		inode->mode &= (uint16_t)~S_ISUID;
	if (attributes->gid != st->st_gid)
		inode->mode &= (uint16_t)~S_ISGID;
}

static int set_device(struct tree_inode *inode, const char *host, const struct stat *st,
		      struct mkrootfs_error *error)
{
	if (major(st->st_rdev) > TREE_MAJOR_MAX || minor(st->st_rdev) > TREE_MINOR_MAX)
		return error_set(error, MKROOTFS_ERROR_UNSUPPORTED,
				 "'%s' is a device whose numbers Linux cannot have", host);
	inode->data = tree_device(major(st->st_rdev), minor(st->st_rdev));
	return 0;
}

int host_inode_describe(struct upper_content *content, struct tree_inode *inode, const char *host,
			const struct stat *st, struct mkrootfs_error *error)
{
	struct tree *tree = content->upper->tree;
	struct tree_attributes attributes = { .mtime = st->st_mtim.tv_sec,
					      .mtime_nsec = (uint32_t)st->st_mtim.tv_nsec };

	*inode = (struct tree_inode){ .mode = (uint16_t)st->st_mode };
	if ((S_ISCHR(st->st_mode) || S_ISBLK(st->st_mode)) &&
	    set_device(inode, host, st, error) < 0)
		return error->status;
	if (host_xattrs_read(&tree->xattrs, &attributes.xattrs, host, error) < 0 ||
	    tree_set_attributes(tree, inode, &attributes, error) < 0 ||
	    upper_content_attributes(content, inode, error) < 0)
		return error->status;
	if (!content->entry->set_mode)
		drop_set_ids(inode, tree_attributes_of(tree, inode), st);
	return 0;
}

static int find_data(struct upper_content *content, struct tree_inode *inode, const char *host,
		     const struct stat *st, struct mkrootfs_error *error)
{
	int fd, status;

	inode->size = (uint64_t)st->st_size;
	if (inode->size == 0)
		return 0;
	if (upper_data_add_file(&content->data, &inode->data, host, inode->size, error) < 0)
		return error->status;
	if ((uint64_t)st->st_blocks * 512 >= inode->size)
		return 0;
	status = regular_file_open(&fd, host, error);
	if (status < 0)
		return status;
	status = upper_find_holes(content->upper->tree, inode, fd, 0, inode->data, error);
	close(fd);
	return status;
}

static int find_target(struct upper_content *content, struct tree_inode *inode, const char *host,
		       struct mkrootfs_error *error)
{
	char target[PATH_MAX];
	ssize_t len = readlink(host, target, sizeof(target) - 1);

	if (len <= 0)
		return error_set_errno(error, errno, "read the link '%s'", host);
	inode->size = (uint64_t)len;
	return tree_new_string(content->upper->tree, &inode->data, target, (size_t)len, error);
}

int host_inode_read(struct upper_content *content, struct tree_inode *inode, const char *host,
		    const struct stat *st, struct mkrootfs_error *error)
{
	if (host_inode_describe(content, inode, host, st, error) < 0)
		return error->status;
	if (S_ISREG(st->st_mode))
		return find_data(content, inode, host, st, error);
	return S_ISLNK(st->st_mode) ? find_target(content, inode, host, error) : 0;
}
