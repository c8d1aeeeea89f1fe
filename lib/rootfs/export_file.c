/* SPDX-License-Identifier: Apache-2.0 */
#include "export_file.h"

#include "export.h"
#include "output.h"

struct file_sink {
	struct sink sink;
	struct image_file *file;
	uint64_t end; /* bytes that were written */
	const struct mkrootfs_tree *tree;
	struct events *events;
};

static int file_write(struct sink *sink, const void *data, size_t len, struct mkrootfs_error *error)
{
	struct file_sink *to = (struct file_sink *)sink;
	int status = image_file_write(to->file, to->end, data, len, error);

	to->end += len;
	return status;
}

static int fill(void *user, struct image_file *file, struct mkrootfs_error *error)
{
	struct file_sink *to = user;

	to->file = file;
	return tree_export(to->tree, &to->sink, to->events, error);
}

int tree_export_file(const struct mkrootfs_tree *tree, const char *path, int replace,
		     struct events *events, struct mkrootfs_error *error)
{
	struct file_sink to = { .sink = { file_write }, .tree = tree, .events = events };

	return output_write(path, replace, fill, &to, error);
}
