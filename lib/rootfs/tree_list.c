/* SPDX-License-Identifier: Apache-2.0 */
#include "tree_list.h"

#include "../erofs/read_directory.h"
#include "tree_stat.h"

#include <string.h>

struct listing {
	const struct mkrootfs_tree *tree;
	mkrootfs_entry_fn fn;
	void *user;
	char target[MKROOTFS_LINK_SIZE];
};

/* Fills entry from the inode behind the name. */
static int describe(struct mkrootfs_entry *entry, struct listing *list, uint64_t nid,
		    struct mkrootfs_error *error)
{
	struct tree_found found = { .nid = nid };
	int status = erofs_read_head(&found.inode, list->tree->reader, nid, error);

	if (status == 0)
		status = tree_stat_of(&entry->stat, list->tree, &found, error);
	if (status == 0 && S_ISLNK(found.inode.head.mode)) {
		status = tree_target_of(list->target, list->tree, &found, error);
		entry->target = list->target;
	}
	return status;
}

static int report(void *user, const struct erofs_entry *found, struct mkrootfs_error *error)
{
	struct listing *list = user;
	struct mkrootfs_entry entry = { 0 };
	char name[EROFS_NAME_LEN + 1];
	int status;

	if (erofs_is_dot(found->name, found->len))
		return 0;
	memcpy(name, found->name, found->len);
	name[found->len] = '\0';
	entry.name = name;
	status = describe(&entry, list, found->nid, error);
	if (status < 0)
		return error_prefix(error, "entry '%s': ", name);
	if (list->fn(list->user, &entry) != 0)
		return error_set(error, MKROOTFS_ERROR_CANCELLED, "cancelled");
	return 0;
}

int tree_list(const struct mkrootfs_tree *tree, const char *path, mkrootfs_entry_fn fn, void *user,
	      struct mkrootfs_error *error)
{
	struct listing list = { .tree = tree, .fn = fn, .user = user };
	struct tree_found found;
	int status = tree_resolve(&found, tree, path, true, error);

	if (status < 0)
		return status;
	if (!S_ISDIR(found.inode.head.mode))
		return error_set(error, MKROOTFS_ERROR_INVALID, "'%s' is not a directory", path);
	status = erofs_each_entry(&found.inode, tree->reader, report, &list, error);
	return status < 0 && status != MKROOTFS_ERROR_CANCELLED
		       ? error_prefix(error, "'%s': ", path)
		       : status;
}
