/* SPDX-License-Identifier: Apache-2.0 */
/* The writable side. */
#include "api.h"

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
