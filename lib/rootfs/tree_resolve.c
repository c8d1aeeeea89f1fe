/* SPDX-License-Identifier: Apache-2.0 */
#include "tree_resolve.h"

#include "../base/array.h"
#include "../base/path.h"
#include "../erofs/read_directory.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/*
 * The walk keeps the directories above the place where it stands, so ".." goes back by one: what
 * the image says of "..", which a hostile one may say wrongly, is never asked.
 */
struct walk {
	struct erofs_reader *reader;
	uint64_t *nids; /* of the directories above found, the root first */
	size_t depth, room;
	struct buf rest; /* what is still to be walked */
	size_t at;	 /* bytes of rest that are done */
	unsigned links;
	bool follow;
	bool must_be_directory; /* a slash stood behind the last component */
	struct tree_found *found;
};

static int push(struct walk *w, uint64_t nid, struct mkrootfs_error *error)
{
	if (array_reserve(&w->nids, &w->room, w->depth, sizeof(*w->nids), error) < 0)
		return error->status;
	w->nids[w->depth++] = nid;
	return 0;
}

/* Makes the inode the one that was found. */
static int stand_on(struct walk *w, uint64_t nid, struct mkrootfs_error *error)
{
	w->found->nid = nid;
	return erofs_read_head(&w->found->inode, w->reader, nid, error);
}

static uint16_t mode(const struct walk *w)
{
	return w->found->inode.head.mode;
}

static int to_root(struct walk *w, struct mkrootfs_error *error)
{
	w->depth = 0;
	return stand_on(w, erofs_reader_superblock(w->reader)->root_nid, error);
}

/* The next component, empty at the end; repeated slashes and "." go by. */
static size_t next(struct walk *w, const char **name)
{
	const char *rest = (const char *)w->rest.data;
	size_t len = path_step(rest, &w->at, name);

	if (len > 0)
		w->must_be_directory = rest[w->at] == '/';
	return len;
}

static bool is_last(const struct walk *w)
{
	return path_is_last((const char *)w->rest.data, w->at);
}

/* Puts the link's target before the rest of the path. */
static int take_link(struct walk *w, struct mkrootfs_error *error)
{
	struct buf rest = BUF_INIT(TREE_RESOLVE_PATH_MAX);
	size_t len = (size_t)w->found->inode.head.size;
	char target[PATH_MAX];
	int status;

	if (w->links++ == TREE_RESOLVE_LINKS_MAX)
		return error_set(error, MKROOTFS_ERROR_LIMIT, "more than %u symbolic links",
				 TREE_RESOLVE_LINKS_MAX);
	status = erofs_read_target(target, &w->found->inode, w->reader, error);
	if (status == 0)
		status = buf_append(&rest, target, len, error);
	if (status == 0)
		status = buf_append_string(&rest, (const char *)w->rest.data + w->at, error);
	if (status == 0 && target[0] == '/')
		status = to_root(w, error);
	else if (status == 0)
		status = stand_on(w, w->nids[--w->depth], error);
	if (status < 0) {
		buf_free(&rest);
		return status;
	}
	buf_free(&w->rest);
	w->rest = rest;
	w->at = 0;
	return 0;
}

static int step_up(struct walk *w, struct mkrootfs_error *error)
{
	return w->depth > 0 ? stand_on(w, w->nids[--w->depth], error) : 0;
}

static int step(struct walk *w, const char *name, size_t len, struct mkrootfs_error *error)
{
	struct erofs_entry entry;
	int status;

	if (!S_ISDIR(mode(w)))
		return error_set(error, MKROOTFS_ERROR_NOT_FOUND, "not a directory");
	if (len == 2 && !memcmp(name, "..", 2))
		return step_up(w, error);
	if (len > EROFS_NAME_LEN)
		return error_set(error, MKROOTFS_ERROR_NOT_FOUND, "no such file or directory");
	status = erofs_find_entry(&entry, &w->found->inode, w->reader, name, len, error);
	if (status == 0)
		status = push(w, w->found->nid, error);
	if (status == 0)
		status = stand_on(w, entry.nid, error);
	if (status < 0)
		return status;
	if (S_ISLNK(mode(w)) && (w->follow || w->must_be_directory || !is_last(w)))
		return take_link(w, error);
	return 0;
}

static int walk(struct walk *w, const char *path, struct mkrootfs_error *error)
{
	const char *name;
	size_t len;
	int status = buf_append_string(&w->rest, path, error);

	if (status == 0)
		status = to_root(w, error);
	while (status == 0 && (len = next(w, &name)) > 0)
		status = step(w, name, len, error);
	if (status == 0 && w->must_be_directory && !S_ISDIR(mode(w)))
		status = error_set(error, MKROOTFS_ERROR_NOT_FOUND, "not a directory");
	return status;
}

int tree_resolve(struct tree_found *found, const struct mkrootfs_tree *tree, const char *path,
		 bool follow, struct mkrootfs_error *error)
{
	struct walk w = { .reader = tree->reader,
			  .rest = BUF_INIT(TREE_RESOLVE_PATH_MAX),
			  .follow = follow,
			  .found = found };
	int status = walk(&w, path, error);

	free(w.nids);
	buf_free(&w.rest);
	return status < 0 ? error_prefix(error, "'%s': ", *path ? path : "/") : 0;
}
