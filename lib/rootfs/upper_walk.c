/* SPDX-License-Identifier: Apache-2.0 */
#include "../base/array.h"
#include "../base/path.h"
#include "../erofs/read_directory.h"
#include "upper_tree.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define LINKS_MAX 40u	      /* as in Linux */
#define PATH_BYTES (1u << 20) /* of a path with its links' targets in it */
#define DEPTH_MAX 1024u

static int push(struct upper_walk *w, const struct upper_place *place, struct mkrootfs_error *error)
{
	if (w->depth > DEPTH_MAX)
		return error_set(error, MKROOTFS_ERROR_LIMIT, "more than %u folders", DEPTH_MAX);
	if (array_reserve(&w->above, &w->room, w->depth, sizeof(*w->above), error) < 0)
		return error->status;
	w->above[w->depth++] = *place;
	return 0;
}

/* The root is found in both. */
static int to_root(struct upper_walk *w, struct mkrootfs_error *error)
{
	const struct mkrootfs_tree *image = w->upper->image;

	w->depth = 0;
	w->found = (struct upper_place){ .node = w->upper->upper, .has_lower = image != NULL };
	w->kind = UPPER_NEW;
	w->mode = tree_inode_of(w->upper->tree, w->upper->upper)->mode;
	if (!image)
		return 0;
	return erofs_read_head(&w->found.lower, image->reader,
			       erofs_reader_superblock(image->reader)->root_nid, error);
}

/* What the image has under a name of a directory that it shows. */
static int find_lower(struct upper_walk *w, const struct upper_place *above, const char *name,
		      size_t len, struct mkrootfs_error *error)
{
	struct erofs_entry entry;
	int status;

	if (!above->has_lower || !S_ISDIR(above->lower.head.mode))
		return 0;
	status = erofs_find_entry(&entry, &above->lower, w->upper->image->reader, name, len, error);
	if (status == MKROOTFS_ERROR_NOT_FOUND)
		return 0;
	if (status == 0)
		status =
			erofs_read_head(&w->found.lower, w->upper->image->reader, entry.nid, error);
	w->found.has_lower = status == 0;
	return status;
}

/* What the overlay shows: the upper's, a directory of both merged; else the image's. */
static void judge(struct upper_walk *w)
{
	const struct tree_inode *inode = tree_inode_of(w->upper->tree, w->found.node);
	bool lower_directory = w->found.has_lower && S_ISDIR(w->found.lower.head.mode);

	w->kind = w->found.has_lower ? UPPER_LOWER : UPPER_ABSENT;
	w->mode = w->found.has_lower ? w->found.lower.head.mode : 0;
	if (!w->found.node)
		return;
	w->kind = tree_is_whiteout(inode) ? UPPER_ABSENT : UPPER_NEW;
	w->mode = w->kind == UPPER_NEW ? inode->mode : 0;
	if (!tree_is_directory(inode) || (inode->flags & TREE_OPAQUE) || !lower_directory)
		w->found.has_lower = false;
}

static int enter(struct upper_walk *w, const char *name, size_t len, struct mkrootfs_error *error)
{
	struct upper_place above = w->found;

	if (w->kind != UPPER_ABSENT && !S_ISDIR(w->mode))
		return error_set(error, MKROOTFS_ERROR_INVALID, "'%.255s' is no directory",
				 upper_walk_name(w));
	if (len > PATH_NAME_MAX)
		return error_set(error, MKROOTFS_ERROR_INVALID, "a name of more than %d bytes",
				 PATH_NAME_MAX);
	if (push(w, &above, error) < 0)
		return error->status;
	w->found = (struct upper_place){ .name = w->names.len, .len = len };
	if (buf_append(&w->names, name, len, error) < 0 || buf_append(&w->names, "", 1, error) < 0)
		return error->status;
	name = upper_walk_name(w);
	if (above.node && S_ISDIR(tree_inode_of(w->upper->tree, above.node)->mode))
		w->found.node = tree_lookup(w->upper->tree, above.node, name, len);
	if (find_lower(w, &above, name, len, error) < 0)
		return error->status;
	judge(w);
	return 0;
}

/* Back to the directory above; above the root is the root. */
static void leave(struct upper_walk *w)
{
	if (w->depth == 0)
		return;
	w->found = w->above[--w->depth];
	if (w->depth == 0) {
		w->kind = UPPER_NEW;
		w->mode = S_IFDIR;
	} else {
		judge(w);
	}
}

static int read_target(char target[PATH_MAX], const struct upper_walk *w,
		       struct mkrootfs_error *error)
{
	const struct tree_inode *inode = tree_inode_of(w->upper->tree, w->found.node);

	if (w->kind == UPPER_NEW) {
		strcpy(target, tree_string(w->upper->tree, inode)); /* its length was checked */
		return 0;
	}
	if (erofs_read_target(target, &w->found.lower, w->upper->image->reader, error) < 0)
		return error->status;
	target[w->found.lower.head.size] = '\0';
	return 0;
}

/* Puts the link's target before the rest of the path. */
static int take_link(struct upper_walk *w, struct mkrootfs_error *error)
{
	struct buf rest = BUF_INIT(PATH_BYTES);
	char target[PATH_MAX];
	int status;

	if (w->links++ == LINKS_MAX)
		return error_set(error, MKROOTFS_ERROR_LIMIT, "more than %u symbolic links",
				 LINKS_MAX);
	status = read_target(target, w, error);
	if (status == 0)
		status = buf_printf(&rest, error, "%s%s", target,
				    (const char *)w->rest.data + w->at);
	if (status == 0 && target[0] == '/')
		status = to_root(w, error);
	else if (status == 0)
		leave(w);
	if (status < 0) {
		buf_free(&rest);
		return status;
	}
	buf_free(&w->rest);
	w->rest = rest;
	w->at = 0;
	return 0;
}

static size_t next(struct upper_walk *w, const char **name)
{
	return path_step((const char *)w->rest.data, &w->at, name);
}

static bool is_last(const struct upper_walk *w)
{
	return path_is_last((const char *)w->rest.data, w->at);
}

static int walk(struct upper_walk *w, unsigned flags, struct mkrootfs_error *error)
{
	const char *name;
	size_t len;

	if (to_root(w, error) < 0)
		return error->status;
	while ((len = next(w, &name)) > 0) {
		if (len == 2 && !memcmp(name, "..", 2)) {
			leave(w);
			continue;
		}
		if (enter(w, name, len, error) < 0)
			return error->status;
		if (S_ISLNK(w->mode) && ((flags & UPPER_FOLLOW) || !is_last(w)) &&
		    take_link(w, error) < 0)
			return error->status;
	}
	return 0;
}

int upper_walk(struct upper_walk *w, struct upper_tree *upper, const char *path, unsigned flags,
	       struct mkrootfs_error *error)
{
	*w = (struct upper_walk){ .upper = upper,
				  .names = BUF_INIT(PATH_BYTES),
				  .rest = BUF_INIT(PATH_BYTES) };
	if (path_normalise(&w->rest, path, strlen(path), DEPTH_MAX, error) == 0 &&
	    buf_append(&w->names, "", 1, error) == 0 && walk(w, flags, error) == 0)
		return 0;
	upper_walk_close(w);
	return error_prefix(error, "'%.400s': ", path);
}

void upper_walk_close(struct upper_walk *w)
{
	free(w->above);
	buf_free(&w->names);
	buf_free(&w->rest);
	*w = (struct upper_walk){ 0 };
}

/* Whether a whiteout or a directory of the upper alone stands on the way. */
static bool is_cut_off(const struct upper_walk *w)
{
	for (size_t i = 0; i < w->depth; i++) {
		const struct tree_inode *inode = tree_inode_of(w->upper->tree, w->above[i].node);

		if (w->above[i].node && (tree_is_whiteout(inode) || (inode->flags & TREE_OPAQUE)))
			return true;
	}
	return false;
}

bool upper_walk_has_lower(const struct upper_walk *w)
{
	const struct upper_place *above;
	struct mkrootfs_error ignored;
	struct erofs_entry entry;

	if (w->depth == 0)
		return true;
	above = &w->above[w->depth - 1];
	if (!w->upper->image)
		return !is_cut_off(w);
	return above->has_lower && S_ISDIR(above->lower.head.mode) &&
	       erofs_find_entry(&entry, &above->lower, w->upper->image->reader, upper_walk_name(w),
				w->found.len, &ignored) == 0;
}
