/* SPDX-License-Identifier: Apache-2.0 */
/* The single steps of a pull. */
#include "api.h"

#include "rootfs/steps.h"

int mkrootfs_layer_convert(const char *path, char diff_id[MKROOTFS_DIGEST_SIZE],
			   mkrootfs_read_fn read, void *user,
			   const struct mkrootfs_layer_options *options,
			   struct mkrootfs_error *error)
{
	static const struct mkrootfs_layer_options defaults;

	error = OR_LOCAL(error);
	if (diff_id)
		*diff_id = '\0';
	if (!path || !read)
		return missing(error, path ? "the read function" : "the path");
	return done(step_layer(path, diff_id, read, user, options ? options : &defaults, error),
		    error);
}

int mkrootfs_fsmeta_merge(const char *path, const char *const *layers, size_t layer_count,
			  const struct mkrootfs_merge_options *options,
			  struct mkrootfs_error *error)
{
	static const struct mkrootfs_merge_options defaults;

	error = OR_LOCAL(error);
	if (!path || (!layers && layer_count > 0))
		return missing(error, path ? "the list of layers" : "the path");
	if (has_null(layers, layer_count))
		return missing(error, "a layer's path");
	return done(step_fsmeta(path, layers, layer_count, options ? options : &defaults, error),
		    error);
}

int mkrootfs_disk_describe(const char *path, const char *const *files, size_t file_count,
			   int replace, struct mkrootfs_error *error)
{
	error = OR_LOCAL(error);
	if (!path || !files)
		return missing(error, path ? "the list of files" : "the path");
	if (has_null(files, file_count))
		return missing(error, "a file's name");
	return done(step_disk(path, files, file_count, replace, error), error);
}
