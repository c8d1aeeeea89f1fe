/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A directory tree in memory, packed: 32-bit indices in arrays instead of pointers, so that a
 * million files take about 60 MB. Names (nodes) and inodes are apart, since hard links share one;
 * what only directories have is apart too, since most inodes are files, and so is what many inodes
 * have in common.
 *
 *	tree_create(&t, error);
 *	tree_set_attributes(t, &made, &attributes, error);
 *	tree_new_inode(t, &inode, &made, error);
 *	tree_put(t, &node, TREE_ROOT, "etc", 3, inode, error);
 *	tree_seal(t, error);		sorts, counts links: then it can be laid out
 *	tree_free(t);
 */
#ifndef MKROOTFS_TREE_TREE_H
#define MKROOTFS_TREE_TREE_H

#include "../base/arena.h"
#include "attribute_pool.h"
#include "name_index.h"
#include "xattr_pool.h"

#include <stdbool.h>
#include <sys/stat.h>

#define TREE_ROOT 1u /* the root's node and its inode; index 0 means none everywhere */

/* The regular-file holes and layer marks that mode alone cannot tell. */
enum tree_inode_flags {
	TREE_CHUNKED = 1, /* data is a chunk map: the file has holes */
	TREE_IMPLIED = 2, /* a directory that the layer did not list, only used in a path */
	TREE_OPAQUE = 4,  /* a directory that hides what lower layers have in it */
	TREE_LINK = 8,	  /* stands for a hard link to a lower layer's file; data is its path */
	TREE_RAW_WHITEOUT = 16, /* a whiteout that the archive stored as a character device 0:0 */
};

struct tree_inode {
	uint64_t size; /* bytes of a file or of a symlink's target; else 0 */
	/*
	 * Regular file: address of the first block, or the arena reference of a struct chunk_map.
	 * Symlink, TREE_LINK: arena reference of the NUL-terminated target. Device: see
	 * tree_device. Directory: index of its struct tree_directory, by tree_new_inode.
	 */
	uint32_t data;
	uint32_t attributes; /* number in the tree's pool, see tree_set_attributes */
	uint32_t nlink;	     /* set by tree_seal; 0: no name refers to it */
	uint16_t mode;	     /* type and the 12 permission bits, as st_mode */
	uint16_t flags;
};

struct tree_node {
	uint32_t parent;
	uint32_t next;	/* next child of the same parent */
	uint32_t inode; /* 0: removed, for good */
	uint32_t name;	/* arena reference: a length byte, then the bytes */
};

/* A directory's children, removed ones included. */
struct tree_directory {
	uint32_t first, last;
	bool in_order; /* each name comes behind the one before: so most archives have them */
};

struct tree {
	struct tree_node *nodes;
	struct tree_inode *inodes;
	struct tree_directory *directories;
	/* Counts include the unused index 0. */
	uint32_t node_count, inode_count, directory_count;
	size_t node_room, inode_room, directory_room;
	uint32_t removals;	  /* grows when names go: what was looked up before may be wrong */
	struct name_index *index; /* names it has not yet are added when it is asked; see names.c */
	struct arena arena;
	struct attribute_pool attributes;
	struct xattr_pool xattrs;
};

/* A tree with an empty root directory: 0755, owned by 0:0, mtime 0, TREE_IMPLIED. */
int tree_create(struct tree **out, struct mkrootfs_error *error);
void tree_free(struct tree *tree);
/*
 * Makes it as tree_create does, but keeps memory for as many names and inodes as it had: to touch
 * new pages takes longer than to fill them. After a failure it is only good for tree_free.
 */
int tree_reset(struct tree *tree, struct mkrootfs_error *error);

/* Copies what was made to a new inode; a directory is an empty one, whatever data says. */
int tree_new_inode(struct tree *tree, uint32_t *inode, const struct tree_inode *made,
		   struct mkrootfs_error *error);
/* Gives an inode of the tree, or one that is to become one, owner, time and xattrs. */
int tree_set_attributes(struct tree *tree, struct tree_inode *inode,
			const struct tree_attributes *attributes, struct mkrootfs_error *error);
/* The same, a set of xattrs alone. */
int tree_set_xattrs(struct tree *tree, struct tree_inode *inode, uint32_t set,
		    struct mkrootfs_error *error);
/*
 * Gives an inode of the tree the mode bits, owner and time of another, which may be another tree's;
 * a symbolic link keeps its mode.
 */
int tree_copy_attributes(struct tree *tree, struct tree_inode *to, const struct tree *from_tree,
			 const struct tree_inode *from, struct mkrootfs_error *error);
/* Stores a NUL-terminated string, as the data of symlinks. */
int tree_new_string(struct tree *tree, uint32_t *reference, const char *text, size_t len,
		    struct mkrootfs_error *error);

/* The child of parent with that name, or 0. For the last child in order it takes one comparison. */
uint32_t tree_lookup(const struct tree *tree, uint32_t parent, const char *name, size_t len);
/*
 * Puts inode under a name. What stood there goes, with all below it. The parent must be a
 * directory; a directory inode takes one name only.
 */
int tree_put(struct tree *tree, uint32_t *node, uint32_t parent, const char *name, size_t len,
	     uint32_t inode, struct mkrootfs_error *error);
/*
 * The same in two steps, for who has to know what stands there: valid until a name comes or goes.
 * A name that is known to come behind all others needs no search: { .is_last = true }.
 */
struct tree_place {
	uint32_t node; /* what stands there, 0: nothing; then what was put there */
	bool is_last;  /* when nothing does: behind all names of the directory */
};
struct tree_place tree_find_place(const struct tree *tree, uint32_t parent, const char *name,
				  size_t len);
int tree_put_at(struct tree *tree, struct tree_place *place, uint32_t parent, const char *name,
		size_t len, uint32_t inode, struct mkrootfs_error *error);
/* Removes a name and all below it. Not for the root. */
void tree_remove(struct tree *tree, uint32_t node);
/* Removes all children of a directory. */
void tree_clear(struct tree *tree, uint32_t node);

/*
 * Sorts the children of every directory by name (unsigned bytes), drops removed ones, counts links.
 * Until something is removed again, struct tree_directory and tree_node lead from child to child.
 */
int tree_seal(struct tree *tree, struct mkrootfs_error *error);

/* Bytes of a sealed tree, about as many as it takes of the process's memory. */
uint64_t tree_memory(const struct tree *tree);

/* The path of a node without a leading slash, cut in front to the buffer's size; for messages. */
void tree_path(const struct tree *tree, uint32_t node, char *out, size_t size);
/* Bytes of the whole path, without a NUL. */
size_t tree_path_length(const struct tree *tree, uint32_t node);

static inline struct tree_inode *tree_inode_of(const struct tree *tree, uint32_t node)
{
	return &tree->inodes[tree->nodes[node].inode];
}

/* Owner, time and xattrs of an inode; valid until the tree gets new ones. */
static inline const struct tree_attributes *tree_attributes_of(const struct tree *tree,
							       const struct tree_inode *inode)
{
	return &tree->attributes.list[inode->attributes];
}

static inline bool tree_is_directory(const struct tree_inode *inode)
{
	return S_ISDIR(inode->mode);
}

/* Of a directory's node. */
static inline struct tree_directory *tree_directory_of(const struct tree *tree, uint32_t node)
{
	return &tree->directories[tree_inode_of(tree, node)->data];
}

/* The first live one from here on among siblings. */
static inline uint32_t tree_live(const struct tree *tree, uint32_t node)
{
	while (node && tree->nodes[node].inode == 0)
		node = tree->nodes[node].next;
	return node;
}

/* The first live child of a directory's node, and the next live sibling; 0 if none. */
static inline uint32_t tree_first_child(const struct tree *tree, uint32_t node)
{
	return tree_live(tree, tree_directory_of(tree, node)->first);
}

static inline uint32_t tree_next_child(const struct tree *tree, uint32_t node)
{
	return tree_live(tree, tree->nodes[node].next);
}

/* Where a walk in pre-order goes from a node whose subtree it leaves out; 0 at the end. */
uint32_t tree_walk_past(const struct tree *tree, uint32_t node);

/* Pre-order: parents before children. 0 at the end. Start with TREE_ROOT. */
static inline uint32_t tree_walk(const struct tree *tree, uint32_t node)
{
	bool directory = tree_is_directory(tree_inode_of(tree, node));
	uint32_t next = directory ? tree_first_child(tree, node) : tree_next_child(tree, node);

	return next ? next : tree_walk_past(tree, node);
}

/* The same two, directories alone; node is one. */
uint32_t tree_walk_directories_past(const struct tree *tree, uint32_t node);
uint32_t tree_walk_directories(const struct tree *tree, uint32_t node);

static inline const char *tree_name(const struct tree *tree, uint32_t node, size_t *len)
{
	const uint8_t *name = arena_at(&tree->arena, tree->nodes[node].name);

	*len = name[0];
	return (const char *)name + 1;
}

static inline const char *tree_string(const struct tree *tree, const struct tree_inode *inode)
{
	return (const char *)arena_at(&tree->arena, inode->data);
}

/* overlayfs takes a character device 0:0 for a whiteout, whatever its permissions. */
static inline bool tree_is_whiteout(const struct tree_inode *inode)
{
	return S_ISCHR(inode->mode) && inode->data == 0;
}

static inline void tree_copy_mode(struct tree_inode *to, const struct tree_inode *from)
{
	if (!S_ISLNK(to->mode))
		to->mode = (uint16_t)((to->mode & S_IFMT) | (from->mode & 07777));
}

/* Linux has 12 bits for the major number of a device and 20 for the minor. */
#define TREE_MINOR_BITS 20
#define TREE_MAJOR_MAX 0xfffu
#define TREE_MINOR_MAX ((1u << TREE_MINOR_BITS) - 1)

/* data of a device, whose numbers fit. */
static inline uint32_t tree_device(uint32_t major, uint32_t minor)
{
	return major << TREE_MINOR_BITS | minor;
}

static inline uint32_t tree_major(const struct tree_inode *inode)
{
	return inode->data >> TREE_MINOR_BITS;
}

static inline uint32_t tree_minor(const struct tree_inode *inode)
{
	return inode->data & TREE_MINOR_MAX;
}

#endif
