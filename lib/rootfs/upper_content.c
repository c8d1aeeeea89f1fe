/* SPDX-License-Identifier: Apache-2.0 */
#include "upper_content.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

int upper_content_attributes(struct upper_content *content, struct tree_inode *inode,
			     struct mkrootfs_error *error)
{
	const struct mkrootfs_upper_entry *entry = content->entry;
	struct tree *tree = content->upper->tree;
	struct tree_attributes attributes = *tree_attributes_of(tree, inode);

	if (entry->set_mode && !S_ISLNK(inode->mode))
		inode->mode = (uint16_t)((inode->mode & S_IFMT) | (entry->mode & 07777));
	if (!entry->set_owner)
		return 0;
	attributes.uid = entry->uid;
	attributes.gid = entry->gid;
	return tree_set_attributes(tree, inode, &attributes, error);
}

int upper_content_put(struct upper_content *content, struct upper_walk *walk, uint32_t *id,
		      const struct tree_inode *inode, struct mkrootfs_error *error)
{
	int status = tree_new_inode(content->upper->tree, id, inode, error);

	return status < 0 ? status : upper_walk_put(walk, *id, error);
}

void upper_content_set(struct upper_content *content, uint32_t node, const struct tree_inode *inode)
{
	struct tree_inode *to = tree_inode_of(content->upper->tree, node);

	tree_copy_mode(to, inode);
	to->attributes = inode->attributes;
}

/* As mkdir -p: one that is there only gets what was asked for. */
static int make_directory(struct upper_content *content, struct mkrootfs_error *error)
{
	const struct tree_inode inode = { .mode = S_IFDIR | 0755,
					  .attributes = content->upper->plain };
	struct upper_walk walk;
	uint32_t node;
	int status = upper_walk(&walk, content->upper, content->entry->path, UPPER_FOLLOW, error);

	if (status < 0)
		return status;
	status = upper_walk_directory(&walk, &node, &inode, error);
	if (status == 0)
		status = upper_content_attributes(content,
						  tree_inode_of(content->upper->tree, node), error);
	upper_walk_close(&walk);
	return status;
}

/* Of a file that is replaced, mode and owner are kept, as a shell's redirection does. */
static int inherit(struct tree_inode *inode, const struct upper_walk *walk,
		   struct mkrootfs_error *error)
{
	struct tree *tree = walk->upper->tree;
	const struct tree_inode *there = tree_inode_of(tree, walk->found.node);
	struct tree_attributes attributes = { .mtime = walk->upper->time };

	if (!S_ISREG(walk->mode))
		return 0;
	inode->mode = walk->mode;
	if (walk->kind == UPPER_NEW) {
		attributes.uid = tree_attributes_of(tree, there)->uid;
		attributes.gid = tree_attributes_of(tree, there)->gid;
	}
	if (walk->kind == UPPER_LOWER) {
		attributes.uid = walk->found.lower.head.uid;
		attributes.gid = walk->found.lower.head.gid;
	}
	return tree_set_attributes(tree, inode, &attributes, error);
}

static int put_text(struct upper_content *content, struct upper_walk *walk,
		    struct mkrootfs_error *error)
{
	const struct mkrootfs_upper_entry *entry = content->entry;
	struct tree_inode inode = { .mode = S_IFREG | 0644,
				    .attributes = content->upper->plain,
				    .size = entry->size };
	uint32_t id;

	if (inherit(&inode, walk, error) < 0 ||
	    upper_content_attributes(content, &inode, error) < 0)
		return error->status;
	if (entry->size > 0 &&
	    (upper_data_begin(&content->data, &inode.data, error) < 0 ||
	     upper_data_append(&content->data, 0, entry->data, entry->size, error) < 0 ||
	     upper_data_end(&content->data, entry->size, error) < 0))
		return error->status;
	return upper_content_put(content, walk, &id, &inode, error);
}

static int write_text(struct upper_content *content, struct mkrootfs_error *error)
{
	struct upper_walk walk;
	int status = upper_walk(&walk, content->upper, content->entry->path, UPPER_FOLLOW, error);

	if (status < 0)
		return status;
	status = put_text(content, &walk, error);
	upper_walk_close(&walk);
	return status;
}

static int make_symlink(struct upper_content *content, struct mkrootfs_error *error)
{
	const struct mkrootfs_upper_entry *entry = content->entry;
	struct tree_inode inode = { .mode = S_IFLNK | 0777, .attributes = content->upper->plain };
	struct upper_walk walk;
	uint32_t id;
	int status;

	inode.size = strlen(entry->source);
	if (inode.size == 0 || inode.size >= PATH_MAX)
		return error_set(error, MKROOTFS_ERROR_INVALID,
				 "a symbolic link's target has 1 to %d bytes", PATH_MAX - 1);
	if (upper_content_attributes(content, &inode, error) < 0 ||
	    upper_walk(&walk, content->upper, entry->path, 0, error) < 0)
		return error->status;
	status = tree_new_string(content->upper->tree, &inode.data, entry->source, inode.size,
				 error);
	if (status == 0)
		status = upper_content_put(content, &walk, &id, &inode, error);
	upper_walk_close(&walk);
	return status;
}

static int put_whiteout(struct upper_content *content, struct upper_walk *walk,
			struct mkrootfs_error *error)
{
	const struct tree_inode whiteout = { .mode = S_IFCHR, .attributes = content->upper->plain };
	struct tree *tree = content->upper->tree;
	bool hides = upper_walk_has_lower(walk);
	uint32_t id;

	if (walk->found.node)
		tree_remove(tree, walk->found.node);
	walk->found.node = 0;
	walk->kind = UPPER_ABSENT;
	return hides ? upper_content_put(content, walk, &id, &whiteout, error) : 0;
}

int upper_content_remove(struct upper_content *content, const char *path, bool must_exist,
			 struct mkrootfs_error *error)
{
	struct upper_walk walk;
	int status = upper_walk(&walk, content->upper, path, 0, error);

	if (status < 0)
		return status;
	if (walk.depth == 0)
		status = error_set(error, MKROOTFS_ERROR_INVALID, "the root cannot be removed");
	else if (walk.kind == UPPER_ABSENT && content->upper->image)
		status = must_exist ? error_set(error, MKROOTFS_ERROR_NOT_FOUND,
						"'%s': no such file or directory", path)
				    : 0;
	else
		status = put_whiteout(content, &walk, error);
	upper_walk_close(&walk);
	return status;
}

static int remove_path(struct upper_content *content, struct mkrootfs_error *error)
{
	return upper_content_remove(content, content->entry->path, true, error);
}

static const struct {
	const char *name;
	int (*run)(struct upper_content *content, struct mkrootfs_error *error);
	bool needs_path, needs_source;
} actions[] = {
	[MKROOTFS_UPPER_COPY_IN] = { "copy-in", upper_copy_in, true, true },
	[MKROOTFS_UPPER_FROM_TAR] = { "from", upper_from_tar, false, true },
	[MKROOTFS_UPPER_MKDIR] = { "mkdir", make_directory, true, false },
	[MKROOTFS_UPPER_WRITE] = { "write", write_text, true, false },
	[MKROOTFS_UPPER_SYMLINK] = { "symlink", make_symlink, true, true },
	[MKROOTFS_UPPER_REMOVE] = { "remove", remove_path, true, false },
};

static int run_entry(struct upper_content *content, struct mkrootfs_error *error)
{
	const struct mkrootfs_upper_entry *entry = content->entry;
	size_t action = (size_t)entry->action;

	if (action >= sizeof(actions) / sizeof(*actions) || !actions[action].run)
		return error_set(error, MKROOTFS_ERROR_INVALID, "an unknown action, %zu", action);
	if ((actions[action].needs_path && (!entry->path || !*entry->path)) ||
	    (actions[action].needs_source && !entry->source) || (entry->size && !entry->data))
		return error_set(error, MKROOTFS_ERROR_INVALID, "%s: the path is missing",
				 actions[action].name);
	if (actions[action].run(content, error) < 0)
		return error_prefix(error, "%s: ", actions[action].name);
	return 0;
}

int upper_content_open(struct upper_content *content, const struct mkrootfs_upper_options *options,
		       const char *folder, struct events *events, struct mkrootfs_error *error)
{
	int status;

	*content = (struct upper_content){ .data.folder = folder, .events = events };
	status = upper_tree_create(&content->upper, options->image, options->source_date, error);
	for (size_t i = 0; status == 0 && i < options->entry_count; i++) {
		content->entry = &options->entries[i];
		status = run_entry(content, error);
	}
	if (status == 0)
		status = upper_tree_finish(content->upper, error);
	if (status < 0)
		upper_content_close(content);
	return status;
}

void upper_content_close(struct upper_content *content)
{
	upper_tree_free(content->upper);
	upper_data_close(&content->data);
	host_links_free(&content->links);
	*content = (struct upper_content){ 0 };
}
