/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two layers of COUNT entries each, merged: merge_cost KIND COUNT
 *
 *	files		COUNT files in one folder, replaced by as many
 *	whiteouts	COUNT files, each deleted
 *	links		COUNT hard links to a lower layer's file
 *	folders		COUNT folders with a file each, listed again
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tree/layer_tree.h"
#include "tree/overlay.h"

static struct mkrootfs_error error;

static void check(int status)
{
	if (status == 0)
		return;
	fprintf(stderr, "%s\n", error.message);
	exit(1);
}

static const struct tree_inode file = { .mode = S_IFREG | 0644 };
static const struct tree_inode folder = { .mode = S_IFDIR | 0755 };

static void add_lower(struct layer_tree *layer, const char *kind, unsigned number)
{
	char path[64];

	snprintf(path, sizeof(path), !strcmp(kind, "folders") ? "d%u/f" : "d/f%u", number);
	check(layer_tree_add(layer, path, &file, &error));
}

static void add_upper(struct layer_tree *layer, const char *kind, unsigned number)
{
	char path[64];

	if (!strcmp(kind, "links")) {
		snprintf(path, sizeof(path), "l/f%u", number);
		check(layer_tree_link(layer, path, "d/f0", &file, &error));
	} else if (!strcmp(kind, "folders")) {
		snprintf(path, sizeof(path), "d%u", number);
		check(layer_tree_add(layer, path, &folder, &error));
	} else {
		snprintf(path, sizeof(path), !strcmp(kind, "files") ? "d/f%u" : "d/.wh.f%u",
			 number);
		check(layer_tree_add(layer, path, &file, &error));
	}
}

static void stack(struct tree *merged, const char *kind, unsigned count,
		  void (*add)(struct layer_tree *, const char *, unsigned))
{
	const struct overlay_options options = { .first_block = 1 };
	struct layer_tree *layer;

	check(layer_tree_create(&layer, 100, &error));
	for (unsigned i = 0; i < count; i++)
		add(layer, kind, i);
	check(layer_tree_finish(layer, &error));
	check(overlay_apply(merged, layer->tree, &options, &error));
	layer_tree_free(layer);
}

int main(int argc, char **argv)
{
	unsigned count = argc == 3 ? (unsigned)atoi(argv[2]) : 0;
	struct tree *merged;

	if (count == 0)
		return 2;
	check(tree_create(&merged, &error));
	stack(merged, argv[1], count, add_lower);
	stack(merged, argv[1], count, add_upper);
	check(tree_seal(merged, &error));
	tree_free(merged);
	return 0;
}
