/* SPDX-License-Identifier: Apache-2.0 */
/* Pulling. */
#include "api.h"

#include "rootfs/pull.h"

int mkrootfs_pull(struct mkrootfs_image **image, const struct mkrootfs_pull_options *options,
		  struct mkrootfs_error *error)
{
	error = OR_LOCAL(error);
	*image = NULL;
	if (!options || !options->reference)
		return missing(error, "the reference");
	if (!options->store)
		return missing(error, "the store's folder");
	if (api_check_registry(&options->registry, error) < 0)
		return error->status;
	if (options->jobs > MKROOTFS_PULL_MAX_JOBS)
		return error_set(error, MKROOTFS_ERROR_INVALID, "%u jobs are more than %u",
				 options->jobs, MKROOTFS_PULL_MAX_JOBS);
	if (options->threads > MKROOTFS_PULL_MAX_THREADS)
		return error_set(error, MKROOTFS_ERROR_INVALID, "%u threads are more than %u",
				 options->threads, MKROOTFS_PULL_MAX_THREADS);
	if ((unsigned)options->policy > MKROOTFS_PULL_NEVER)
		return error_set(error, MKROOTFS_ERROR_INVALID, "there is no pull policy %d",
				 (int)options->policy);
	return done(pull(image, options, error), error);
}
