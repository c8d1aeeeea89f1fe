/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an upper holds from the start, as a tree: its root has upper/ and work/, and what is put
 * into upper/ lies, in the guest, over the image.
 *
 *	upper_tree_create(&u, image, time, error);		image: NULL where none is known
 *	upper_walk(&w, u, "/etc/app/config", 0, error);
 *	if (w.kind == UPPER_ABSENT) ...
 *	upper_walk_put(&w, &inode, error);
 *	upper_walk_close(&w);
 *	upper_tree_finish(u, error);				then u->tree is sealed
 *	upper_tree_free(u);
 *
 * Paths are walked as the guest will see them: in the image with the upper over it, symbolic links
 * followed inside the root. A directory that both have is merged by overlayfs and shows the upper's
 * attributes, so every directory on the way to something new is given those of the image's.
 */
#ifndef MKROOTFS_ROOTFS_UPPER_TREE_H
#define MKROOTFS_ROOTFS_UPPER_TREE_H

#include "../base/buf.h"
#include "../erofs/read_inode.h"
#include "../tree/tree.h"
#include "tree_open.h"

struct upper_tree {
	struct tree *tree;
	uint32_t upper; /* the node of upper/ */
	const struct mkrootfs_tree *image;
	int64_t time;	/* seconds, of what has no time of its own */
	uint32_t plain; /* attributes in the tree: root's, of that time */
};

int upper_tree_create(struct upper_tree **out, const struct mkrootfs_tree *image, int64_t time,
		      struct mkrootfs_error *error);
int upper_tree_finish(struct upper_tree *upper, struct mkrootfs_error *error);
void upper_tree_free(struct upper_tree *upper);

enum upper_kind {
	UPPER_ABSENT, /* also where there is a whiteout */
	UPPER_NEW,    /* in the upper: node */
	UPPER_LOWER,  /* only in the image: lower */
};

/* A directory on the way, or what was found. */
struct upper_place {
	uint32_t node; /* in the upper, or 0; a whiteout's, too */
	bool has_lower;
	struct erofs_placed_inode lower; /* of the image, where no whiteout or file hides it */
	size_t name;			 /* offset in the walk's names */
	size_t len;
};

struct upper_walk {
	struct upper_tree *upper;
	struct upper_place *above; /* the root first; the last holds what was found */
	size_t depth, room;
	struct upper_place found; /* the root's name is empty */
	enum upper_kind kind;
	uint16_t mode; /* of what was found, or 0 */
	struct buf names, rest;
	size_t at;
	unsigned links;
};

enum upper_walk_flags { UPPER_FOLLOW = 1 }; /* a symbolic link at the path's end, too */

/*
 * Messages name the path. ".." above the root is MALFORMED; what is no directory on the way is
 * INVALID, more than 40 links LIMIT.
 */
int upper_walk(struct upper_walk *walk, struct upper_tree *upper, const char *path, unsigned flags,
	       struct mkrootfs_error *error);
void upper_walk_close(struct upper_walk *walk);

/*
 * Puts an inode where the walk ended, in place of what is there but a directory. A new directory
 * over a whiteout hides what the image has in it (opaque).
 */
int upper_walk_put(struct upper_walk *walk, uint32_t inode, struct mkrootfs_error *error);
/* Sees to it that a directory is where the walk ended; attributes count when it is new at all. */
int upper_walk_directory(struct upper_walk *walk, uint32_t *node,
			 const struct tree_inode *attributes, struct mkrootfs_error *error);
/* Whether the image may have something under the name, which only a whiteout hides. */
bool upper_walk_has_lower(const struct upper_walk *walk);
/* The node of the directory above, made with all that lead to it. */
int upper_walk_parent(struct upper_walk *walk, uint32_t *node, struct mkrootfs_error *error);

static inline const char *upper_walk_name(const struct upper_walk *walk)
{
	return (const char *)walk->names.data + walk->found.name;
}

/* The inode loses xattrs with names that would steer the guest's overlay. */
int upper_public_xattrs(struct tree *tree, struct tree_inode *inode, struct mkrootfs_error *error);

#endif
