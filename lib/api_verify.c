/* SPDX-License-Identifier: Apache-2.0 */
/* Verifying. */
#include "api.h"

#include "rootfs/verify.h"

static const struct mkrootfs_verify_options verify_defaults;

int mkrootfs_tree_verify(struct mkrootfs_verify_result *result, const struct mkrootfs_tree *tree,
			 const struct mkrootfs_verify_options *options,
			 struct mkrootfs_error *error)
{
	error = OR_LOCAL(error);
	*result = (struct mkrootfs_verify_result){ 0 };
	if (!tree)
		return missing(error, "the tree");
	return done(verify_tree_files(result, tree, options ? options : &verify_defaults, error),
		    error);
}

int mkrootfs_image_verify(struct mkrootfs_verify_result *result, const struct mkrootfs_image *image,
			  const struct mkrootfs_verify_options *options,
			  struct mkrootfs_error *error)
{
	error = OR_LOCAL(error);
	*result = (struct mkrootfs_verify_result){ 0 };
	if (!image)
		return missing(error, "the image");
	return done(verify_image(result, image, options ? options : &verify_defaults, error),
		    error);
}

int mkrootfs_store_verify(struct mkrootfs_verify_result *result, const char *store,
			  const char *name, const struct mkrootfs_verify_options *options,
			  struct mkrootfs_error *error)
{
	error = OR_LOCAL(error);
	*result = (struct mkrootfs_verify_result){ 0 };
	if (!store)
		return missing(error, "the store's folder");
	return done(verify_store(result, store, name, options ? options : &verify_defaults, error),
		    error);
}
