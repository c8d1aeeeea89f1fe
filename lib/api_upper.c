/* SPDX-License-Identifier: Apache-2.0 */
/* The writable side. */
#include "api.h"

#include "rootfs/clone.h"
#include "rootfs/resize.h"
#include "rootfs/upper.h"

int mkrootfs_upper(const char *path, const struct mkrootfs_upper_options *options,
		   struct mkrootfs_error *error)
{
	static const struct mkrootfs_upper_options defaults;

	error = OR_LOCAL(error);
	if (!path)
		return missing(error, "the path");
	return done(upper_make(path, options ? options : &defaults, error), error);
}

int mkrootfs_upper_fd(int fd, const struct mkrootfs_upper_options *options,
		      struct mkrootfs_error *error)
{
	static const struct mkrootfs_upper_options defaults;

	error = OR_LOCAL(error);
	return done(upper_make_fd(fd, options ? options : &defaults, error), error);
}

int mkrootfs_upper_resize(struct mkrootfs_resized *resized, const char *path, uint64_t size,
			  struct mkrootfs_error *error)
{
	struct mkrootfs_resized unwanted;

	error = OR_LOCAL(error);
	resized = resized ? resized : &unwanted;
	*resized = (struct mkrootfs_resized){ 0 };
	if (!path)
		return missing(error, "the path");
	return done(resize_upper(resized, path, size, error), error);
}

int mkrootfs_upper_clone(const char *from, const char *to, int replace,
			 struct mkrootfs_error *error)
{
	error = OR_LOCAL(error);
	if (!from || !to)
		return missing(error, "the path");
	return done(clone_upper(from, to, replace, error), error);
}
