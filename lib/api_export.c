/* SPDX-License-Identifier: Apache-2.0 */
/* Writing out: trees as tars and filesystems, images as archives. */
#include "api.h"

#include "rootfs/build_ext4.h"
#include "rootfs/export.h"
#include "rootfs/export_file.h"
#include "rootfs/image.h"
#include "rootfs/save_image.h"

static struct events export_events(const struct mkrootfs_export_options *options)
{
	return (struct events){ .fn = options ? options->events : NULL,
				.user = options ? options->events_user : NULL };
}

int mkrootfs_tree_export(const struct mkrootfs_tree *tree, mkrootfs_write_fn write, void *user,
			 const struct mkrootfs_export_options *options,
			 struct mkrootfs_error *error)
{
	struct callback_sink sink;
	struct events events = export_events(options);

	error = OR_LOCAL(error);
	if (!tree || !write)
		return missing(error, tree ? "the write function" : "the tree");
	sink_callback(&sink, write, user);
	return done(tree_export(tree, &sink.sink, &events, error), error);
}

int mkrootfs_tree_export_file(const struct mkrootfs_tree *tree, const char *path,
			      const struct mkrootfs_export_options *options,
			      struct mkrootfs_error *error)
{
	struct events events = export_events(options);
	int replace = options ? options->replace : 0;

	error = OR_LOCAL(error);
	if (!tree || !path)
		return missing(error, tree ? "the path" : "the tree");
	return done(tree_export_file(tree, path, replace, &events, error), error);
}

int mkrootfs_tree_build_ext4(const struct mkrootfs_tree *tree, const char *path,
			     const struct mkrootfs_build_options *options,
			     struct mkrootfs_error *error)
{
	static const struct mkrootfs_build_options defaults;

	error = OR_LOCAL(error);
	if (!tree || !path)
		return missing(error, tree ? "the path" : "the tree");
	return done(build_ext4(path, tree, options ? options : &defaults, error), error);
}

static int check_save(const struct mkrootfs_image *image,
		      const struct mkrootfs_save_options *options, struct mkrootfs_error *error)
{
	if (!image)
		return missing(error, "the image");
	if (image->problem)
		return error_set(error, MKROOTFS_ERROR_INVALID, "the image is damaged: %s",
				 image->problem);
	if ((unsigned)options->format > MKROOTFS_SAVE_OCI_ARCHIVE)
		return error_set(error, MKROOTFS_ERROR_INVALID, "there is no such format");
	return 0;
}

int mkrootfs_save(const struct mkrootfs_image *image, mkrootfs_write_fn write, void *user,
		  const struct mkrootfs_save_options *options, struct mkrootfs_error *error)
{
	static const struct mkrootfs_save_options defaults;
	struct callback_sink out;

	error = OR_LOCAL(error);
	options = options ? options : &defaults;
	if (!write)
		return missing(error, "the write function");
	if (check_save(image, options, error) < 0)
		return error->status;
	sink_callback(&out, write, user);
	return done(save_image(&out.sink, image, options, error), error);
}

int mkrootfs_save_file(const struct mkrootfs_image *image, const char *path,
		       const struct mkrootfs_save_options *options, struct mkrootfs_error *error)
{
	static const struct mkrootfs_save_options defaults;

	error = OR_LOCAL(error);
	options = options ? options : &defaults;
	if (!path)
		return missing(error, "the path");
	if (check_save(image, options, error) < 0)
		return error->status;
	return done(save_image_file(path, image, options, error), error);
}
