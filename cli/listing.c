/* SPDX-License-Identifier: Apache-2.0 */
#include "listing.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "file_view.h"
#include "inode_set.h"

/* A directory that is still to be listed. */
struct pending {
	struct pending *next;
	char path[];
};

struct walk {
	const struct listing *listing;
	const char *directory;
	struct pending *stack;
	struct pending **children; /* where the next subdirectory goes: they stay in order */
	struct inode_set seen;
	struct mkrootfs_error *error;
	int status; /* of a callback that ended the listing */
};

static int out_of_memory(struct mkrootfs_error *error)
{
	*error = (struct mkrootfs_error){ .status = MKROOTFS_ERROR_NO_MEMORY };
	strcpy(error->message, "out of memory");
	return error->status;
}

/* directory/name; the caller's to free, behind room bytes for what else stands before it. */
static char *join(size_t room, const char *directory, const char *name)
{
	size_t length = strlen(directory);
	bool slash = length == 0 || directory[length - 1] != '/';
	char *memory = malloc(room + length + strlen(name) + 2);

	if (memory) {
		memcpy(memory + room, directory, length);
		strcpy(memory + room + length, slash ? "/" : "");
		strcat(memory + room + length, name);
	}
	return memory;
}

/* In a sound image each directory has one name; one that holds itself would never end. */
static int remember(struct walk *walk, const struct mkrootfs_entry *entry, const char *path)
{
	int added = inode_set_add(&walk->seen, entry->stat.inode);
	struct pending *pending;

	if (added < 0)
		return out_of_memory(walk->error);
	if (added == 0) {
		*walk->error = (struct mkrootfs_error){ .status = MKROOTFS_ERROR_MALFORMED };
		snprintf(walk->error->message, sizeof(walk->error->message),
			 "'%.900s': this directory has two names", path);
		return walk->error->status;
	}
	pending = malloc(sizeof(*pending) + strlen(path) + 1);
	if (!pending)
		return out_of_memory(walk->error);
	strcpy(pending->path, path);
	pending->next = *walk->children;
	*walk->children = pending;
	walk->children = &pending->next;
	return 0;
}

/* Records that stand alone are named by their paths, lines by their names. */
static const char *shown(const struct walk *walk, const char *name, const char *path)
{
	const struct listing *listing = walk->listing;

	return listing->recursive && listing->view->form == ENTRY_NULL ? path : name;
}

static int take_entry(void *user, const struct mkrootfs_entry *entry)
{
	struct walk *walk = user;
	const struct listing *listing = walk->listing;
	char *path = join(0, walk->directory, entry->name);

	if (!path) {
		walk->status = out_of_memory(walk->error);
		return -1;
	}
	walk->status = print_entry(listing->view, listing->place, shown(walk, entry->name, path),
				   path, &entry->stat, entry->target, walk->error);
	if (walk->status == 0 && listing->recursive && is_type(&entry->stat, S_IFDIR))
		walk->status = remember(walk, entry, path);
	free(path);
	return walk->status < 0 || ferror(listing->view->out);
}

static void print_title(const struct entry_view *view, const char *title, bool first)
{
	if (view->form == ENTRY_JSON || view->form == ENTRY_NULL)
		return;
	fputs(first ? "" : "\n", view->out);
	print_entry_name(view, title);
	fputs(":\n", view->out);
}

static int list_one(struct walk *walk, const char *path)
{
	struct mkrootfs_error error;
	int status;

	walk->directory = path;
	walk->children = &walk->stack;
	status = mkrootfs_tree_list(walk->listing->place->tree, path, take_entry, walk, &error);
	/* Where a callback ended it, its reason is in walk->error already. */
	if (status < 0 && walk->status == 0)
		*walk->error = error;
	return status;
}

static int list_below(struct walk *walk)
{
	int status = 0;

	while (status == 0 && walk->stack) {
		struct pending *pending = walk->stack;

		walk->stack = pending->next;
		print_title(walk->listing->view, pending->path, false);
		status = list_one(walk, pending->path);
		free(pending);
	}
	return status;
}

int listing_run(struct listing *listing, const char *path, struct mkrootfs_error *error)
{
	struct walk walk = { .listing = listing, .error = error };
	struct mkrootfs_stat root;
	int status = mkrootfs_tree_stat(&root, listing->place->tree, path, 0, error);

	if (status == 0 && inode_set_add(&walk.seen, root.inode) < 0)
		status = out_of_memory(error);
	if (status == 0 && listing->title)
		print_title(listing->view, listing->title, listing->view->printed == 0);
	if (status == 0)
		status = list_one(&walk, path);
	if (status == 0)
		status = list_below(&walk);
	while (walk.stack) {
		struct pending *next = walk.stack->next;

		free(walk.stack);
		walk.stack = next;
	}
	inode_set_free(&walk.seen);
	return status < 0 ? error->status : 0;
}
