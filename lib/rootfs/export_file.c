/* SPDX-License-Identifier: Apache-2.0 */
#include "export_file.h"

#include "../io/image_sink.h"
#include "export.h"
#include "output.h"

struct job {
	const struct mkrootfs_tree *tree;
	struct events *events;
};

static int fill(void *user, struct image_file *file, struct mkrootfs_error *error)
{
	const struct job *job = user;
	struct image_sink out;

	image_sink(&out, file);
	return tree_export(job->tree, &out.sink, job->events, error);
}

int tree_export_file(const struct mkrootfs_tree *tree, const char *path, int replace,
		     struct events *events, struct mkrootfs_error *error)
{
	struct job job = { tree, events };

	return output_write(path, replace, fill, &job, error);
}
